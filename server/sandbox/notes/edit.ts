import {
  type NoteBlock,
  type NoteDatabase,
  type NotePage,
  type NoteSource,
  type Parent,
  pageAbove,
  type Workspace
} from './content.ts'
import { parseRichText } from './views.ts'

/** The parts of a new page. Times are in milliseconds since 1970. */

type PageMade = {
  title: string
  parent: Parent
  at: number
  text?: string | undefined
  values?: Record<string, unknown>
  listed?: boolean
  shared?: boolean
}

/** Adds a page at the end of its parent. */
export function addPage(workspace: Workspace, made: PageMade): NotePage {
  const { title, parent, at, text = '', values = {}, listed = true, shared = false } = made
  const { newId } = workspace
  const page: NotePage = {
    id: newId(),
    title,
    parent,
    createdAt: at,
    editedAt: at,
    by: workspace.people[0]?.id ?? workspace.bot.id,
    trashed: false,
    shared,
    listed,
    blocks: parseBlocks(text, { newId, at }),
    values
  }
  workspace.pages.set(page.id, page)
  attach(workspace, { id: page.id, type: 'child_page', title, parent, at })
  return page
}

/** Adds a database with one data source at the end of its parent. */
export function addDatabase(
  workspace: Workspace,
  { title, parent, at, columns }: Pick<PageMade, 'title' | 'parent' | 'at'> & Pick<NoteSource, 'columns'>
): NoteDatabase {
  const { newId } = workspace
  const [id, source] = [newId(), newId()]
  const times = { createdAt: at, editedAt: at }
  const database = { id, title, parent, ...times, trashed: false, sources: [source] }
  workspace.databases.set(id, database)
  workspace.sources.set(source, { id: source, database: id, title, ...times, columns })
  attach(workspace, { id, type: 'child_database', title, parent, at })
  return database
}

type Attached = { id: string; type: 'child_page' | 'child_database'; title: string; parent: Parent; at: number }

/** Adds the block of a page or database to its parent. Rows and top-level pages have none. */
export function attach(workspace: Workspace, { id, type, title, parent, at }: Attached): void {
  const into = blocksIn(workspace, parent)
  if (into === undefined) return
  into.push({ ...createBlock(type, { title }, { newId: () => id, at }) })
  touch(workspace, parent, at)
}

/** Removes the block of a page or database from its parent. */
export function detach(workspace: Workspace, id: string, { parent, at }: { parent: Parent; at: number }): void {
  const into = blocksIn(workspace, parent)
  const place = into?.findIndex((block) => block.id === id) ?? -1
  if (into === undefined || place < 0) return
  into.splice(place, 1)
  touch(workspace, parent, at)
}

/** Marks the page that contains an object as edited. */
function touch(workspace: Workspace, parent: Parent, at: number): void {
  const page = parent.in === 'source' ? undefined : pageAbove(workspace, parent)
  if (page !== undefined) page.editedAt = at
}

function blocksIn(workspace: Workspace, parent: Parent): NoteBlock[] | undefined {
  if (parent.in === 'page') return workspace.pages.get(parent.id)?.blocks
  if (parent.in !== 'block') return undefined
  return blockWithin(workspace.pages.get(parent.page)?.blocks ?? [], parent.id)?.children
}

function blockWithin(blocks: readonly NoteBlock[], id: string): NoteBlock | undefined {
  for (const block of blocks) {
    const found = block.id === id ? block : blockWithin(block.children, id)
    if (found !== undefined) return found
  }
  return undefined
}

/** The source of new ids, and the time of creation (ms). */
type Making = { newId(): string; at: number }

/**
 * Parses lines to blocks: `# ` to `### ` headings, `- ` and `1. ` lists, `[ ] ` and `[x] ` to-dos, `> ` quotes, `! `
 * callouts, `+ ` toggles, `| a | b |` rows of a table, `$$ ` an equation, `---`, `bookmark `, `embed ` and `image `
 * with a URL, `columns`, `column`, `synced` and `unsupported`, and lines between two of ``` for code. Two more spaces
 * at the start make a line a child of the block above.
 */
export function parseBlocks(text: string, making: Making): NoteBlock[] {
  const top: NoteBlock[] = []
  const open: { depth: number; into: NoteBlock[] }[] = [{ depth: -1, into: top }]
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    const [, spaces = '', rest = ''] = /^( *)(.*)$/s.exec(lines[at] ?? '') ?? []
    if (rest === '') continue
    const depth = Math.floor(spaces.length / 2)
    const end = rest.startsWith('```') ? lines.findIndex((line, on) => on > at && line.trim() === '```') : -1
    const block = end > at ? codeBlock(rest, lines.slice(at + 1, end), making) : parseLine(rest, making)
    if (end > at) at = end
    while ((open.at(-1)?.depth ?? -1) >= depth) open.pop()
    append(open.at(-1)?.into ?? top, block, making)
    open.push({ depth, into: block.children })
  }
  return top
}

/** Creates a block. */
function createBlock(type: string, content: Record<string, unknown>, { newId, at }: Making): NoteBlock {
  return { id: newId(), type, content, children: [], createdAt: at, editedAt: at }
}

/** Appends a block. A table row joins the table of the preceding rows. */
function append(into: NoteBlock[], block: NoteBlock, making: Making): void {
  if (block.type !== 'table_row') {
    into.push(block)
    return
  }
  const last = into.at(-1)
  if (last?.type === 'table') last.children.push(block)
  else {
    const width = (block.content.cells as unknown[]).length
    const table = createBlock('table', { table_width: width, has_column_header: true, has_row_header: false }, making)
    table.children.push(block)
    into.push(table)
  }
}

const toRichContent = (text: string, more: object = {}) => ({
  rich_text: parseRichText(text),
  color: 'default',
  ...more
})

const KINDS: readonly [RegExp, (text: string) => [type: string, content: Record<string, unknown>]][] = [
  [
    /^(#{1,3}) (.*)$/s,
    (text) => [
      `heading_${/^#+/.exec(text)?.[0].length}`,
      toRichContent(text.replace(/^#+ /, ''), { is_toggleable: false })
    ]
  ],
  [/^- /, (text) => ['bulleted_list_item', toRichContent(text.slice(2))]],
  [/^\d+\. /, (text) => ['numbered_list_item', toRichContent(text.replace(/^\d+\. /, ''))]],
  [/^\[[ x]\] /, (text) => ['to_do', toRichContent(text.slice(4), { checked: text[1] === 'x' })]],
  [/^> /, (text) => ['quote', toRichContent(text.slice(2))]],
  [/^! /, (text) => ['callout', toRichContent(text.slice(2), { icon: { type: 'emoji', emoji: '💡' } })]],
  [/^\+ /, (text) => ['toggle', toRichContent(text.slice(2))]],
  [
    /^\|.*\|$/s,
    (text) => [
      'table_row',
      {
        cells: text
          .slice(1, -1)
          .split('|')
          .map((cell) => parseRichText(cell.trim()))
      }
    ]
  ],
  [/^\$\$ /, (text) => ['equation', { expression: text.slice(3) }]],
  [/^---$/, () => ['divider', {}]],
  [/^bookmark /, (text) => ['bookmark', { caption: [], url: text.slice(9) }]],
  [/^embed /, (text) => ['embed', { caption: [], url: text.slice(6) }]],
  [/^image /, (text) => ['image', { caption: [], type: 'external', external: { url: text.slice(6) } }]],
  [/^columns$/, () => ['column_list', {}]],
  [/^column$/, () => ['column', {}]],
  [/^synced$/, () => ['synced_block', { synced_from: null }]],
  [/^unsupported$/, () => ['unsupported', {}]]
]

function parseLine(line: string, making: Making): NoteBlock {
  const kind = KINDS.find(([pattern]) => pattern.test(line))
  const [type, content] = kind === undefined ? ['paragraph', toRichContent(line, { icon: null })] : kind[1](line)
  return createBlock(type as string, content as Record<string, unknown>, making)
}

function codeBlock(opening: string, lines: readonly string[], making: Making): NoteBlock {
  const language = opening.slice(3).trim() || 'plain text'
  return createBlock('code', { caption: [], rich_text: parseRichText(lines.join('\n')), language }, making)
}

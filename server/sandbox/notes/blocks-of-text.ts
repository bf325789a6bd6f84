import type { NoteBlock } from './content.ts'
import { richText } from './rich-text.ts'

/** Where blocks come from: new ids, and when they were made (ms). */
export type Making = { newId(): string; at: number }

/**
 * Blocks from lines: `# ` to `### ` headings, `- ` and `1. ` lists, `[ ] ` and `[x] ` to-dos, `> ` quotes, `! ` callouts, `+ ` toggles,
 * `| a | b |` rows of a table, `$$ ` an equation, `---`, `bookmark `, `embed ` and `image ` with an address, `columns`, `column`, `synced` and
 * `unsupported` for those, and lines between two of ``` for code. Two more spaces at the start put a line into the block above.
 */
export function blocksOfText(text: string, making: Making): NoteBlock[] {
  const top: NoteBlock[] = []
  const open: { depth: number; into: NoteBlock[] }[] = [{ depth: -1, into: top }]
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    const [, spaces = '', rest = ''] = /^( *)(.*)$/s.exec(lines[at] ?? '') ?? []
    if (rest === '') continue
    const depth = Math.floor(spaces.length / 2)
    const end = rest.startsWith('```') ? lines.findIndex((line, on) => on > at && line.trim() === '```') : -1
    const block = end > at ? codeBlock(rest, lines.slice(at + 1, end), making) : blockOfLine(rest, making)
    if (end > at) at = end
    while ((open.at(-1)?.depth ?? -1) >= depth) open.pop()
    append(open.at(-1)?.into ?? top, block, making)
    open.push({ depth, into: block.children })
  }
  return top
}

/** A block that is made now. */
export function newBlock(type: string, content: Record<string, unknown>, { newId, at }: Making): NoteBlock {
  return { id: newId(), type, content, children: [], createdAt: at, editedAt: at }
}

/** A row of a table stands in the table that the rows before it made. */
function append(into: NoteBlock[], block: NoteBlock, making: Making): void {
  if (block.type !== 'table_row') {
    into.push(block)
    return
  }
  const last = into.at(-1)
  if (last?.type === 'table') last.children.push(block)
  else {
    const width = (block.content.cells as unknown[]).length
    const table = newBlock('table', { table_width: width, has_column_header: true, has_row_header: false }, making)
    table.children.push(block)
    into.push(table)
  }
}

const said = (text: string, more: object = {}) => ({ rich_text: richText(text), color: 'default', ...more })

const KINDS: readonly [RegExp, (text: string) => [type: string, content: Record<string, unknown>]][] = [
  [
    /^(#{1,3}) (.*)$/s,
    (text) => [`heading_${/^#+/.exec(text)?.[0].length}`, said(text.replace(/^#+ /, ''), { is_toggleable: false })]
  ],
  [/^- /, (text) => ['bulleted_list_item', said(text.slice(2))]],
  [/^\d+\. /, (text) => ['numbered_list_item', said(text.replace(/^\d+\. /, ''))]],
  [/^\[[ x]\] /, (text) => ['to_do', said(text.slice(4), { checked: text[1] === 'x' })]],
  [/^> /, (text) => ['quote', said(text.slice(2))]],
  [/^! /, (text) => ['callout', said(text.slice(2), { icon: { type: 'emoji', emoji: '💡' } })]],
  [/^\+ /, (text) => ['toggle', said(text.slice(2))]],
  [
    /^\|.*\|$/s,
    (text) => [
      'table_row',
      {
        cells: text
          .slice(1, -1)
          .split('|')
          .map((cell) => richText(cell.trim()))
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

function blockOfLine(line: string, making: Making): NoteBlock {
  const kind = KINDS.find(([pattern]) => pattern.test(line))
  const [type, content] = kind === undefined ? ['paragraph', said(line, { icon: null })] : kind[1](line)
  return newBlock(type as string, content as Record<string, unknown>, making)
}

function codeBlock(opening: string, lines: readonly string[], making: Making): NoteBlock {
  const language = opening.slice(3).trim() || 'plain text'
  return newBlock('code', { caption: [], rich_text: richText(lines.join('\n')), language }, making)
}

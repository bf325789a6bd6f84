import * as z from 'zod'
import { type Block, normalizeId } from './wire.ts'

/** The text of enhanced Markdown, the ids of the pages and databases in it, and why the text is incomplete, if it is. */
export type PageText = { text: string; pages: string[]; databases: string[]; cut?: string }

/**
 * Removes the tags line by line. Layout (columns, callouts, synced blocks) is replaced by its content, tables become
 * lines of cells, and files become their captions. `missing` has the text of blocks that were not rendered, by id.
 */
export function readMarkdown(markdown: string, missing: ReadonlyMap<string, readonly string[]>): PageText {
  const reader: Reader = { lines: [], pages: [], databases: [], cells: undefined, fence: undefined }
  const unplaced = new Map(missing)
  for (const line of markdown.split('\n')) {
    const [, tabs = '', rest = ''] = /^(\t*)(.*)$/s.exec(line) ?? []
    readLine(reader, { indent: '  '.repeat(tabs.length), rest, unplaced })
  }
  // A block without a tag was located after the point where the text was truncated.
  for (const lines of unplaced.values()) reader.lines.push(...lines)
  return { text: tidy(reader.lines), pages: reader.pages, databases: reader.databases }
}

type Reader = {
  lines: string[]
  pages: string[]
  databases: string[]
  /** The cells of the current table row. */
  cells: string[] | undefined
  /** The fence that closes the current code block. */
  fence: string | undefined
}

type Line = { indent: string; rest: string; unplaced: Map<string, readonly string[]> }

function readLine(reader: Reader, line: Line): void {
  const { indent, rest } = line
  if (readLiteral(reader, indent, rest)) return
  if (readTable(reader, rest, indent)) return
  if (readReference(reader, line)) return
  const text = inlineText(stripMarkers(rest)).trimEnd()
  for (const part of text.split('\n')) if (part.trim() !== '') reader.lines.push(`${indent}${part}`)
}

/** Copies code and formulas unchanged. Fences of code are kept; lines of `$$` are removed. */
function readLiteral(reader: Reader, indent: string, rest: string): boolean {
  const opening = /^(`{3,}|\${2}$)/.exec(rest.trimEnd())?.[1]
  if (reader.fence === undefined && opening === undefined) return false
  if (rest.trim() !== '$$') reader.lines.push(`${indent}${rest}`)
  if (reader.fence === undefined) reader.fence = opening
  else if (rest.trim() === reader.fence) reader.fence = undefined
  return true
}

/**
 * Removes markers that carry no text: `$$`, `---` and `:::` on their own line. The opening of a callout contains at
 * most its icon.
 */
function stripMarkers(rest: string): string {
  return /^(\${2}|-{3,}|:{3,}.*)$/.test(rest.trim()) ? '' : rest.replace(/^\$\$(.*)\$\$$/, '$`$1`$')
}

/** Reads a table, which is written as HTML tags with one cell or row per line. */
function readTable(reader: Reader, rest: string, indent: string): boolean {
  if (!/^<\/?(table|tr|td|colgroup|col)\b/.test(rest)) return false
  if (/<tr\b/.test(rest)) reader.cells = []
  for (const [, cell = ''] of rest.matchAll(/<td\b[^<>]{0,400}>((?:(?!<td\b).)*?)<\/td>/gs))
    reader.cells?.push(inlineText(cell).trim())
  if (/<\/tr>/.test(rest)) {
    reader.lines.push(`${indent}${(reader.cells ?? []).join(' | ')}`)
    reader.cells = undefined
  }
  return true
}

/** Reads a tag for a page, a database, or a block that is not rendered. */
function readReference(reader: Reader, { indent, rest, unplaced }: Line): boolean {
  const [, kind, attributes = '', title = ''] = /^<(page|database|unknown)\b([^>]*?)\/?>(.*)$/s.exec(rest) ?? []
  if (kind === undefined) return false
  const id = findId(attributes)
  if (kind === 'unknown') {
    const lines = id === undefined ? undefined : unplaced.get(id)
    if (id !== undefined) unplaced.delete(id)
    reader.lines.push(...(lines ?? []).map((line) => `${indent}${line}`))
    return true
  }
  if (id !== undefined) (kind === 'page' ? reader.pages : reader.databases).push(id)
  const text = inlineText(title).trim()
  if (text !== '') reader.lines.push(`${indent}${text}`)
  return true
}

/** Returns the id at the end of a URL: that of the block after `#` if there is one, else that of the page. */
function findId(attributes: string): string | undefined {
  const url = /\burl="([^"]*)"/.exec(attributes)?.[1] ?? ''
  const [place = '', block = ''] = url.split('#')
  const found = HEX_ID.exec(block) ?? HEX_ID.exec(place.replace(/\?.*$/s, ''))
  return found?.[1] === undefined ? undefined : normalizeId(found[1])
}

const HEX_ID = /([0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\}*$/i

function tidy(lines: readonly string[]): string {
  return lines.join('\n').trim()
}

/**
 * Converts one line of enhanced Markdown to plain text: removes marks, colors and tags, and resolves escapes. By the
 * format, every literal mark is escaped, so the conversion is unambiguous:
 * developers.notion.com/guides/data-apis/enhanced-markdown.
 */
function inlineText(line: string): string {
  return line.replace(INLINE, (...match) => toReadable(match.at(-1) as Groups))
}

type Groups = Readonly<Record<string, string | undefined>>

/**
 * Text between two marks has the length limit of rich text (developers.notion.com/reference/request-limits), so that
 * the search for a closing mark stays short.
 */
const INLINE = new RegExp(
  [
    /\\(?<escaped>[\\*~`$[\]<>{}|^])/,
    /`(?<code>[^`]{0,2000})`/,
    /\$`?(?<formula>[^$`]{0,2000})`?\$/,
    /!\[(?<caption>(?:\\.|[^\]\\]){0,2000})\]\([^)\s]{0,4000}\)/,
    /\[\^(?<cited>[^\]]{0,2000})\]/,
    /\[(?<label>(?:\\.|[^\]\\]){0,2000})\]\((?<target>[^)\s]{0,4000})\)/,
    /<mention-date (?<date>[^<>]{0,400}?)\/?>/,
    /<br *\/?>(?<newline>)/,
    /<\/?(?<tag>[a-z][a-z_-]{0,40})(?:\s[^<>]{0,4000})?\/?>/,
    /(?<attributes>\{(?:[a-z_]{1,40}="[^"]{0,200}" ?){1,10}\})/,
    /(?<mark>\*\*|\*|~~)/
  ]
    .map(({ source }) => source)
    .join('|'),
  'g'
)

function toReadable({ escaped, code, formula, caption, label, target, date, newline }: Groups): string {
  if (newline !== undefined) return '\n'
  if (label !== undefined) return addTarget(inlineText(label), target)
  if (caption !== undefined) return inlineText(caption)
  if (date !== undefined) return dateText(date)
  return escaped ?? code ?? formula ?? ''
}

function dateText(attributes: string): string {
  const readAttribute = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1]
  const from = [readAttribute('start'), readAttribute('startTime')].filter(Boolean).join(' ')
  const to = [readAttribute('end'), readAttribute('endTime')].filter(Boolean).join(' ')
  return to === '' ? from : `${from} → ${to}`
}

/**
 * Returns the text of a block without its children: developers.notion.com/reference/block. An unknown type is
 * represented by its `rich_text`, if it has any.
 */
export function blockText(block: Block): string {
  const content: BlockContent = ContentOf.safeParse(block[block.type]).data ?? {}
  const write = Object.hasOwn(BLOCK_WRITERS, block.type) ? BLOCK_WRITERS[block.type] : undefined
  return write === undefined ? plainText(content.rich_text) : write(content)
}

/** Reports whether the text of a block, or that it has none, is known: by its type, or because it has rich text. */
export function isKnownBlock(block: Block): boolean {
  const content = ContentOf.safeParse(block[block.type]).data
  return Object.hasOwn(BLOCK_WRITERS, block.type) || FRAMES.has(block.type) || content?.rich_text !== undefined
}

/** Blocks that only contain others. Their children are placed as if there were no container. */
export const FRAMES: ReadonlySet<string> = new Set([
  'column_list',
  'column',
  'synced_block',
  'table',
  'tab',
  'template',
  'meeting_notes',
  'transcription'
])

const ContentOf = z.looseObject({
  rich_text: z.unknown().optional(),
  caption: z.unknown().optional(),
  cells: z.array(z.unknown()).optional().catch(undefined),
  checked: z.boolean().optional().catch(undefined),
  expression: z.string().optional().catch(undefined),
  language: z.string().nullish().catch(undefined),
  title: z.unknown().optional(),
  name: z.string().optional().catch(undefined),
  url: z.string().optional().catch(undefined)
})

type BlockContent = Partial<z.infer<typeof ContentOf>>

const createHeadingWriter = (level: number) => (content: BlockContent) => addPrefix(`${'#'.repeat(level)} `, content)
const writeNothing = () => ''
/** URLs of files are signed for an hour and would differ each time. */
const writeName = ({ caption, name }: BlockContent) => plainText(caption) || name || ''
const writeLink = ({ caption, url }: BlockContent) => addTarget(plainText(caption), url)
const writeTitle = ({ title }: BlockContent) => (typeof title === 'string' ? title : plainText(title))

const BLOCK_WRITERS: Readonly<Record<string, (content: BlockContent) => string>> = {
  heading_1: createHeadingWriter(1),
  heading_2: createHeadingWriter(2),
  heading_3: createHeadingWriter(3),
  heading_4: createHeadingWriter(4),
  bulleted_list_item: (content) => addPrefix('- ', content),
  numbered_list_item: (content) => addPrefix('1. ', content),
  to_do: (content) => addPrefix(content.checked ? '- [x] ' : '- [ ] ', content),
  quote: (content) => addPrefix('> ', content),
  code: ({ rich_text, language, caption }) =>
    [`\`\`\`${language ?? ''}`, plainText(rich_text), '```', plainText(caption)].join('\n').trimEnd(),
  equation: ({ expression }) => expression ?? '',
  table_row: ({ cells }) => (cells ?? []).map(plainText).join(' | '),
  bookmark: writeLink,
  embed: writeLink,
  link_preview: writeLink,
  image: writeName,
  video: writeName,
  audio: writeName,
  pdf: writeName,
  file: writeName,
  child_page: writeTitle,
  child_database: writeTitle,
  meeting_notes: writeTitle,
  transcription: writeTitle,
  synced_block: writeNothing,
  divider: writeNothing,
  breadcrumb: writeNothing,
  table_of_contents: writeNothing,
  // The title of the page is in the page itself.
  link_to_page: writeNothing,
  unsupported: writeNothing
}

function addPrefix(prefix: string, { rich_text }: BlockContent): string {
  const text = plainText(rich_text)
  return text === '' ? '' : `${prefix}${text}`
}

/** developers.notion.com/reference/rich-text: segments of text, each with an optional link. */
const RichText = z.array(
  z.looseObject({ type: z.string().optional(), plain_text: z.string(), href: z.string().nullish() })
)

/** Returns the plain text of rich text, or an empty text for any other value. */
export function plainText(value: unknown): string {
  const parsed = RichText.safeParse(value)
  if (!parsed.success) return ''
  return parsed.data
    .map(({ type, plain_text: text, href }) => (type === 'text' ? addTarget(text, href ?? undefined) : text))
    .join('')
}

/** Appends the target of a link, if it is an external URL and differs from the text. */
function addTarget(text: string, target: string | undefined): string {
  if (target === undefined || !/^https?:\/\//i.test(target) || /^https:\/\/(www|app)\.notion\.(so|com)\//.test(target))
    return text
  return text.trim() === '' || target === text || target === `${text}/` ? text || target : `${text} (${target})`
}

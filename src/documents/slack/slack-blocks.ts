import { findMentions, type Names, toPlainText } from './to-plain-text.ts'

/** Limits on the depth and number of block elements. Slack's own have at most 50 blocks, six levels deep. */
const DEPTH_MAX = 12
const ELEMENTS_MAX = 2000

/**
 * Returns the text in blocks (https://docs.slack.dev/reference/block-kit/blocks) or in attachments of a message
 * (https://docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments), one line per part. Unknown
 * elements are searched for text. Leaves out the lines that `said`, the text beside the blocks, contains.
 */
export function blockText(blocks: readonly unknown[], names: Names, said = ''): string {
  const walk: Walk = { names, lines: [], left: ELEMENTS_MAX }
  for (const block of blocks) takeBlock(block, walk, 0)
  const lines = walk.lines.map((line) => ({ ...line, text: line.text.trim() })).filter(({ text }) => text !== '')
  const isNew = said.trim() === '' ? () => true : createNewsFilter(said)
  return lines
    .filter(isNew)
    .map(({ text }) => text)
    .join('\n')
}

/** Returns the ids of people who are mentioned in blocks or attachments. */
export function findMentionsInBlocks(blocks: readonly unknown[]): string[] {
  const found: string[] = []
  let left = ELEMENTS_MAX
  const look = (value: unknown, depth: number): void => {
    if (value === undefined || depth > DEPTH_MAX || left-- <= 0) return
    if (typeof value === 'string') found.push(...findMentions(value))
    if (typeof value !== 'object') return
    if (Array.isArray(value)) for (const inner of value) look(inner, depth + 1)
    const piece = toMembers(value)
    if (piece.type === 'user' && typeof piece.user_id === 'string') found.push(piece.user_id)
    for (const key of TEXT_MEMBERS) look(piece[key], depth + 1)
    for (const key of [...NESTED_MEMBERS, 'rows', 'value']) look(piece[key], depth + 1)
  }
  for (const block of blocks) look(block, 0)
  return found
}

/** A line of text. `isRich`: Slack derives the text of a message from its rich text. */
type Line = { text: string; isRich: boolean }

type Walk = { names: Names; lines: Line[]; left: number }

/**
 * Creates a filter for lines that a text does not contain, whatever its marks and spaces. A line of rich text is also
 * old if all of its words are in the text, because links are written in a different order there.
 */
function createNewsFilter(said: string): (line: Line) => boolean {
  const letters = toLetters(said)
  const words = new Set(toWords(said))
  return ({ text, isRich }) => {
    const own = toLetters(text)
    if (own === '') return !isRich && !said.includes(text)
    return !letters.includes(own) && !(isRich && toWords(text).every((word) => words.has(word)))
  }
}

function toLetters(text: string): string {
  return toWords(text).join('')
}

function toWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

/** Visits a block. Containers begin new lines; inline elements are joined into one line. */
function takeBlock(value: unknown, walk: Walk, depth: number): void {
  if (depth > DEPTH_MAX || walk.left-- <= 0) return
  const block = toMembers(value)
  const add = (text: string, isRich = false): unknown => walk.lines.push({ text, isRich })
  if (IN_LINE.has(String(block.type)))
    return void add(
      toList(block.elements).reduce<string>((line, piece) => line + writeElement(piece, walk), ''),
      true
    )
  if (isField(block)) return void add(toPlainText(`${block.title}: ${block.value}`, walk.names))
  for (const key of TEXT_MEMBERS) {
    const text = block[key]
    if (typeof text === 'string') add(PLAIN_TYPES.has(String(block.type)) ? text : toPlainText(text, walk.names))
    else if (text !== undefined) takeBlock(text, walk, depth + 1)
  }
  if (FALLBACK_UNLESS.every((key) => block[key] === undefined) && typeof block.fallback === 'string')
    add(toPlainText(block.fallback, walk.names))
  const nested = NESTED_MEMBERS.map((key) => block[key]).filter((inner) => typeof inner === 'object')
  for (const inner of nested.flatMap((one) => (Array.isArray(one) ? one : [one]))) takeBlock(inner, walk, depth + 1)
  if (Array.isArray(block.rows)) add(writeTable(block.rows, walk, depth))
}

/** A field of an attachment, which is shown as a row of a table. */
function isField({ title, value }: Record<string, unknown>): boolean {
  return typeof title === 'string' && typeof value === 'string' && title !== '' && value !== ''
}

/** Writes the rows of a table as Markdown. The first row has the titles of the columns. */
function writeTable(rows: readonly unknown[], walk: Walk, depth: number): string {
  const written = rows.map((row) => toList(row).map((cell) => writeCell(cell, walk, depth + 1)))
  const lines = written.map((cells) => `| ${cells.join(' | ')} |`)
  const [head, ...rest] = lines
  if (head === undefined) return ''
  return [head, `|${' --- |'.repeat(Math.max(1, written[0]?.length ?? 1))}`, ...rest].join('\n')
}

function writeCell(cell: unknown, { names, left }: Walk, depth: number): string {
  const inner: Walk = { names, lines: [], left: Math.min(left, CELL_ELEMENTS_MAX) }
  takeBlock(cell, inner, depth)
  const text = inner.lines.map((line) => line.text).join(' ')
  return text.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim()
}

const CELL_ELEMENTS_MAX = 100

/** Elements of rich text whose children form one line. */
const IN_LINE: ReadonlySet<string> = new Set(['rich_text_section', 'rich_text_preformatted', 'rich_text_quote'])
/** Text objects without Slack's notation. */
const PLAIN_TYPES: ReadonlySet<string> = new Set(['plain_text', 'raw_text', 'raw_number'])
/** Members with text, as a string or as an object, in the order in which Slack shows them. */
const TEXT_MEMBERS = [
  'pretext',
  'author_name',
  'title',
  'rich_text_title',
  'subtitle',
  'label',
  'caption',
  'text',
  'body',
  'description',
  'details',
  'output',
  'alt_text',
  'hint',
  'placeholder',
  'footer'
] as const
/** Members of an attachment that its fallback repeats. */
const FALLBACK_UNLESS = ['pretext', 'title', 'text'] as const
/** Members with further elements. */
const NESTED_MEMBERS = [
  'elements',
  'fields',
  'blocks',
  'child_blocks',
  'tasks',
  'sources',
  'option_groups',
  'options',
  'element',
  'accessory',
  'hero_image',
  'icon',
  'preview',
  'positive_button',
  'negative_button',
  'actions'
] as const

/** Converts an inline element of rich text (https://docs.slack.dev/reference/block-kit/blocks/rich-text-block). */
function writeElement(value: unknown, walk: Walk): string {
  if (walk.left-- <= 0) return ''
  const piece = toMembers(value)
  const text = (key: string): string => (typeof piece[key] === 'string' ? piece[key] : '')
  const type = text('type')
  const make = Object.hasOwn(ELEMENT_WRITERS, type) ? ELEMENT_WRITERS[type] : undefined
  return make === undefined ? text('text') : make(text, walk.names)
}

const ELEMENT_WRITERS: Readonly<Record<string, (text: (key: string) => string, names: Names) => string>> = {
  user: (text, names) => `@${names.get(text('user_id')) ?? text('user_id')}`,
  channel: (text, names) => `#${names.get(text('channel_id')) ?? text('channel_id')}`,
  usergroup: (text, names) => `@${names.get(text('usergroup_id')) ?? 'group'}`,
  team: (text) => `@${text('team_id')}`,
  broadcast: (text) => `@${text('range')}`,
  emoji: (text) => `:${text('name')}:`,
  color: (text) => text('value'),
  date: (text) => text('fallback'),
  link: (text) => (text('text') === '' ? text('url') : `${text('text')} (${text('url')})`)
}

/** Returns the members of an object; those of any other value are empty. */
export function toMembers(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** Returns an array, or an empty one for any other value. */
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

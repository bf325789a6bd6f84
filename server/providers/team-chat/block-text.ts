import { mentionedIn, type Names, plainText } from './plain-text.ts'

/** How deep blocks are looked into, and how many pieces of them: those of Slack have at most 50 blocks, six levels deep. */
const DEPTH_MAX = 12
const PIECES_MAX = 2000

/**
 * The words in blocks (https://docs.slack.dev/reference/block-kit/blocks) or in what is attached to a message
 * (https://docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments), a line for each part. What is
 * unknown is looked into for text, and is otherwise nothing.
 */
export function blockText(blocks: readonly unknown[], names: Names): string {
  const walk: Walk = { names, lines: [], left: PIECES_MAX }
  for (const block of blocks) takeBlock(block, walk, 0)
  return walk.lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}

/** The ids of people who are mentioned in blocks or in what is attached. */
export function mentionedInBlocks(blocks: readonly unknown[]): string[] {
  const found: string[] = []
  let left = PIECES_MAX
  const look = (value: unknown, depth: number): void => {
    if (value === undefined || depth > DEPTH_MAX || left-- <= 0) return
    if (typeof value === 'string') found.push(...mentionedIn(value))
    if (typeof value !== 'object') return
    const piece = members(value)
    if (piece.type === 'user' && typeof piece.user_id === 'string') found.push(piece.user_id)
    for (const key of TEXT_MEMBERS) look(piece[key], depth + 1)
    for (const key of LIST_MEMBERS) for (const inner of listOf(piece[key])) look(inner, depth + 1)
  }
  for (const block of blocks) look(block, 0)
  return found
}

type Walk = { names: Names; lines: string[]; left: number }

/** Containers begin lines; what stands within a line is one string. */
function takeBlock(value: unknown, walk: Walk, depth: number): void {
  if (depth > DEPTH_MAX || walk.left-- <= 0) return
  const block = members(value)
  if (IN_LINE.has(String(block.type))) {
    walk.lines.push(listOf(block.elements).reduce<string>((line, piece) => line + pieceText(piece, walk), ''))
    return
  }
  for (const key of TEXT_MEMBERS) {
    const text = block[key]
    if (typeof text === 'string') walk.lines.push(block.type === 'plain_text' ? text : plainText(text, walk.names))
    else if (text !== undefined) takeBlock(text, walk, depth + 1)
  }
  if (TEXT_MEMBERS.every((key) => block[key] === undefined) && typeof block.fallback === 'string')
    walk.lines.push(plainText(block.fallback, walk.names))
  for (const key of LIST_MEMBERS) for (const inner of listOf(block[key])) takeBlock(inner, walk, depth + 1)
}

/** Elements of rich text whose children make one line. */
const IN_LINE: ReadonlySet<string> = new Set(['rich_text_section', 'rich_text_preformatted', 'rich_text_quote'])
const TEXT_MEMBERS = ['pretext', 'title', 'text'] as const
const LIST_MEMBERS = ['elements', 'fields', 'blocks'] as const

/** A piece within a line of rich text (https://docs.slack.dev/reference/block-kit/blocks/rich-text-block). */
function pieceText(value: unknown, walk: Walk): string {
  if (walk.left-- <= 0) return ''
  const piece = members(value)
  const text = (key: string): string => (typeof piece[key] === 'string' ? piece[key] : '')
  const type = text('type')
  const make = Object.hasOwn(PIECES, type) ? PIECES[type] : undefined
  return make === undefined ? text('text') : make(text, walk.names)
}

const PIECES: Readonly<Record<string, (text: (key: string) => string, names: Names) => string>> = {
  user: (text, names) => `@${names.get(text('user_id')) ?? text('user_id')}`,
  channel: (text, names) => `#${names.get(text('channel_id')) ?? text('channel_id')}`,
  usergroup: () => '@group',
  broadcast: (text) => `@${text('range')}`,
  emoji: (text) => `:${text('name')}:`,
  date: (text) => text('fallback'),
  link: (text) => (text('text') === '' ? text('url') : `${text('text')} (${text('url')})`)
}

function members(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

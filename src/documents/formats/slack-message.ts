import type { TextPart } from '../chunking/draft-memories.ts'

/** A message of Slack, in the API and in an export (https://docs.slack.dev/reference/events/message). */
export type SlackMessage = {
  /** Seconds, a point and six digits, which identify a message within its channel. */
  ts: string
  thread_ts?: string | null | undefined
  reply_count?: number | null | undefined
  subtype?: string | null | undefined
  hidden?: boolean | null | undefined
  user?: string | null | undefined
  bot_id?: string | null | undefined
  text?: string | null | undefined
  user_profile?: SlackProfile | null | undefined
  blocks?: readonly unknown[] | null | undefined
  attachments?: readonly unknown[] | null | undefined
  files?: readonly unknown[] | null | undefined
}

/** Returns the name of a user that Slack shows it. The display name is empty unless the person has set one. */
export function chooseUserName({ id, name, real_name, profile }: SlackUser): string {
  return profile?.display_name || profile?.real_name || real_name || name || id
}

export type SlackUser = {
  id: string
  name?: string | null | undefined
  real_name?: string | null | undefined
  profile?: SlackProfile | null | undefined
}

type SlackProfile = { display_name?: string | null | undefined; real_name?: string | null | undefined }

/**
 * Reports whether a person wrote the message. Any other message has a subtype (someone joined, a topic was set, a
 * message was deleted and only its thread is left) or the id of the app that posted it.
 */
export function isWritten({ subtype, bot_id, hidden, user }: SlackMessage): boolean {
  return KEPT_SUBTYPES.has(subtype ?? '') && !bot_id && !hidden && !!user && user !== 'USLACKBOT'
}

/** Subtypes of messages written by people (https://docs.slack.dev/reference/events/message#subtypes). */
const KEPT_SUBTYPES: ReadonlySet<string> = new Set(['', 'file_share', 'me_message', 'thread_broadcast'])

/**
 * Converts a message to a text part. A thread is a conversation, and so are the messages of a channel on one day (UTC)
 * outside of threads.
 */
export function toSlackPart(message: SlackMessage, channel: string, names: Names): TextPart {
  const { ts, thread_ts, user } = message
  const root = thread_ts ?? ts
  const threaded = root !== ts || (message.reply_count ?? 0) > 0
  const at = Number(toMicros(ts) / 1000n)
  const day = new Date(at).toISOString().slice(0, 10)
  const start = threaded ? toMicros(root) : BigInt(Date.parse(day)) * 1000n
  const speaker = user ? chooseName(message, user, names) : undefined
  return {
    text: writeText(message, names),
    at,
    ...(speaker !== undefined && { speaker }),
    conversation: `${channel}/${threaded ? root : day}`,
    // Microseconds since the conversation began, which is known without the other messages and preserves their order.
    position: Math.max(0, Number(toMicros(ts) - start))
  }
}

function chooseName({ user_profile }: SlackMessage, user: string, names: Names): string {
  return names.get(user) ?? (user_profile?.display_name || user_profile?.real_name || user)
}

/** Returns the text, or else the text of blocks, attachments or file names. */
function writeText({ text, blocks, attachments, files }: SlackMessage, names: Names): string {
  if (text?.trim()) return toPlainText(text, names)
  const found = blockText([...(blocks ?? []), ...(attachments ?? [])], names)
  return found === '' ? (files ?? []).map(getFileName).filter(Boolean).join('\n') : found
}

function getFileName(file: unknown): string {
  const { title, name } = (typeof file === 'object' && file !== null ? file : {}) as Record<string, unknown>
  return String([title, name].find((said) => typeof said === 'string' && said !== '') ?? '')
}

function toMicros(time: string): bigint {
  return BigInt(time.replace('.', ''))
}

/** Names by id, of people and channels. */
export type Names = ReadonlyMap<string, string>

/**
 * Converts Slack's notation to plain text: mentions and links are in angle brackets, and `&`, `<`, `>` of the text are
 * entities (https://docs.slack.dev/messaging/formatting-message-text). Marks for bold and other styles stay.
 */
export function toPlainText(marked: string, names: Names): string {
  return marked.replace(/<([^<>]*)>|&(amp|lt|gt);/g, (whole, inner: string | undefined, entity: string | undefined) => {
    if (entity !== undefined) return ENTITIES[entity] ?? whole
    return inner ? writeReference(inner, names) : whole
  })
}

/** Returns the ids of people who are mentioned without a name. */
export function findMentions(marked: string): string[] {
  return [...marked.matchAll(/<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>/g)].map((found) => found[1] ?? '')
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' }

/** Converts the text between angle brackets: a sign for its type, an id or address, and an optional label. */
function writeReference(inner: string, names: Names): string {
  const bar = inner.indexOf('|')
  const target = bar === -1 ? inner : inner.slice(0, bar)
  const label = bar === -1 ? '' : unescapeText(inner.slice(bar + 1))
  if (target.startsWith('@')) return `@${names.get(target.slice(1)) ?? (label || target.slice(1))}`
  if (target.startsWith('#')) return `#${label || (names.get(target.slice(1)) ?? target.slice(1))}`
  if (target.startsWith('!')) return writeCommand(target.slice(1), label)
  return writeLink(unescapeText(target), label)
}

/** Converts a command: `here`, `channel`, `everyone`; a user group; or a date, whose label is the fallback text. */
function writeCommand(command: string, label: string): string {
  if (command.startsWith('date^')) return label
  if (command.startsWith('subteam^')) return label || '@group'
  return label ? (label.startsWith('@') ? label : `@${label}`) : `@${command}`
}

function writeLink(address: string, label: string): string {
  const bare = address.replace(/^(?:mailto:|tel:)/, '')
  if (label === '' || label === bare || label === address) return bare
  // Slack turns a bare name such as example.org into a link.
  return /^https?:\/\//.test(address) && address.replace(/^https?:\/\//, '') === label ? address : `${label} (${bare})`
}

function unescapeText(text: string): string {
  return text.replace(/&(amp|lt|gt);/g, (whole, entity: string) => ENTITIES[entity] ?? whole)
}

/** Limits on the depth and number of block elements. Slack's own have at most 50 blocks, six levels deep. */
const DEPTH_MAX = 12
const ELEMENTS_MAX = 2000

/**
 * Returns the text in blocks (https://docs.slack.dev/reference/block-kit/blocks) or in attachments of a message
 * (https://docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments), one line per part. Unknown
 * elements are searched for text.
 */
export function blockText(blocks: readonly unknown[], names: Names): string {
  const walk: Walk = { names, lines: [], left: ELEMENTS_MAX }
  for (const block of blocks) takeBlock(block, walk, 0)
  return walk.lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
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
    const piece = toMembers(value)
    if (piece.type === 'user' && typeof piece.user_id === 'string') found.push(piece.user_id)
    for (const key of TEXT_MEMBERS) look(piece[key], depth + 1)
    for (const key of LIST_MEMBERS) for (const inner of toList(piece[key])) look(inner, depth + 1)
  }
  for (const block of blocks) look(block, 0)
  return found
}

type Walk = { names: Names; lines: string[]; left: number }

/** Visits a block. Containers begin new lines; inline elements are joined into one line. */
function takeBlock(value: unknown, walk: Walk, depth: number): void {
  if (depth > DEPTH_MAX || walk.left-- <= 0) return
  const block = toMembers(value)
  if (IN_LINE.has(String(block.type))) {
    walk.lines.push(toList(block.elements).reduce<string>((line, piece) => line + writeElement(piece, walk), ''))
    return
  }
  for (const key of TEXT_MEMBERS) {
    const text = block[key]
    if (typeof text === 'string') walk.lines.push(block.type === 'plain_text' ? text : toPlainText(text, walk.names))
    else if (text !== undefined) takeBlock(text, walk, depth + 1)
  }
  if (TEXT_MEMBERS.every((key) => block[key] === undefined) && typeof block.fallback === 'string')
    walk.lines.push(toPlainText(block.fallback, walk.names))
  for (const key of LIST_MEMBERS) for (const inner of toList(block[key])) takeBlock(inner, walk, depth + 1)
}

/** Elements of rich text whose children form one line. */
const IN_LINE: ReadonlySet<string> = new Set(['rich_text_section', 'rich_text_preformatted', 'rich_text_quote'])
const TEXT_MEMBERS = ['pretext', 'title', 'text'] as const
const LIST_MEMBERS = ['elements', 'fields', 'blocks'] as const

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
  usergroup: () => '@group',
  broadcast: (text) => `@${text('range')}`,
  emoji: (text) => `:${text('name')}:`,
  date: (text) => text('fallback'),
  link: (text) => (text('text') === '' ? text('url') : `${text('text')} (${text('url')})`)
}

function toMembers(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

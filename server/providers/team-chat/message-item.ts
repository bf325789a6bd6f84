import { createHash } from 'node:crypto'
import type { TextPart } from '../../../src/documents/chunking/draft-memories.ts'
import type { SeenItem } from '../port/provider.ts'
import { type Message, microsBetween, toMessageTime, toMs } from './wire.ts'

/** Where messages stand, for all of a page. `teamUrl` ends with a slash. */
export type Where = { channel: string; channelName: string; teamUrl: string }

/**
 * A message as an item. Its id is `<channel>/<root>/<ts>`, where root is the first message of its thread or itself, so that
 * in the order of text a thread stands together and in time, and a stretch of a channel's time is a stretch of ids.
 */
export function toMessageItem(message: Message, where: Where, names: Names): SeenItem {
  const id = toMessageId(where.channel, message)
  const part = toPart(message, where.channel, names)
  const version = computeMessageVersion(part, where.channelName)
  const item = { id, version, place: where.channel }
  if (part.text.trim() === '') return { ...item, skipped: 'a message without words' }
  const content = { id, version, title: where.channelName, url: toPermalink(message, where), parts: [part] }
  return { ...item, content }
}

/** See `toMessageItem`. */
function toMessageId(channel: string, { ts, thread_ts }: Message): string {
  return `${channel}/${thread_ts ?? ts}/${ts}`
}

/**
 * Whether a person wrote it. Everything else is told of by a subtype (someone joined, a topic was set, a message was
 * deleted and only its thread is left), or has the id of the app that posted it.
 */
export function isWritten({ subtype, bot_id, hidden, user }: Message): boolean {
  return KEPT_SUBTYPES.has(subtype ?? '') && !bot_id && !hidden && !!user && user !== 'USLACKBOT'
}

/** Subtypes that people's own messages have (https://docs.slack.dev/reference/events/message#subtypes). */
const KEPT_SUBTYPES: ReadonlySet<string> = new Set(['', 'file_share', 'me_message', 'thread_broadcast'])

/** Whose names are needed to show messages. */
export function findPeople(messages: readonly Message[]): Set<string> {
  const written = messages.filter(isWritten)
  return new Set(
    written.flatMap(({ user, text, blocks, attachments }) => [
      ...(user ? [user] : []),
      ...findMentions(text ?? ''),
      ...(text?.trim() ? [] : findMentionsInBlocks([...(blocks ?? []), ...(attachments ?? [])]))
    ])
  )
}

/** A thread is a talk, and so is what was said in a channel on one day (UTC) outside of threads. */
function toPart(message: Message, channel: string, names: Names): TextPart {
  const { ts, thread_ts, user } = message
  const root = thread_ts ?? ts
  const threaded = root !== ts || (message.reply_count ?? 0) > 0
  const at = toMs(ts)
  const day = new Date(at).toISOString().slice(0, 10)
  const start = threaded ? root : toMessageTime(Date.parse(day))
  const speaker = user ? chooseName(message, user, names) : undefined
  return {
    text: writeText(message, names),
    at,
    ...(speaker !== undefined && { speaker }),
    conversation: `${channel}/${threaded ? root : day}`,
    // Microseconds since the talk began: known without the others, and in their order.
    position: Math.max(0, microsBetween(start, ts))
  }
}

function chooseName({ user_profile }: Message, user: string, names: Names): string {
  return names.get(user) ?? (user_profile?.display_name || user_profile?.real_name || user)
}

/** The text; where there is none, what blocks, attachments or the names of files say. */
function writeText({ text, blocks, attachments, files }: Message, names: Names): string {
  if (text?.trim()) return toPlainText(text, names)
  const found = blockText([...(blocks ?? []), ...(attachments ?? [])], names)
  return found === '' ? (files ?? []).map(getFileName).filter(Boolean).join('\n') : found
}

function getFileName(file: unknown): string {
  const { title, name } = (typeof file === 'object' && file !== null ? file : {}) as Record<string, unknown>
  return String([title, name].find((said) => typeof said === 'string' && said !== '') ?? '')
}

/** The time of an edit tells of no preview of a link, no first reply and no other name of the channel: so all that counts is hashed. */
function computeMessageVersion({ text, speaker, conversation }: TextPart, channelName: string): string {
  const hash = createHash('sha256').update(JSON.stringify([speaker ?? '', conversation, text, channelName]))
  return hash.digest('hex').slice(0, 32)
}

/** As chat.getPermalink makes it (https://docs.slack.dev/reference/methods/chat.getPermalink), without a call for each. */
function toPermalink({ ts, thread_ts }: Message, { channel, teamUrl }: Where): string {
  const id = encodeURIComponent(channel)
  const thread = thread_ts && thread_ts !== ts ? `?thread_ts=${thread_ts}&cid=${id}` : ''
  return `${teamUrl}archives/${id}/p${ts.replace('.', '')}${thread}`
}

/** Names by id, of people and channels. */
export type Names = ReadonlyMap<string, string>

/**
 * Text as a person sees it, out of Slack's own notation: mentions and links stand in angle brackets, and `&`, `<`, `>` of the
 * text itself as entities (https://docs.slack.dev/messaging/formatting-message-text). Signs for bold and the like stay.
 */
export function toPlainText(marked: string, names: Names): string {
  return marked.replace(/<([^<>]*)>|&(amp|lt|gt);/g, (whole, inner: string | undefined, entity: string | undefined) => {
    if (entity !== undefined) return ENTITIES[entity] ?? whole
    return inner ? writeReference(inner, names) : whole
  })
}

/** The ids of people who are mentioned without a name. */
export function findMentions(marked: string): string[] {
  return [...marked.matchAll(/<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>/g)].map((found) => found[1] ?? '')
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' }

/** What stands between the brackets: a sign that says what it is, an id or address, and maybe a label. */
function writeReference(inner: string, names: Names): string {
  const bar = inner.indexOf('|')
  const target = bar === -1 ? inner : inner.slice(0, bar)
  const label = bar === -1 ? '' : unescapeText(inner.slice(bar + 1))
  if (target.startsWith('@')) return `@${names.get(target.slice(1)) ?? (label || target.slice(1))}`
  if (target.startsWith('#')) return `#${label || (names.get(target.slice(1)) ?? target.slice(1))}`
  if (target.startsWith('!')) return writeCommand(target.slice(1), label)
  return writeLink(unescapeText(target), label)
}

/** `here`, `channel`, `everyone`; a group of people; a moment, whose label is for who cannot show it in local time. */
function writeCommand(command: string, label: string): string {
  if (command.startsWith('date^')) return label
  if (command.startsWith('subteam^')) return label || '@group'
  return label ? (label.startsWith('@') ? label : `@${label}`) : `@${command}`
}

function writeLink(address: string, label: string): string {
  const bare = address.replace(/^(?:mailto:|tel:)/, '')
  if (label === '' || label === bare || label === address) return bare
  // Slack makes a link of a bare name like example.org.
  return /^https?:\/\//.test(address) && address.replace(/^https?:\/\//, '') === label ? address : `${label} (${bare})`
}

function unescapeText(text: string): string {
  return text.replace(/&(amp|lt|gt);/g, (whole, entity: string) => ENTITIES[entity] ?? whole)
}

/** How deep blocks are looked into, and how many pieces of them: those of Slack have at most 50 blocks, six levels deep. */
const DEPTH_MAX = 12
const ELEMENTS_MAX = 2000

/**
 * The words in blocks (https://docs.slack.dev/reference/block-kit/blocks) or in what is attached to a message
 * (https://docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments), a line for each part. What is
 * unknown is looked into for text, and is otherwise nothing.
 */
export function blockText(blocks: readonly unknown[], names: Names): string {
  const walk: Walk = { names, lines: [], left: ELEMENTS_MAX }
  for (const block of blocks) takeBlock(block, walk, 0)
  return walk.lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}

/** The ids of people who are mentioned in blocks or in what is attached. */
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

/** Containers begin lines; what stands within a line is one string. */
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

/** Elements of rich text whose children make one line. */
const IN_LINE: ReadonlySet<string> = new Set(['rich_text_section', 'rich_text_preformatted', 'rich_text_quote'])
const TEXT_MEMBERS = ['pretext', 'title', 'text'] as const
const LIST_MEMBERS = ['elements', 'fields', 'blocks'] as const

/** A piece within a line of rich text (https://docs.slack.dev/reference/block-kit/blocks/rich-text-block). */
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

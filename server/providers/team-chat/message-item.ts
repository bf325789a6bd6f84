import { createHash } from 'node:crypto'
import type { TextPart } from '../../../src/documents/chunking/draft-memories.ts'
import { classifyMessage, findIds, findMessageCut, toSlackParts } from '../../../src/documents/slack/slack-message.ts'
import type { Names } from '../../../src/documents/slack/to-plain-text.ts'
import type { SeenItem } from '../port/provider.ts'
import type { Message } from './wire.ts'

/** The place of messages, the same for a whole page. `teamUrl` ends with a slash. */
export type Where = { channel: string; channelName: string; teamUrl: string }

/**
 * Converts a message to an item, or returns undefined if it was deleted and only its thread is left. The id is
 * `<channel>/<root>/<ts>`, where root is the first message of its thread or the message itself. In text order, the
 * messages of a thread are therefore adjacent and in order of time, and a range of a channel's time is a range of ids.
 */
export function toMessageItem(message: Message, where: Where, names: Names): SeenItem | undefined {
  const kind = classifyMessage(message)
  if (kind.kind === 'deleted') return undefined
  const id = toMessageId(where.channel, message)
  const parts = kind.kind === 'words' ? toSlackParts(message, where.channel, names) : []
  const cut = kind.kind === 'words' ? findMessageCut(message) : undefined
  const version = computeMessageVersion(parts, { channelName: where.channelName, cut })
  const item = { id, version, place: where.channel }
  if (kind.kind === 'event') return { ...item, skipped: kind.why }
  if (parts.length === 0) return { ...item, skipped: cut === undefined ? NO_TEXT : `${NO_TEXT}, and ${cut}` }
  const named = { id, version, title: where.channelName, url: toPermalink(message, where) }
  return { ...item, content: { ...named, parts, ...(cut !== undefined && { cut }) } }
}

const NO_TEXT = 'the message has no text'

/** Builds the id of a message; see `toMessageItem`. */
function toMessageId(channel: string, { ts, thread_ts }: Message): string {
  return `${channel}/${thread_ts ?? ts}/${ts}`
}

/** Finds the people and apps whose names are needed to show messages. */
export function findPeople(messages: readonly Message[]): Set<string> {
  const written = messages.filter((message) => classifyMessage(message).kind === 'words')
  return new Set(written.flatMap(findIds))
}

/**
 * Hashes everything that the item contains. The time of an edit would not reflect a link preview, a first reply or a
 * new channel name.
 */
function computeMessageVersion(
  parts: readonly TextPart[],
  { channelName, cut }: { channelName: string; cut: string | undefined }
): string {
  const [own, ...forwarded] = parts
  const { speaker = '', conversation, text } = own ?? { text: '' }
  const more = [...forwarded.flatMap((part) => [part.speaker, part.at, part.text]), ...(cut === undefined ? [] : [cut])]
  const hash = createHash('sha256').update(JSON.stringify([speaker, conversation, text, channelName, ...more]))
  return hash.digest('hex').slice(0, 32)
}

/**
 * Builds the URL that chat.getPermalink returns, without a call for each message
 * (https://docs.slack.dev/reference/methods/chat.getPermalink).
 */
function toPermalink({ ts, thread_ts }: Message, { channel, teamUrl }: Where): string {
  const id = encodeURIComponent(channel)
  const thread = thread_ts && thread_ts !== ts ? `?thread_ts=${thread_ts}&cid=${id}` : ''
  return `${teamUrl}archives/${id}/p${ts.replace('.', '')}${thread}`
}

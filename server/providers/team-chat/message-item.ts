import { createHash } from 'node:crypto'
import type { ContentPart, SeenItem } from '../provider.ts'
import { blockText, mentionedInBlocks } from './block-text.ts'
import { messageTime, microsBetween, msOf } from './message-time.ts'
import { mentionedIn, type Names, plainText } from './plain-text.ts'
import type { Message } from './wire.ts'

/** Where messages stand, for all of a page. `teamUrl` ends with a slash. */
export type Where = { channel: string; channelName: string; teamUrl: string }

/**
 * A message as an item. Its id is `<channel>/<root>/<ts>`, where root is the first message of its thread or itself, so that
 * in the order of text a thread stands together and in time, and a stretch of a channel's time is a stretch of ids.
 */
export function messageItem(message: Message, where: Where, names: Names): SeenItem {
  const id = messageId(where.channel, message)
  const part = partOf(message, where.channel, names)
  const version = versionOf(part, where.channelName)
  const item = { id, version, place: where.channel }
  if (part.text.trim() === '') return { ...item, skipped: 'a message without words' }
  const content = { id, version, title: where.channelName, url: permalink(message, where), parts: [part] }
  return { ...item, content }
}

/** See `messageItem`. */
function messageId(channel: string, { ts, thread_ts }: Message): string {
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
export function peopleIn(messages: readonly Message[]): Set<string> {
  const written = messages.filter(isWritten)
  return new Set(
    written.flatMap(({ user, text, blocks, attachments }) => [
      ...(user ? [user] : []),
      ...mentionedIn(text ?? ''),
      ...(text?.trim() ? [] : mentionedInBlocks([...(blocks ?? []), ...(attachments ?? [])]))
    ])
  )
}

/** A thread is a talk, and so is what was said in a channel on one day (UTC) outside of threads. */
function partOf(message: Message, channel: string, names: Names): ContentPart {
  const { ts, thread_ts, user } = message
  const root = thread_ts ?? ts
  const threaded = root !== ts || (message.reply_count ?? 0) > 0
  const at = msOf(ts)
  const day = new Date(at).toISOString().slice(0, 10)
  const start = threaded ? root : messageTime(Date.parse(day))
  const speaker = user ? nameOf(message, user, names) : undefined
  return {
    text: wordsOf(message, names),
    at,
    ...(speaker !== undefined && { speaker }),
    conversation: `${channel}/${threaded ? root : day}`,
    // Microseconds since the talk began: known without the others, and in their order.
    position: Math.max(0, microsBetween(start, ts))
  }
}

function nameOf({ user_profile }: Message, user: string, names: Names): string {
  return names.get(user) ?? (user_profile?.display_name || user_profile?.real_name || user)
}

/** The text; where there is none, what blocks, attachments or the names of files say. */
function wordsOf({ text, blocks, attachments, files }: Message, names: Names): string {
  if (text?.trim()) return plainText(text, names)
  const found = blockText([...(blocks ?? []), ...(attachments ?? [])], names)
  return found === '' ? (files ?? []).map(fileName).filter(Boolean).join('\n') : found
}

function fileName(file: unknown): string {
  const { title, name } = (typeof file === 'object' && file !== null ? file : {}) as Record<string, unknown>
  return String([title, name].find((said) => typeof said === 'string' && said !== '') ?? '')
}

/** The time of an edit tells of no preview of a link, no first reply and no other name of the channel: so all that counts is hashed. */
function versionOf({ text, speaker, conversation }: ContentPart, channelName: string): string {
  const hash = createHash('sha256').update(JSON.stringify([speaker ?? '', conversation, text, channelName]))
  return hash.digest('hex').slice(0, 32)
}

/** As chat.getPermalink makes it (https://docs.slack.dev/reference/methods/chat.getPermalink), without a call for each. */
function permalink({ ts, thread_ts }: Message, { channel, teamUrl }: Where): string {
  const id = encodeURIComponent(channel)
  const thread = thread_ts && thread_ts !== ts ? `?thread_ts=${thread_ts}&cid=${id}` : ''
  return `${teamUrl}archives/${id}/p${ts.replace('.', '')}${thread}`
}

import { createHash } from 'node:crypto'
import type { TextPart } from '../../../src/documents/chunking/draft-memories.ts'
import {
  findMentions,
  findMentionsInBlocks,
  isWritten,
  type Names,
  toSlackPart
} from '../../../src/documents/formats/slack-message.ts'
import type { SeenItem } from '../port/provider.ts'
import type { Message } from './wire.ts'

/** The place of messages, the same for a whole page. `teamUrl` ends with a slash. */
export type Where = { channel: string; channelName: string; teamUrl: string }

/**
 * Converts a message to an item. Its id is `<channel>/<root>/<ts>`, where root is the first message of its thread or
 * the message itself. In text order, the messages of a thread are therefore adjacent and in order of time, and a range
 * of a channel's time is a range of ids.
 */
export function toMessageItem(message: Message, where: Where, names: Names): SeenItem {
  const id = toMessageId(where.channel, message)
  const part = toSlackPart(message, where.channel, names)
  const version = computeMessageVersion(part, where.channelName)
  const item = { id, version, place: where.channel }
  if (part.text.trim() === '') return { ...item, skipped: 'the message has no text' }
  const content = { id, version, title: where.channelName, url: toPermalink(message, where), parts: [part] }
  return { ...item, content }
}

/** Builds the id of a message; see `toMessageItem`. */
function toMessageId(channel: string, { ts, thread_ts }: Message): string {
  return `${channel}/${thread_ts ?? ts}/${ts}`
}

/** Finds the people whose names are needed to show messages. */
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

/**
 * Hashes everything that the item contains. The time of an edit would not reflect a link preview, a first reply or a
 * new channel name.
 */
function computeMessageVersion({ text, speaker, conversation }: TextPart, channelName: string): string {
  const hash = createHash('sha256').update(JSON.stringify([speaker ?? '', conversation, text, channelName]))
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

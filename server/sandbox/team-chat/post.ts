import { type Channel, freshTime, insert, type Message } from './content.ts'

/** `at`: milliseconds since 1970, whole. */
export type Post = Omit<Message, 'ts' | 'threadTs'> & { at: number }

/** Posts a message to a channel, as people and apps do. */
export function post(channel: Channel, { at, ...message }: Post): Message {
  const posted = { ...message, ts: freshTime(channel, at) }
  insert(channel.timeline, posted)
  return posted
}

export type Answer = Post & { root: string; broadcast?: boolean | undefined }

/** Answers a message in its thread. A reply that is also sent to the channel stands in both. */
export function reply(channel: Channel, { root, broadcast, at, ...message }: Answer): Message {
  const subtype = broadcast ? { subtype: 'thread_broadcast' } : {}
  const posted: Message = { ...message, ...subtype, ts: freshTime(channel, at), threadTs: root }
  const replies = channel.threads.get(root) ?? []
  insert(replies, posted)
  channel.threads.set(root, replies)
  if (broadcast) insert(channel.timeline, posted)
  return posted
}

/** What a workspace holds. Times of messages are Slack's `ts`: text whose order is that of time. */
export type Workspace = {
  team: { id: string; name: string; domain: string }
  /** The person whose account it is. */
  self: string
  people: Map<string, Person>
  channels: Map<string, Channel>
  /** Counts up, so that ids do not repeat. */
  serial: number
}

export type Person = { id: string; handle: string; realName: string; displayName: string; title: string; bot: boolean }

export type Channel = {
  id: string
  name: string
  isPrivate: boolean
  isArchived: boolean
  /** Milliseconds since 1970. */
  createdAt: number
  creator: string
  topic: string
  members: Set<string>
  /** What the channel shows, oldest first: messages, and replies that were also sent to it. */
  timeline: Message[]
  /** Replies by the `ts` of their root, oldest first. */
  threads: Map<string, Message[]>
  /** Times in microseconds that messages have or had, and from where on to look for a free one in a millisecond. */
  taken: Set<number>
  upTo: Map<number, number>
}

export type Message = {
  ts: string
  /** Of a reply: its root. */
  threadTs?: string
  subtype?: string
  user?: string
  text: string
  edited?: { user: string; ts: string }
  /** Of what an app posted. */
  botId?: string
  username?: string
  blocks?: readonly Record<string, unknown>[]
  files?: readonly { id: string; name: string; title: string }[]
}

/** Where the first message at or after a time stands. */
export function placeOf(messages: readonly Message[], ts: string): number {
  let low = 0
  let high = messages.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((messages[middle]?.ts ?? '') < ts) low = middle + 1
    else high = middle
  }
  return low
}

/** The message with a `ts` among those of a list. */
export function messageAt(messages: readonly Message[], ts: string): Message | undefined {
  const found = messages[placeOf(messages, ts)]
  return found?.ts === ts ? found : undefined
}

/** Any message of a channel, whether it is shown there or only in its thread. */
export function findMessage({ timeline, threads }: Channel, ts: string): Message | undefined {
  const shown = messageAt(timeline, ts)
  if (shown !== undefined) return shown
  for (const replies of threads.values()) {
    const reply = messageAt(replies, ts)
    if (reply !== undefined) return reply
  }
  return undefined
}

/** Puts a message where its time belongs. */
export function insert(messages: Message[], message: Message): void {
  messages.splice(placeOf(messages, message.ts), 0, message)
}

/** Takes a message out, if it is there. */
export function remove(messages: Message[], ts: string): void {
  if (messageAt(messages, ts) !== undefined) messages.splice(placeOf(messages, ts), 1)
}

/** A `ts` of a moment in milliseconds that no other message of the channel has, and none will have. */
export function freshTime({ taken, upTo }: Channel, ms: number): string {
  let micros = upTo.get(ms) ?? ms * 1000
  while (taken.has(micros)) micros += 1
  taken.add(micros)
  upTo.set(ms, micros + 1)
  const digits = String(micros).padStart(16, '0')
  return `${digits.slice(0, 10)}.${digits.slice(10)}`
}

/** An id as Slack makes them, by a letter that says of what and a number: upper-case letters and digits. */
export function idOf(letter: string, number: number): string {
  return `${letter}0${number.toString(36).toUpperCase().padStart(9, '0')}`
}

/** The content of a workspace. Times of messages are Slack's `ts`, whose text order is time order. */
export type Workspace = {
  team: { id: string; name: string; domain: string }
  /** The person who owns the account. */
  self: string
  people: Map<string, Person>
  channels: Map<string, Channel>
  /** Names of apps by id. */
  apps: Map<string, string>
  /** A counter, so that ids are unique. */
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
  /** The messages in the channel, oldest first, including replies that were also sent to it. */
  timeline: Message[]
  /** Replies by the `ts` of their root, oldest first. */
  threads: Map<string, Message[]>
  /** Times in microseconds that messages use or used, and the next candidate for each millisecond. */
  taken: Set<number>
  upTo: Map<number, number>
}

export type Message = {
  ts: string
  /** For a reply: its root. */
  threadTs?: string
  subtype?: string
  user?: string
  text: string
  edited?: { user: string; ts: string }
  /** For a message of an app. */
  botId?: string
  username?: string
  blocks?: readonly Record<string, unknown>[]
  attachments?: readonly Record<string, unknown>[]
  files?: readonly ({ id: string; name: string; title: string } & Record<string, unknown>)[]
}

/** Returns the index of the first message at or after a time. */
export function findPlace(messages: readonly Message[], ts: string): number {
  let low = 0
  let high = messages.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((messages[middle]?.ts ?? '') < ts) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the message with a `ts` in a list. */
export function messageAt(messages: readonly Message[], ts: string): Message | undefined {
  const found = messages[findPlace(messages, ts)]
  return found?.ts === ts ? found : undefined
}

/** Finds a message of a channel, in its timeline or in a thread. */
export function findMessage({ timeline, threads }: Channel, ts: string): Message | undefined {
  const shown = messageAt(timeline, ts)
  if (shown !== undefined) return shown
  for (const replies of threads.values()) {
    const reply = messageAt(replies, ts)
    if (reply !== undefined) return reply
  }
  return undefined
}

/** Inserts a message by its time. */
export function insert(messages: Message[], message: Message): void {
  messages.splice(findPlace(messages, message.ts), 0, message)
}

/** Removes a message, if it exists. */
export function remove(messages: Message[], ts: string): void {
  if (messageAt(messages, ts) !== undefined) messages.splice(findPlace(messages, ts), 1)
}

/** Returns a `ts` for a time in milliseconds that no message of the channel has used. */
function freshTime({ taken, upTo }: Channel, ms: number): string {
  let micros = upTo.get(ms) ?? ms * 1000
  while (taken.has(micros)) micros += 1
  taken.add(micros)
  upTo.set(ms, micros + 1)
  const digits = String(micros).padStart(16, '0')
  return `${digits.slice(0, 10)}.${digits.slice(10)}`
}

/** Builds an id in Slack's format from a letter for its type and a number: upper-case letters and digits. */
export function createId(letter: string, number: number): string {
  return `${letter}0${number.toString(36).toUpperCase().padStart(9, '0')}`
}

/** `at` is in whole milliseconds since 1970. */
type Post = Omit<Message, 'ts' | 'threadTs'> & { at: number }

/** Posts a message to a channel, as people and apps do. */
export function post(channel: Channel, { at, ...message }: Post): Message {
  const posted = { ...message, ts: freshTime(channel, at) }
  insert(channel.timeline, posted)
  return posted
}

type Answer = Post & { root: string; broadcast?: boolean | undefined }

/** Replies to a message in its thread. A reply that is also sent to the channel is in both. */
export function reply(channel: Channel, { root, broadcast, at, ...message }: Answer): Message {
  const subtype = broadcast ? { subtype: 'thread_broadcast' } : {}
  const posted: Message = { ...message, ...subtype, ts: freshTime(channel, at), threadTs: root }
  const replies = channel.threads.get(root) ?? []
  insert(replies, posted)
  channel.threads.set(root, replies)
  if (broadcast) insert(channel.timeline, posted)
  return posted
}

/** Creates a workspace without channels. People get ids by their place in the list; the first one owns the account. */
export function makeWorkspace(
  number: number,
  { name, domain, people }: { name: string; domain: string; people: readonly Omit<Person, 'id'>[] }
): Workspace {
  const first = number * 1000
  const all = people.map((person, at): [string, Person] => {
    const id = createId('U', first + at)
    return [id, { ...person, id }]
  })
  const [self = ''] = all.map(([id]) => id)
  const team = { id: createId('T', number), name, domain }
  const apps = new Map([[ROBOT, 'Robot']])
  return { team, self, people: new Map(all), channels: new Map(), apps, serial: first }
}

/** The app of messages with their own `username`. */
export const ROBOT = 'B0SANDBOX01'

/** Returns the id of an app, which is added if it is new. */
export function addApp({ apps }: Workspace, name: string): string {
  const known = [...apps].find(([, one]) => one === name)?.[0]
  const id = known ?? `B0SANDBOX${String(apps.size + 1).padStart(2, '0')}`
  apps.set(id, name)
  return id
}

/** Adds a file. `more` has further members of https://docs.slack.dev/reference/objects/file-object. */
export function addFile(workspace: Workspace, name: string, more: Record<string, unknown> = {}) {
  workspace.serial += 1
  return { id: createId('F', workspace.serial), name, title: name, ...more }
}

type NewChannel = {
  name: string
  isPrivate?: boolean | undefined
  topic?: string
  members: Iterable<string>
  at: number
}

/** Adds an empty channel. Its id begins with C even if it is private, as in Slack since 2021. */
export function addChannel(
  workspace: Workspace,
  { name, isPrivate = false, topic = '', members, at }: NewChannel
): Channel {
  workspace.serial += 1
  const channel: Channel = {
    id: createId('C', workspace.serial),
    name,
    isPrivate,
    isArchived: false,
    createdAt: at,
    creator: workspace.self,
    topic,
    members: new Set(members),
    timeline: [],
    threads: new Map(),
    taken: new Set(),
    upTo: new Map()
  }
  workspace.channels.set(channel.id, channel)
  return channel
}

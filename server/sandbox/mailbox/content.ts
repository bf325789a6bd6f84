import { getHeader, parseMime } from './mime.ts'

/** A mailbox in memory: its messages, and the history of what happened to them. */
export type MailboxContent = {
  messages: Map<string, StoredMessage>
  /** Threads by the `Message-ID` of their messages, so that replies find theirs. */
  threads: Map<string, string>
  /** Oldest first. */
  history: HistoryEntry[]
  /** The last history id that was given. Above 2^53 from the start: no number holds it exactly. */
  head: bigint
  /** Whoever begins below this id is told that it lies too far back. */
  reachesBackTo: bigint
  /** Messages that ever came in. */
  arrivals: number
  /** Names of labels that the account made, by id. */
  labels: Map<string, string>
}

export type StoredMessage = {
  id: string
  threadId: string
  labels: readonly string[]
  /** When it came in, in milliseconds since 1970. */
  at: number
  /** The how many-th that came in: tells apart what came at one time. */
  place: number
  /** As it came, RFC 5322. */
  raw: Uint8Array
  /** Of the last change to it. */
  historyId: bigint
}

type HistoryKind = 'messageAdded' | 'messageDeleted' | 'labelAdded' | 'labelRemoved'

export type HistoryEntry = {
  id: bigint
  kind: HistoryKind
  message: { id: string; threadId: string }
  /** All that it had after the change. */
  labels: readonly string[]
  /** Of label changes: which. */
  changed: readonly string[]
}

/** Entries that are kept. Older ones are forgotten. */
const HISTORY_ENTRIES_MAX = 20_000

const FIRST_HISTORY_ID = 9_007_199_254_741_000n

/** A mailbox without anything in it. */
export function createMailbox(): MailboxContent {
  return {
    messages: new Map(),
    threads: new Map(),
    history: [],
    head: FIRST_HISTORY_ID,
    reachesBackTo: FIRST_HISTORY_ID,
    arrivals: 0,
    labels: new Map()
  }
}

/** Puts a message in. `messageId` is the one of its header, for replies to it. */
function addMessage(
  content: MailboxContent,
  { messageId, ...made }: Omit<StoredMessage, 'historyId' | 'place'> & { messageId: string | undefined }
): StoredMessage {
  content.arrivals += 1
  const message = { ...made, place: content.arrivals, historyId: content.head }
  content.messages.set(message.id, message)
  if (messageId !== undefined) content.threads.set(messageId, message.threadId)
  note(content, { message, kind: 'messageAdded', changed: [] })
  return message
}

/** Takes a message out for good. */
export function removeMessage(content: MailboxContent, message: StoredMessage): void {
  content.messages.delete(message.id)
  note(content, { message, kind: 'messageDeleted', changed: [] })
}

/** Adds and removes labels; those that change nothing are not noted. Gives back what it has then. */
export function changeLabels(
  content: MailboxContent,
  message: StoredMessage,
  { add, remove }: { add: readonly string[]; remove: readonly string[] }
): readonly string[] {
  const added = add.filter((label) => !message.labels.includes(label))
  const removed = remove.filter((label) => message.labels.includes(label))
  message.labels = [...message.labels.filter((label) => !removed.includes(label)), ...added]
  if (added.length > 0) note(content, { message, kind: 'labelAdded', changed: added })
  if (removed.length > 0) note(content, { message, kind: 'labelRemoved', changed: removed })
  return message.labels
}

/** From now on, history that began before this moment is told to lie too far back. */
export function forgetHistory(content: MailboxContent): void {
  content.history.length = 0
  // An id of its own, so that whoever has seen everything up to now is behind as well.
  content.head += 10n
  content.reachesBackTo = content.head
}

/** Ids grow with gaps, as described for `startHistoryId` of users.history.list. */
function note(
  content: MailboxContent,
  { message, kind, changed }: { message: StoredMessage; kind: HistoryKind; changed: readonly string[] }
): void {
  const { id, threadId, labels } = message
  content.head += 1n + (BigInt(content.history.length) % 7n) * 3n
  message.historyId = content.head
  content.history.push({ id: content.head, kind, message: { id, threadId }, labels, changed })
  if (content.history.length <= HISTORY_ENTRIES_MAX) return
  const dropped = content.history.splice(0, content.history.length - HISTORY_ENTRIES_MAX)
  content.reachesBackTo = dropped.at(-1)?.id ?? content.reachesBackTo
}

/**
 * Puts a message into a mailbox as it came. It joins the thread of a message that it names as answered, unless one is given; else
 * it begins its own, whose id is its own id.
 */
export function deliver(
  content: MailboxContent,
  mail: { raw: Uint8Array; at: number; labels: readonly string[]; threadId?: string | undefined },
  random: () => number
): StoredMessage {
  const { raw, at, labels } = mail
  const tree = parseMime(raw)
  const named =
    `${getHeader(tree, 'references') ?? ''} ${getHeader(tree, 'in-reply-to') ?? ''}`.match(/<[^<>\s]+>/g) ?? []
  const thread = named.map((messageId) => content.threads.get(messageId)).find((known) => known !== undefined)
  const id = newId(content, random)
  const messageId = getHeader(tree, 'message-id')?.trim()
  return addMessage(content, { id, threadId: mail.threadId ?? thread ?? id, labels, at, raw, messageId })
}

/** 16 hexadecimal digits, as ids of messages and threads are. */
function newId(content: MailboxContent, random: () => number): string {
  for (;;) {
    const halves = [random(), random()].map((part) =>
      Math.floor(part * 2 ** 32)
        .toString(16)
        .padStart(8, '0')
    )
    const id = halves.join('')
    if (!content.messages.has(id)) return id
  }
}

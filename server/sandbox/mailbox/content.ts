import { getHeader, parseMime } from './mime.ts'

/** A mailbox in memory: its messages and their history. */
export type MailboxContent = {
  messages: Map<string, StoredMessage>
  /** Threads by the `Message-ID` of their messages, so that replies join them. */
  threads: Map<string, string>
  /** Oldest first. */
  history: HistoryEntry[]
  /** The last history id. It exceeds 2^53 from the start, so no number represents it exactly. */
  head: bigint
  /** History ids below this one are reported as too old. */
  reachesBackTo: bigint
  /** Number of messages ever received. */
  arrivals: number
  /** Names of the account's own labels, by id. */
  labels: Map<string, string>
}

export type StoredMessage = {
  id: string
  threadId: string
  labels: readonly string[]
  /** When it was received, in milliseconds since 1970. */
  at: number
  /** Its arrival number, which orders messages received at the same time. */
  place: number
  /** The original RFC 5322 message. */
  raw: Uint8Array
  /** The id of its last change. */
  historyId: bigint
}

type HistoryKind = 'messageAdded' | 'messageDeleted' | 'labelAdded' | 'labelRemoved'

export type HistoryEntry = {
  id: bigint
  kind: HistoryKind
  message: { id: string; threadId: string }
  /** All labels after the change. */
  labels: readonly string[]
  /** For a change of labels: those that changed. */
  changed: readonly string[]
}

/** Maximum number of entries. Older ones are removed. */
const HISTORY_ENTRIES_MAX = 20_000

const FIRST_HISTORY_ID = 9_007_199_254_741_000n

/** Creates an empty mailbox. */
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

/** Adds a message. `messageId` is that of its header, which replies refer to. */
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

/** Deletes a message permanently. */
export function removeMessage(content: MailboxContent, message: StoredMessage): void {
  content.messages.delete(message.id)
  note(content, { message, kind: 'messageDeleted', changed: [] })
}

/** Adds and removes labels. Only effective changes are recorded. Returns the resulting labels. */
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

/** Makes all history up to now too old to read. */
export function forgetHistory(content: MailboxContent): void {
  content.history.length = 0
  // A new id, so that a client that has seen everything is behind too.
  content.head += 10n
  content.reachesBackTo = content.head
}

/** Records a change. Ids increase with gaps, as documented for `startHistoryId` of users.history.list. */
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
 * Delivers a message. It joins the given thread or that of the message that it replies to; otherwise it starts a thread
 * with its own id.
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

/** Returns an id of 16 hexadecimal digits, the format of message and thread ids. */
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

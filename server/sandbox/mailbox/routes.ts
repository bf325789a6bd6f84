import { Buffer } from 'node:buffer'
import type { SandboxRoute } from '../core/sandbox-provider.ts'
import type { HistoryEntry, StoredMessage } from './content.ts'
import { googleError, invalidArgument, NOT_FOUND } from './errors.ts'
import {
  findMessage,
  type MailCall,
  mailRoute,
  mayRead,
  readPageSize,
  readPageToken,
  scopeError,
  writePageToken
} from './mail-call.ts'
import { looksEverywhere, type MessageTest, searchQuery } from './search-query.ts'
import { FORMATS, type Format, findAttachment, messageView } from './views.ts'

function profile({ account, mail }: MailCall): Response {
  const messages = [...mail.messages.values()]
  return Response.json({
    emailAddress: account.email,
    messagesTotal: messages.length,
    threadsTotal: new Set(messages.map(({ threadId }) => threadId)).size,
    historyId: String(mail.head)
  })
}

function messageList(call: MailCall): Response {
  const slice = listMatching(call, 'messages')
  if (slice instanceof Response) return slice
  const { found, next, total } = slice
  return Response.json({
    ...(found.length > 0 && { messages: found.map(({ id, threadId }) => ({ id, threadId })) }),
    ...(next !== undefined && { nextPageToken: next }),
    resultSizeEstimate: total
  })
}

function message(call: MailCall): Response {
  const format = readFormat(call)
  if (format instanceof Response) return format
  const found = findMessage(call, 'id')
  return found instanceof Response ? found : Response.json(messageView(found, format, listHeaderNames(call)))
}

function attachment(call: MailCall): Response {
  const found = findMessage(call, 'messageId')
  if (found instanceof Response) return found
  const bytes = findAttachment(found, call.param('id'))
  if (bytes === undefined) return invalidArgument('Invalid attachment token')
  return Response.json({ size: bytes.length, data: Buffer.from(bytes).toString('base64url') })
}

/** Lists threads, each at the place of its newest message. */
function threadList(call: MailCall): Response {
  const slice = listMatching(call, 'threads', (found) => {
    const seen = new Set<string>()
    return found.filter(({ threadId }) => !seen.has(threadId) && seen.add(threadId))
  })
  if (slice instanceof Response) return slice
  const { found, next, total } = slice
  const threads = found.map((newest) => {
    const { snippet, historyId } = messageView(newest, 'minimal', [])
    return { id: newest.threadId, snippet, historyId }
  })
  return Response.json({
    ...(threads.length > 0 && { threads }),
    ...(next !== undefined && { nextPageToken: next }),
    resultSizeEstimate: total
  })
}

function thread(call: MailCall): Response {
  const format = readFormat(call)
  if (format instanceof Response) return format
  if (format === 'raw') return invalidArgument('Invalid value at format')
  const id = call.param('id')
  const messages = [...call.mail.messages.values()].filter(({ threadId }) => threadId === id).sort(oldestFirst)
  if (messages.length === 0) return googleError(NOT_FOUND)
  const last = messages.map(({ historyId }) => historyId).toSorted((a, b) => (a < b ? 1 : -1))[0]
  const views = messages.map((one) => messageView(one, format, listHeaderNames(call)))
  return Response.json({ id, historyId: String(last), messages: views })
}

function readFormat(call: MailCall): Format | Response {
  const said = (call.query.get('format') ?? 'full').toLowerCase()
  const format = FORMATS.find((known) => known === said)
  if (format === undefined) return invalidArgument('Invalid value at format')
  return (format === 'full' || format === 'raw') && !mayRead(call) ? scopeError() : format
}

function listHeaderNames({ query }: MailCall): string[] {
  return query.getAll('metadataHeaders')
}

function oldestFirst(a: StoredMessage, b: StoredMessage): number {
  return a.at - b.at || a.place - b.place
}

/** The history since a history id: users.history.list of the reference. */
const HISTORY_ROUTE: SandboxRoute = mailRoute(
  { path: '/history', operation: 'gmail.users.history.list', needs: 'looking' },
  historyPage
)

const MEMBERS = {
  messageAdded: 'messagesAdded',
  messageDeleted: 'messagesDeleted',
  labelAdded: 'labelsAdded',
  labelRemoved: 'labelsRemoved'
} as const

function historyPage(call: MailCall): Response {
  const { query, mail } = call
  const size = readPageSize(query)
  const start = query.get('startHistoryId') ?? ''
  const token = query.get('pageToken')
  const place = token === null ? [start] : readPageToken('history', token)
  const kinds = query.getAll('historyTypes')
  if (size === undefined) return invalidArgument('Invalid value at maxResults')
  if (start === '') return invalidArgument('Missing required parameter: startHistoryId')
  if (!/^\d{1,20}$/.test(start)) return invalidArgument('Invalid value at startHistoryId')
  if (place?.[0] === undefined) return invalidArgument('Invalid pageToken')
  if (!kinds.every((kind) => kind in MEMBERS)) return invalidArgument('Invalid value at historyTypes')
  // Refuses a future id too, for example one from a mailbox before a restart.
  if (BigInt(start) < mail.reachesBackTo || BigInt(start) > mail.head) return googleError(NOT_FOUND)
  const { entries, head } = readHistory(call)
  const from = entriesAfter(call, { entries, after: BigInt(place[0]), kinds })
  const found = from.slice(0, size)
  const next = from.length > size ? writePageToken('history', [String(found.at(-1)?.id)]) : undefined
  const repeated = call.fault('repeat_cursor') === undefined ? undefined : (token ?? next)
  return Response.json({
    ...(found.length > 0 && { history: found.map(toRecord) }),
    ...((repeated ?? next) !== undefined && { nextPageToken: repeated ?? next }),
    historyId: String(head)
  })
}

/** Returns the history that this replica knows: all of it, or with the fault `lag` all but the last entries. */
function readHistory({ mail, fault }: MailCall): { entries: readonly HistoryEntry[]; head: bigint } {
  const lag = fault('lag')?.value ?? 0
  if (lag === 0) return { entries: mail.history, head: mail.head }
  const entries = mail.history.slice(0, Math.max(0, mail.history.length - lag))
  return { entries, head: entries.at(-1)?.id ?? mail.reachesBackTo }
}

function entriesAfter(
  { query }: MailCall,
  { entries, after, kinds }: { entries: readonly HistoryEntry[]; after: bigint; kinds: readonly string[] }
): HistoryEntry[] {
  const label = query.get('labelId')
  return entries.filter(
    (entry) =>
      entry.id > after &&
      (kinds.length === 0 || kinds.includes(entry.kind)) &&
      (label === null || entry.labels.includes(label) || entry.changed.includes(label))
  )
}

function toRecord({ id, kind, message, labels, changed }: HistoryEntry): Record<string, unknown> {
  const about = { message: { ...message, labelIds: labels }, ...(changed.length > 0 && { labelIds: changed }) }
  return { id: String(id), messages: [message], [MEMBERS[kind]]: [about] }
}

/** Labels in the format of users.labels.list and users.labels.get. */
const LABEL_ROUTES: readonly SandboxRoute[] = [
  mailRoute({ path: '/labels', operation: 'gmail.users.labels.list', needs: 'looking' }, (call) =>
    Response.json({ labels: listLabels(call) })
  ),
  mailRoute({ path: '/labels/{id}', operation: 'gmail.users.labels.get', needs: 'looking' }, label)
]

/** developers.google.com/workspace/gmail/api/guides/labels */
export const SYSTEM_LABELS = [
  'INBOX',
  'SENT',
  'DRAFT',
  'SPAM',
  'TRASH',
  'UNREAD',
  'STARRED',
  'IMPORTANT',
  'CHAT',
  'CATEGORY_PERSONAL',
  'CATEGORY_SOCIAL',
  'CATEGORY_PROMOTIONS',
  'CATEGORY_UPDATES',
  'CATEGORY_FORUMS'
] as const

type Label = { id: string; name: string; type: 'system' | 'user' }

function listLabels({ mail }: MailCall): Label[] {
  return [
    ...SYSTEM_LABELS.map((id): Label => ({ id, name: id, type: 'system' })),
    ...[...mail.labels].map(([id, name]): Label => ({ id, name, type: 'user' }))
  ]
}

function label(call: MailCall): Response {
  const found = listLabels(call).find(({ id }) => id === call.param('id'))
  if (found === undefined) return googleError(NOT_FOUND)
  const messages = [...call.mail.messages.values()].filter(({ labels }) => labels.includes(found.id))
  const unread = messages.filter(({ labels }) => labels.includes('UNREAD'))
  const threads = (of: typeof messages) => new Set(of.map(({ threadId }) => threadId)).size
  return Response.json({
    ...found,
    messagesTotal: messages.length,
    messagesUnread: unread.length,
    threadsTotal: threads(messages),
    threadsUnread: threads(unread)
  })
}

type Slice = { found: readonly StoredMessage[]; next: string | undefined; total: number }

/**
 * Returns a page of a list, newest first, or the refusal. `pick` reduces the matches to the entries of the list.
 * Implements two faults: `lag` omits the last arrivals, and `repeat_cursor` returns the current page token as the next
 * one.
 */
function listMatching(
  call: MailCall,
  kind: string,
  pick: (found: StoredMessage[]) => StoredMessage[] = (found) => found
): Slice | Response {
  const { query } = call
  const size = readPageSize(query)
  const token = query.get('pageToken')
  const place = token === null ? [] : readPageToken(kind, token)
  const test = parseTest(call)
  if (size === undefined) return invalidArgument('Invalid value at maxResults')
  if (place === undefined) return invalidArgument('Invalid pageToken')
  if (test instanceof Response) return test
  const arrived = [...call.mail.messages.values()]
  const known = arrived.slice(0, Math.max(0, arrived.length - (call.fault('lag')?.value ?? 0)))
  const shown = pick(known.filter(test).sort(newestFirst))
  const from = token === null ? shown : shown.filter((message) => isBehind(message, place))
  const found = from.slice(0, size)
  const last = found.at(-1)
  const more = from.length > found.length && last !== undefined
  const next = more ? writePageToken(kind, [String(last.at), String(last.place)]) : undefined
  const repeated = call.fault('repeat_cursor') === undefined ? undefined : (token ?? next)
  return { found, next: repeated ?? next, total: shown.length }
}

function parseTest(call: MailCall): MessageTest | Response {
  const { query } = call
  const q = query.get('q') ?? ''
  if (q !== '' && !mayRead(call)) return invalidArgument("Metadata scope does not support 'q' parameter")
  const asked = searchQuery(q)
  if (asked === undefined) return invalidArgument('The sandbox does not support an operator of q')
  const labels = query.getAll('labelIds')
  const hidden = ['SPAM', 'TRASH'].filter((label) => !labels.includes(label))
  const all = query.get('includeSpamTrash') === 'true' || looksEverywhere(q)
  return (message) =>
    labels.every((label) => message.labels.includes(label)) &&
    (all || !hidden.some((label) => message.labels.includes(label))) &&
    asked(message)
}

function newestFirst(a: StoredMessage, b: StoredMessage): number {
  return b.at - a.at || b.place - a.place
}

/**
 * Reports whether a message follows a place. A page begins after the last message of the previous one, even if that no
 * longer exists.
 */
function isBehind({ at, place }: StoredMessage, [time, after]: readonly string[]): boolean {
  return at < Number(time) || (at === Number(time) && place < Number(after))
}

/**
 * The implemented part of gmail v1, by its discovery document: everything that reads messages, threads, labels and
 * history.
 */
export const ROUTES: readonly SandboxRoute[] = [
  mailRoute({ path: '/profile', operation: 'gmail.users.getProfile', needs: 'looking' }, profile),
  mailRoute({ path: '/messages', operation: 'gmail.users.messages.list', needs: 'looking' }, messageList),
  mailRoute({ path: '/messages/{id}', operation: 'gmail.users.messages.get', needs: 'looking' }, message),
  mailRoute(
    {
      path: '/messages/{messageId}/attachments/{id}',
      operation: 'gmail.users.messages.attachments.get',
      needs: 'reading'
    },
    attachment
  ),
  mailRoute({ path: '/threads', operation: 'gmail.users.threads.list', needs: 'looking' }, threadList),
  mailRoute({ path: '/threads/{id}', operation: 'gmail.users.threads.get', needs: 'looking' }, thread),
  HISTORY_ROUTE,
  ...LABEL_ROUTES
]

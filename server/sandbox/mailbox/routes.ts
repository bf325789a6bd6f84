import { Buffer } from 'node:buffer'
import type { StandInRoute } from '../stand-in.ts'
import type { StoredMessage } from './content.ts'
import { googleError, invalidArgument, NOT_FOUND } from './google-error.ts'
import { HISTORY_ROUTE } from './history-route.ts'
import { LABEL_ROUTES } from './label-routes.ts'
import { listing } from './listing.ts'
import { type MailCall, mailRoute, mayRead, messageOf, withoutScope } from './mail-call.ts'
import { attachmentOf, FORMATS, type Format, messageView } from './message-views.ts'

/** What of gmail v1 is here, by its discovery document: all that reads messages, threads, labels and history. */
export const MAIL_ROUTES: readonly StandInRoute[] = [
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
  const slice = listing(call, 'messages')
  if (slice instanceof Response) return slice
  const { found, next, total } = slice
  return Response.json({
    ...(found.length > 0 && { messages: found.map(({ id, threadId }) => ({ id, threadId })) }),
    ...(next !== undefined && { nextPageToken: next }),
    resultSizeEstimate: total
  })
}

function message(call: MailCall): Response {
  const format = formatOf(call)
  if (format instanceof Response) return format
  const found = messageOf(call, 'id')
  return found instanceof Response ? found : Response.json(messageView(found, format, namedHeaders(call)))
}

function attachment(call: MailCall): Response {
  const found = messageOf(call, 'messageId')
  if (found instanceof Response) return found
  const bytes = attachmentOf(found, call.param('id'))
  if (bytes === undefined) return invalidArgument('Invalid attachment token')
  return Response.json({ size: bytes.length, data: Buffer.from(bytes).toString('base64url') })
}

/** A thread stands where its newest message does. */
function threadList(call: MailCall): Response {
  const slice = listing(call, 'threads', (found) => {
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
  const format = formatOf(call)
  if (format instanceof Response) return format
  if (format === 'raw') return invalidArgument('Invalid value at format')
  const id = call.param('id')
  const messages = [...call.mail.messages.values()].filter(({ threadId }) => threadId === id).sort(oldestFirst)
  if (messages.length === 0) return googleError(NOT_FOUND)
  const last = messages.map(({ historyId }) => historyId).toSorted((a, b) => (a < b ? 1 : -1))[0]
  const views = messages.map((one) => messageView(one, format, namedHeaders(call)))
  return Response.json({ id, historyId: String(last), messages: views })
}

function formatOf(call: MailCall): Format | Response {
  const said = (call.query.get('format') ?? 'full').toLowerCase()
  const format = FORMATS.find((known) => known === said)
  if (format === undefined) return invalidArgument('Invalid value at format')
  return (format === 'full' || format === 'raw') && !mayRead(call) ? withoutScope() : format
}

function namedHeaders({ query }: MailCall): string[] {
  return query.getAll('metadataHeaders')
}

function oldestFirst(a: StoredMessage, b: StoredMessage): number {
  return a.at - b.at || a.place - b.place
}

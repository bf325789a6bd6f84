import type { StandInRoute } from '../stand-in.ts'
import type { HistoryEntry } from './content.ts'
import { googleError, invalidArgument, NOT_FOUND } from './google-error.ts'
import { type MailCall, mailRoute } from './mail-call.ts'
import { pageSize, pageToken, placeOf } from './page-token.ts'

/** What happened since a place in the history: users.history.list of the reference. */
export const HISTORY_ROUTE: StandInRoute = mailRoute(
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
  const size = pageSize(query)
  const start = query.get('startHistoryId') ?? ''
  const token = query.get('pageToken')
  const place = token === null ? [start] : placeOf('history', token)
  const kinds = query.getAll('historyTypes')
  if (size === undefined) return invalidArgument('Invalid value at maxResults')
  if (start === '') return invalidArgument('Missing required parameter: startHistoryId')
  if (!/^\d{1,20}$/.test(start)) return invalidArgument('Invalid value at startHistoryId')
  if (place?.[0] === undefined) return invalidArgument('Invalid pageToken')
  if (!kinds.every((kind) => kind in MEMBERS)) return invalidArgument('Invalid value at historyTypes')
  // Also one that is still to come: of a mailbox that was there before a restart, for one.
  if (BigInt(start) < mail.reachesBackTo || BigInt(start) > mail.head) return googleError(NOT_FOUND)
  const { entries, head } = knownHistory(call)
  const from = entriesAfter(call, { entries, after: BigInt(place[0]), kinds })
  const found = from.slice(0, size)
  const next = from.length > size ? pageToken('history', [String(found.at(-1)?.id)]) : undefined
  const repeated = call.fault('repeat_cursor') === undefined ? undefined : (token ?? next)
  return Response.json({
    ...(found.length > 0 && { history: found.map(recordOf) }),
    ...((repeated ?? next) !== undefined && { nextPageToken: repeated ?? next }),
    historyId: String(head)
  })
}

/** What this copy of the mailbox has heard of: all, or by the fault `lag` all but the last that many. */
function knownHistory({ mail, fault }: MailCall): { entries: readonly HistoryEntry[]; head: bigint } {
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

function recordOf({ id, kind, message, labels, changed }: HistoryEntry): Record<string, unknown> {
  const about = { message: { ...message, labelIds: labels }, ...(changed.length > 0 && { labelIds: changed }) }
  return { id: String(id), messages: [message], [MEMBERS[kind]]: [about] }
}

import type { StandInRoute } from '../stand-in.ts'
import { googleError, NOT_FOUND } from './google-error.ts'
import { type MailCall, mailRoute } from './mail-call.ts'

/** Labels as users.labels.list and users.labels.get show them. */
export const LABEL_ROUTES: readonly StandInRoute[] = [
  mailRoute({ path: '/labels', operation: 'gmail.users.labels.list', needs: 'looking' }, (call) =>
    Response.json({ labels: labelsOf(call) })
  ),
  mailRoute({ path: '/labels/{id}', operation: 'gmail.users.labels.get', needs: 'looking' }, label)
]

/** developers.google.com/workspace/gmail/api/guides/labels */
export const SYSTEM_LABELS = [
  ...['INBOX', 'SENT', 'DRAFT', 'SPAM', 'TRASH', 'UNREAD', 'STARRED', 'IMPORTANT', 'CHAT'],
  ...['CATEGORY_PERSONAL', 'CATEGORY_SOCIAL', 'CATEGORY_PROMOTIONS', 'CATEGORY_UPDATES', 'CATEGORY_FORUMS']
] as const

type Label = { id: string; name: string; type: 'system' | 'user' }

function labelsOf({ mail }: MailCall): Label[] {
  return [
    ...SYSTEM_LABELS.map((id): Label => ({ id, name: id, type: 'system' })),
    ...[...mail.labels].map(([id, name]): Label => ({ id, name, type: 'user' }))
  ]
}

function label(call: MailCall): Response {
  const found = labelsOf(call).find(({ id }) => id === call.param('id'))
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

import { masked, readMask } from '../google-mask.ts'
import { wrongParameter } from '../google-published.ts'
import type { StandInAccount, StandInCall, StandInRoute } from '../stand-in.ts'
import type { MailboxContent, StoredMessage } from './content.ts'
import { googleError, invalidArgument, NOT_FOUND } from './google-error.ts'
import { GMAIL_PUBLISHED } from './published.ts'

/** A call for the mailbox of the token's account. */
export type MailCall = StandInCall & { mail: MailboxContent; param(name: string): string }

const READING = [
  'https://www.googleapis.com/auth/gmail.readonly',
  'https://www.googleapis.com/auth/gmail.modify',
  'https://mail.google.com/'
]

/** Who may see names and labels of messages may not read them (developers.google.com/workspace/gmail/api/auth/scopes). */
const LOOKING = [...READING, 'https://www.googleapis.com/auth/gmail.metadata']

/** The mailbox of an account. */
export function mailOf(account: StandInAccount): MailboxContent {
  return account.content as MailboxContent
}

/** A route that a token with a scope for reading, or also one for looking only, may use for its own account. */
export function mailRoute(
  { path, operation, needs }: { path: string; operation: string; needs: 'reading' | 'looking' },
  answer: (call: MailCall) => Response
): StandInRoute {
  const allowed = needs === 'reading' ? READING : LOOKING
  return {
    method: 'GET',
    path: `/gmail/v1/users/{userId}${path}`,
    operation,
    async answer(call) {
      if (!call.scopes.some((scope) => allowed.includes(scope))) return withoutScope()
      const { userId = '' } = call.params
      if (userId !== 'me' && userId.toLowerCase() !== call.account.email.toLowerCase()) return notYours(call.account)
      const wrong = wrongParameter(GMAIL_PUBLISHED, operation, call.query)
      if (wrong?.parameter === 'fields') return invalidArgument(`Invalid field selection ${wrong.value}`)
      if (wrong !== undefined) return invalidArgument(`Invalid value at ${wrong.parameter}`)
      const reply = answer({ ...call, mail: mailOf(call.account), param: (name) => call.params[name] ?? '' })
      return await partial(call.query.get('fields'), reply)
    }
  }
}

/** A reply with the members that were asked for. */
async function partial(fields: string | null, reply: Response): Promise<Response> {
  if (fields === null || reply.status !== 200) return reply
  const mask = fields === '*' ? 'all' : readMask(fields)
  if (mask === undefined) return invalidArgument(`Invalid field selection ${fields.slice(0, 100)}`)
  return Response.json(masked(await reply.json(), mask))
}

/** Whether a call may also read what a message says. */
export function mayRead({ scopes }: MailCall): boolean {
  return scopes.some((scope) => READING.includes(scope))
}

/** The refusal of a token whose scopes do not allow a call. */
export function withoutScope(): Response {
  return googleError({
    status: 403,
    message: 'Request had insufficient authentication scopes.',
    reason: 'insufficientPermissions',
    detail: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT'
  })
}

/** The message that a parameter names, or the refusal. */
export function messageOf({ mail, param }: MailCall, name: string): StoredMessage | Response {
  return mail.messages.get(param(name)) ?? googleError(NOT_FOUND)
}

function notYours({ email }: StandInAccount): Response {
  return googleError({ status: 403, message: `Delegation denied for ${email}`, reason: 'forbidden' })
}

import { Buffer } from 'node:buffer'
import type { SandboxAccount, SandboxCall, SandboxRoute } from '../core/sandbox-provider.ts'
import { applyMask, readMask } from '../google/mask.ts'
import { wrongParameter } from '../google/published-api.ts'
import type { MailboxContent, StoredMessage } from './content.ts'
import { googleError, invalidArgument, NOT_FOUND } from './errors.ts'
import { PUBLISHED } from './published.ts'

/** A call for the mailbox of the token's account. */
export type MailCall = SandboxCall & { mail: MailboxContent; param(name: string): string }

const READING = [
  'https://www.googleapis.com/auth/gmail.readonly',
  'https://www.googleapis.com/auth/gmail.modify',
  'https://mail.google.com/'
]

/** Who may see names and labels of messages may not read them (developers.google.com/workspace/gmail/api/auth/scopes). */
const LOOKING = [...READING, 'https://www.googleapis.com/auth/gmail.metadata']

/** The mailbox of an account. */
export function getMail(account: SandboxAccount): MailboxContent {
  return account.content as MailboxContent
}

/** A route that a token with a scope for reading, or also one for looking only, may use for its own account. */
export function mailRoute(
  { path, operation, needs }: { path: string; operation: string; needs: 'reading' | 'looking' },
  answer: (call: MailCall) => Response
): SandboxRoute {
  const allowed = needs === 'reading' ? READING : LOOKING
  return {
    method: 'GET',
    path: `/gmail/v1/users/{userId}${path}`,
    operation,
    async answer(call) {
      if (!call.scopes.some((scope) => allowed.includes(scope))) return scopeError()
      const { userId = '' } = call.params
      if (userId !== 'me' && userId.toLowerCase() !== call.account.email.toLowerCase()) return notYours(call.account)
      const wrong = wrongParameter(PUBLISHED, operation, call.query)
      if (wrong?.parameter === 'fields') return invalidArgument(`Invalid field selection ${wrong.value}`)
      if (wrong !== undefined) return invalidArgument(`Invalid value at ${wrong.parameter}`)
      const reply = answer({ ...call, mail: getMail(call.account), param: (name) => call.params[name] ?? '' })
      return await partial(call.query.get('fields'), reply)
    }
  }
}

/** A reply with the members that were asked for. */
async function partial(fields: string | null, reply: Response): Promise<Response> {
  if (fields === null || reply.status !== 200) return reply
  const mask = fields === '*' ? 'all' : readMask(fields)
  if (mask === undefined) return invalidArgument(`Invalid field selection ${fields.slice(0, 100)}`)
  return Response.json(applyMask(await reply.json(), mask))
}

/** Whether a call may also read what a message says. */
export function mayRead({ scopes }: MailCall): boolean {
  return scopes.some((scope) => READING.includes(scope))
}

/** The refusal of a token whose scopes do not allow a call. */
export function scopeError(): Response {
  return googleError({
    status: 403,
    message: 'Request had insufficient authentication scopes.',
    reason: 'insufficientPermissions',
    detail: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT'
  })
}

/** The message that a parameter names, or the refusal. */
export function findMessage({ mail, param }: MailCall, name: string): StoredMessage | Response {
  return mail.messages.get(param(name)) ?? googleError(NOT_FOUND)
}

function notYours({ email }: SandboxAccount): Response {
  return googleError({ status: 403, message: `Delegation denied for ${email}`, reason: 'forbidden' })
}

/** A place in a list, as an opaque text. It holds the place itself, so that it outlives this process. */
export function writePageToken(kind: string, place: readonly string[]): string {
  return Buffer.from(JSON.stringify([kind, ...place])).toString('base64url')
}

/** The place that a token of a kind names; undefined for what is none. */
export function readPageToken(kind: string, token: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString())
    if (!Array.isArray(value) || !value.every((part) => typeof part === 'string')) return undefined
    const [found, ...place] = value
    return found === kind ? place : undefined
  } catch {
    return undefined
  }
}

/** How many are asked for: 100 where nothing is said, at most 500; undefined for what is no such number. */
export function readPageSize(query: URLSearchParams): number | undefined {
  const said = query.get('maxResults') ?? '100'
  return /^\d{1,9}$/.test(said) ? Math.min(Math.max(Number(said), 1), PAGE_SIZE_MAX) : undefined
}

const PAGE_SIZE_MAX = 500

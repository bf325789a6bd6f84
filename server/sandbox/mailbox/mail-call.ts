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

/**
 * Scopes for names and labels of messages, which may exclude their content
 * (developers.google.com/workspace/gmail/api/auth/scopes).
 */
const LOOKING = [...READING, 'https://www.googleapis.com/auth/gmail.metadata']

/** Returns the mailbox of an account. */
export function getMail(account: SandboxAccount): MailboxContent {
  return account.content as MailboxContent
}

/** Creates a route for the token's own account that requires a scope for reading, or accepts one for metadata. */
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

/** Reduces a reply to the requested members. */
async function partial(fields: string | null, reply: Response): Promise<Response> {
  if (fields === null || reply.status !== 200) return reply
  const mask = fields === '*' ? 'all' : readMask(fields)
  if (mask === undefined) return invalidArgument(`Invalid field selection ${fields.slice(0, 100)}`)
  return Response.json(applyMask(await reply.json(), mask))
}

/** Reports whether a call may read the content of messages. */
export function mayRead({ scopes }: MailCall): boolean {
  return scopes.some((scope) => READING.includes(scope))
}

/** Builds the refusal of a token whose scopes do not allow a call. */
export function scopeError(): Response {
  return googleError({
    status: 403,
    message: 'Request had insufficient authentication scopes.',
    reason: 'insufficientPermissions',
    detail: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT'
  })
}

/** Finds the message that a parameter names, or returns the refusal. */
export function findMessage({ mail, param }: MailCall, name: string): StoredMessage | Response {
  return mail.messages.get(param(name)) ?? googleError(NOT_FOUND)
}

function notYours({ email }: SandboxAccount): Response {
  return googleError({ status: 403, message: `Delegation denied for ${email}`, reason: 'forbidden' })
}

/** Builds an opaque token for a place in a list. It contains the place itself, so that it survives a restart. */
export function writePageToken(kind: string, place: readonly string[]): string {
  return Buffer.from(JSON.stringify([kind, ...place])).toString('base64url')
}

/** Parses a page token of a kind, or returns undefined if it is invalid. */
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

/** Parses the page size: 100 by default, at most 500. Returns undefined for an invalid number. */
export function readPageSize(query: URLSearchParams): number | undefined {
  const said = query.get('maxResults') ?? '100'
  return /^\d{1,9}$/.test(said) ? Math.min(Math.max(Number(said), 1), PAGE_SIZE_MAX) : undefined
}

const PAGE_SIZE_MAX = 500

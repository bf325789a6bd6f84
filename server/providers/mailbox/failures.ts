import * as z from 'zod'
import type { Replied } from '../http/ask.ts'
import { describeForeignReply, nameSource, parseJson, parseValue } from '../http/parse-value.ts'
import { readRetryAfter } from '../http/read-retry-after.ts'
import { type FailureKind, ProviderFailure } from '../port/provider-failure.ts'
import { FACTS } from './facts.ts'

/** The subject of a call, which decides what a 404 or a 400 means. */
export type About = {
  /** Its name in messages, such as `the list of messages`. */
  what: string
  /** The failure kind of a missing resource. */
  missing?: 'item_gone' | 'cursor_invalid'
  /** The call used a token from an earlier page. */
  fromToken?: boolean
}

/**
 * Parses the value of a reply.
 *
 * @throws ProviderFailure for a refusal, or if the reply does not match its schema.
 */
export function parseReply<S extends z.ZodType>(replied: Replied, schema: S, about: About): z.output<S> {
  if (replied.status !== 200) throw toFailure(replied, about)
  return parseValue(replied, schema, { what: about.what, service })
}

const { service } = FACTS

/**
 * Classifies a refusal. Statuses, reasons and their format:
 * developers.google.com/workspace/gmail/api/guides/handle-errors; `details` as in google.rpc.ErrorInfo
 * (cloud.google.com/apis/design/errors).
 */
export function toFailure(replied: Replied, about: About): ProviderFailure {
  const refusal = parseRefusal(replied)
  const { kind, why } = classifyReply(replied, refusal, about)
  const said = [replied.status, refusal.reason].filter(Boolean).join(' ')
  const wait = kind === 'rate_limited' || kind === 'transient' ? readWait(replied) : {}
  return new ProviderFailure(kind, `${about.what}: ${why}${nameSource(kind, replied)} (${said})`, wait)
}

type Meaning = { kind: FailureKind; why: string }

type Refusal = { reason: string; described: boolean }

function classifyReply(replied: Replied, refusal: Refusal, about: About): Meaning {
  const { status } = replied
  if (status === 401) return { kind: 'auth_expired', why: 'Gmail does not accept the access token' }
  if (status === 429) return TOO_MANY
  if (status === 408 || status >= 500) return NO_ANSWER
  // The reply comes from an intermediary. It says nothing about the request, and a retry may succeed.
  if (!refusal.described) return { kind: 'transient', why: describeForeignReply(replied, service) }
  return classifyRefusal(status, refusal, about)
}

function classifyRefusal(status: number, refusal: Refusal, { missing, fromToken }: About): Meaning {
  if (PASSING.has(refusal.reason)) return NO_ANSWER
  if (status === 403) return classifyForbidden(refusal)
  if (status === 404 || status === 410) return missing === undefined ? UNEXPECTED : classifyMissing(refusal, missing)
  if (status === 400 && refusal.reason === 'failedPrecondition')
    return { kind: 'scope_missing', why: 'the account has no mailbox; connect an account that has one' }
  if (status === 400 && fromToken === true)
    return { kind: 'cursor_invalid', why: 'Gmail no longer accepts the page token' }
  return UNEXPECTED
}

const UNEXPECTED: Meaning = { kind: 'contract_broken', why: 'Gmail sent an undocumented response' }

const TOO_MANY: Meaning = { kind: 'rate_limited', why: 'Gmail limits the number of calls' }

const NO_ANSWER: Meaning = { kind: 'transient', why: 'Gmail could not respond' }

/** Classifies a missing message. Only Google's own reasons count, because the sync deletes messages that are gone. */
function classifyMissing({ reason }: Refusal, missing: 'item_gone' | 'cursor_invalid'): Meaning {
  return missing === 'item_gone' && !GONE.has(reason) ? NO_ANSWER : MISSING[missing]
}

/** `deleted` has status 410. */
const GONE: ReadonlySet<string> = new Set(['notFound', 'deleted'])

/** Errors of Gmail itself, whatever the status. */
const PASSING: ReadonlySet<string> = new Set(['backendError', 'internalError', 'UNAVAILABLE', 'INTERNAL'])

const MISSING: Readonly<Record<'item_gone' | 'cursor_invalid', Meaning>> = {
  item_gone: { kind: 'item_gone', why: 'Gmail no longer has it' },
  cursor_invalid: { kind: 'cursor_invalid', why: 'the history of Gmail does not reach back that far' }
}

function classifyForbidden({ reason }: Refusal): Meaning {
  if (LIMITS.has(reason)) return TOO_MANY
  return { kind: 'scope_missing', why: BARRED[reason] ?? 'the consent does not permit this; connect the account again' }
}

const LIMITS: ReadonlySet<string> = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'dailyLimitExceeded',
  'dailyLimitExceededUnreg',
  'quotaExceeded',
  'concurrentLimitExceeded',
  'limitExceeded',
  'RATE_LIMIT_EXCEEDED',
  'RESOURCE_EXHAUSTED'
])

const NOT_ENABLED = 'the Gmail API is not enabled for the client of this server; its admin can enable it'

const BARRED: Readonly<Record<string, string>> = {
  domainPolicy: 'the organization of the account does not permit this client; its admin can change that',
  accessNotConfigured: NOT_ENABLED,
  SERVICE_DISABLED: NOT_ENABLED
}

const ErrorReply = z.looseObject({
  error: z.looseObject({
    errors: z.array(z.looseObject({ reason: z.string().optional() })).default([]),
    details: z.array(z.looseObject({ reason: z.string().optional() })).default([]),
    status: z.string().optional()
  })
})

/** Parses the first reason: from the older list of errors, then the newer details, then the general status. */
function parseRefusal({ bytes }: Replied): Refusal {
  const parsed = ErrorReply.safeParse(parseJson(bytes))
  if (!parsed.success) return { reason: '', described: false }
  const { errors, details, status } = parsed.data.error
  const said =
    [...errors, ...details].map(({ reason }) => reason).find((reason) => reason !== undefined) ?? status ?? ''
  return { reason: /^[A-Za-z_]{1,60}$/.test(said) ? said : '', described: true }
}

function readWait({ headers, receivedAt }: Replied): { retryAfterMs: number | undefined } {
  return { retryAfterMs: readRetryAfter(headers, receivedAt) }
}

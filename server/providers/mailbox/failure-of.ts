import * as z from 'zod'
import type { Replied } from '../http/ask.ts'
import { describedValue, jsonOf } from '../http/described-value.ts'
import { retryAfterMs } from '../http/retry-after.ts'
import { type FailureKind, ProviderFailure } from '../provider-failure.ts'

/** What a call was about: it says what a 404 or a 400 means. */
export type About = {
  /** For messages, as in `the list of messages`. */
  what: string
  /** What it means that there is no such thing. */
  missing?: 'item_gone' | 'cursor_invalid'
  /** The call went on from a token that an earlier page gave. */
  fromToken?: boolean
}

/**
 * The value of a reply.
 *
 * @throws ProviderFailure for a refusal, or where it is not what its schema describes.
 */
export function repliedValue<S extends z.ZodType>(replied: Replied, schema: S, about: About): z.output<S> {
  if (replied.status !== 200) throw failureOf(replied, about)
  return describedValue(replied, schema, about.what)
}

/**
 * What a refusal means. Statuses, reasons and their shape: developers.google.com/workspace/gmail/api/guides/handle-errors;
 * `details` as in google.rpc.ErrorInfo (cloud.google.com/apis/design/errors).
 */
export function failureOf(replied: Replied, about: About): ProviderFailure {
  const refusal = refusalOf(replied)
  const { kind, why } = byStatus(replied.status, refusal, about)
  const wait = kind === 'rate_limited' || kind === 'transient' ? waitOf(replied) : {}
  return new ProviderFailure(
    kind,
    `${about.what}: ${why} (${[replied.status, refusal.reason].filter(Boolean).join(' ')})`,
    wait
  )
}

type Meaning = { kind: FailureKind; why: string }

type Refusal = { reason: string; described: boolean }

function byStatus(status: number, refusal: Refusal, { missing, fromToken }: About): Meaning {
  if (status === 401) return { kind: 'auth_expired', why: 'Gmail does not accept the access token' }
  if (status === 403) return forbidden(refusal)
  if (status === 404 || status === 410) return missing === undefined ? UNEXPECTED : MISSING[missing]
  if (status === 429) return TOO_MANY
  if (status === 408 || status >= 500) return { kind: 'transient', why: 'Gmail could not answer' }
  if (status === 400 && refusal.reason === 'failedPrecondition')
    return { kind: 'scope_missing', why: 'the account has no mailbox; connect one that has' }
  if (status === 400 && fromToken === true)
    return { kind: 'cursor_invalid', why: 'Gmail does not know the next page any more' }
  return UNEXPECTED
}

const UNEXPECTED: Meaning = { kind: 'contract_broken', why: 'an answer that Gmail does not describe' }

const TOO_MANY: Meaning = { kind: 'rate_limited', why: 'more calls than Gmail allows' }

const MISSING: Readonly<Record<'item_gone' | 'cursor_invalid', Meaning>> = {
  item_gone: { kind: 'item_gone', why: 'Gmail does not have it any more' },
  cursor_invalid: { kind: 'cursor_invalid', why: 'Gmail does not reach back that far' }
}

/** A 403 that is no refusal of Gmail's own comes from something in between, and may pass. */
function forbidden({ reason, described }: Refusal): Meaning {
  if (LIMITS.has(reason)) return TOO_MANY
  if (!described) return { kind: 'transient', why: 'refused by something that is not Gmail' }
  return { kind: 'scope_missing', why: BARRED[reason] ?? 'the consent does not allow it; connect the account again' }
}

const LIMITS: ReadonlySet<string> = new Set([
  ...['rateLimitExceeded', 'userRateLimitExceeded', 'dailyLimitExceeded', 'dailyLimitExceededUnreg'],
  ...['quotaExceeded', 'concurrentLimitExceeded', 'limitExceeded', 'RATE_LIMIT_EXCEEDED', 'RESOURCE_EXHAUSTED']
])

const NOT_ENABLED = "the Gmail API is not switched on for this instance's client; its admin can do so"

const BARRED: Readonly<Record<string, string>> = {
  domainPolicy: "the account's organisation does not allow this client; its admin can",
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

/** The reason that is named first: the older list of errors, then the newer details, then the general status. */
function refusalOf({ bytes }: Replied): Refusal {
  const parsed = ErrorReply.safeParse(jsonOf(bytes))
  if (!parsed.success) return { reason: '', described: false }
  const { errors, details, status } = parsed.data.error
  const said =
    [...errors, ...details].map(({ reason }) => reason).find((reason) => reason !== undefined) ?? status ?? ''
  return { reason: /^[A-Za-z_]{1,60}$/.test(said) ? said : '', described: true }
}

function waitOf({ headers, receivedAt }: Replied): { retryAfterMs: number | undefined } {
  return { retryAfterMs: retryAfterMs(headers, receivedAt) }
}

import type { Replied } from '../http/ask.ts'
import { describeForeignReply, nameSource, parseJson } from '../http/parse-value.ts'
import { readRetryAfter } from '../http/read-retry-after.ts'
import { type FailureKind, ProviderFailure } from '../port/provider-failure.ts'
import { FACTS } from './facts.ts'
import { Refusal } from './wire.ts'

/** The subject of a call, which decides what `not found` means. */
export type Subject = 'item' | 'cursor' | 'account'

/** `what` is the name of the reply in a message, such as `the list of files`. */
export type About = { what: string; subject: Subject }

/** Returns the failure that a reply represents, or undefined if it is successful. */
export function toFailure(replied: Replied, { what, subject }: About): ProviderFailure | undefined {
  const { status, bytes } = replied
  if (status === 200) return undefined
  const refusal = parseRefusal(bytes)
  const kind = classifyRefusal(status, { ...refusal, subject })
  const isForeign = kind === 'transient' && !refusal.described && status < 500
  const why = isForeign ? describeForeignReply(replied, SERVICE) : WORDS[kind]
  const told = [refusal.reason, refusal.message].filter((text) => text !== '').join(': ')
  const after =
    kind === 'rate_limited' || kind === 'transient' ? readRetryAfter(replied.headers, replied.receivedAt) : undefined
  return new ProviderFailure(
    kind,
    `${what}: ${why}${nameSource(kind, replied)} (${[status, told].filter(Boolean).join(' ')})`,
    {
      retryAfterMs: after
    }
  )
}

const SERVICE = FACTS.service

const WORDS: Readonly<Record<FailureKind, string>> = {
  auth_expired: `${SERVICE} does not accept the access token`,
  grant_dead: `${SERVICE} does not accept the grant`,
  scope_missing: `${SERVICE} does not allow it`,
  rate_limited: `${SERVICE} limits the number of calls`,
  transient: `${SERVICE} could not respond`,
  item_gone: `${SERVICE} no longer has it, or does not show it to this account`,
  item_permanent: `${SERVICE} does not allow it to be read`,
  cursor_invalid: `${SERVICE} no longer accepts the page token`,
  contract_broken: `${SERVICE} sent an undocumented response`
}

type Told = { reason: string; location: string; message: string; described: boolean }

/**
 * Parses Google's reason for a refusal: the first reason of the error object. `described` is false for a reply without
 * one, which is not from Google.
 */
function parseRefusal(bytes: Uint8Array): Told {
  const parsed = Refusal.safeParse(parseJson(bytes))
  if (!parsed.success) return { reason: '', location: '', message: '', described: false }
  const { message, errors } = parsed.data.error
  // One line only: the text comes from the provider and appears in logs and terminals.
  const line = (message ?? '').replace(/\p{C}+/gu, ' ').slice(0, MESSAGE_LENGTH_MAX)
  return { reason: errors?.[0]?.reason ?? '', location: errors?.[0]?.location ?? '', message: line, described: true }
}

const MESSAGE_LENGTH_MAX = 200

type Known = Omit<Told, 'message'> & { subject: Subject }

/**
 * Classifies a refusal by https://developers.google.com/workspace/drive/api/guides/handle-errors. A reply that is not
 * from Google says nothing about the item.
 */
function classifyRefusal(status: number, { reason, location, subject, described }: Known): FailureKind {
  if (status === 401) return 'auth_expired'
  if (status === 429 || (status === 403 && RATE_REASONS.has(reason))) return 'rate_limited'
  if (status === 408 || status >= 500 || !described || PASSING_REASONS.has(reason)) return 'transient'
  if (status === 403) return classifyForbidden(reason, subject)
  if (status === 404 || status === 410) return classifyMissing(reason, subject)
  if (status === 400 && (location === 'pageToken' || subject === 'cursor')) return 'cursor_invalid'
  return status === 400 && subject === 'item' ? 'item_permanent' : 'contract_broken'
}

function classifyForbidden(reason: string, subject: Subject): FailureKind {
  if (ACCOUNT_REASONS.has(reason)) return 'scope_missing'
  if (reason === '') return 'transient'
  return subject === 'item' ? 'item_permanent' : 'scope_missing'
}

/** Classifies a missing item. Only Google's own reasons count, because the sync deletes items that are gone. */
function classifyMissing(reason: string, subject: Subject): FailureKind {
  if (subject === 'cursor') return 'cursor_invalid'
  return GONE_REASONS.has(reason) ? 'item_gone' : 'transient'
}

/** Reasons for a missing file or shared drive. `deleted` has status 410. */
const GONE_REASONS = new Set(['notFound', 'deleted'])

/** Rate limits. The daily limit ends by itself too. */
const RATE_REASONS = new Set(['rateLimitExceeded', 'userRateLimitExceeded', 'dailyLimitExceeded'])

/** Reasons about the grant, the client or the account's domain rather than the request. */
const ACCOUNT_REASONS = new Set(['insufficientPermissions', 'accessNotConfigured', 'domainPolicy', 'authError'])

/** Temporary reasons, whatever the status. The download limit of a file is lifted within a day. */
const PASSING_REASONS = new Set(['downloadQuotaExceeded', 'backendError', 'internalError'])

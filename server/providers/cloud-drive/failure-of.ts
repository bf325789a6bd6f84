import type { Replied } from '../http/ask.ts'
import { jsonOf } from '../http/described-value.ts'
import { retryAfterMs } from '../http/retry-after.ts'
import { type FailureKind, ProviderFailure } from '../provider-failure.ts'
import { Refusal } from './wire.ts'

/** What a call was about, which decides what `not found` means. */
export type Subject = 'item' | 'cursor' | 'account'

/** What is wrong with a reply; undefined where it is what was asked for. `place` names the call. */
export function failureOf(replied: Replied, { place, subject }: { place: string; subject: Subject }) {
  if (replied.status === 200) return undefined
  const { reason, location, message } = refusalOf(replied.bytes)
  const kind = kindOf(replied.status, { reason, location, subject })
  const told = [reason, message].filter((text) => text !== '').join(': ')
  const after =
    kind === 'rate_limited' || kind === 'transient' ? retryAfterMs(replied.headers, replied.receivedAt) : undefined
  return new ProviderFailure(kind, `${place}: ${replied.status}${told === '' ? '' : ` (${told})`}`, {
    retryAfterMs: after
  })
}

/** Why Google refused: the first reason of the error object, empty where there is none. */
function refusalOf(bytes: Uint8Array): { reason: string; location: string; message: string } {
  const parsed = Refusal.safeParse(jsonOf(bytes))
  if (!parsed.success) return { reason: '', location: '', message: '' }
  const { message, errors } = parsed.data.error
  // One line of it: the text is the provider's, and goes to logs and terminals.
  const line = (message ?? '').replace(/\p{C}+/gu, ' ').slice(0, MESSAGE_LENGTH_MAX)
  return { reason: errors?.[0]?.reason ?? '', location: errors?.[0]?.location ?? '', message: line }
}

const MESSAGE_LENGTH_MAX = 200

type Known = { reason: string; location: string; subject: Subject }

/** By https://developers.google.com/workspace/drive/api/guides/handle-errors. */
function kindOf(status: number, { reason, location, subject }: Known): FailureKind {
  if (status === 401) return 'auth_expired'
  if (status === 429 || (status === 403 && RATE_REASONS.has(reason))) return 'rate_limited'
  if (status === 408 || status >= 500) return 'transient'
  if (status === 403) return kindOfForbidden(reason, subject)
  if (status === 404 || status === 410) return subject === 'cursor' ? 'cursor_invalid' : 'item_gone'
  if (status === 400 && (location === 'pageToken' || subject === 'cursor')) return 'cursor_invalid'
  return status === 400 && subject === 'item' ? 'item_permanent' : 'contract_broken'
}

function kindOfForbidden(reason: string, subject: Subject): FailureKind {
  if (ACCOUNT_REASONS.has(reason)) return 'scope_missing'
  if (PASSING_REASONS.has(reason)) return 'transient'
  return subject === 'item' ? 'item_permanent' : 'scope_missing'
}

/** Limits of calls. The daily one ends by itself, too. */
const RATE_REASONS = new Set(['rateLimitExceeded', 'userRateLimitExceeded', 'dailyLimitExceeded'])

/** They are about the grant, the client or the account's domain, whatever was asked for. */
const ACCOUNT_REASONS = new Set(['insufficientPermissions', 'accessNotConfigured', 'domainPolicy', 'authError'])

/** A page of a proxy has no reason; the limit of downloads of one file is lifted within a day. */
const PASSING_REASONS = new Set(['', 'downloadQuotaExceeded', 'backendError'])

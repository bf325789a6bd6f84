import type { Replied } from '../http/ask.ts'
import { describeForeignReply, parseJson } from '../http/parse-value.ts'
import { readRetryAfter } from '../http/read-retry-after.ts'
import { type FailureKind, ProviderFailure } from '../port/provider-failure.ts'
import { FACTS } from './facts.ts'
import { Refusal } from './wire.ts'

/** What a call was about, which decides what `not found` means. */
export type Subject = 'item' | 'cursor' | 'account'

/** `what` is what the reply is called in a message, as in `the list of files`. */
export type About = { what: string; subject: Subject }

/** What is wrong with a reply; undefined where it is what was asked for. */
export function toFailure(replied: Replied, { what, subject }: About): ProviderFailure | undefined {
  const { status, bytes } = replied
  if (status === 200) return undefined
  const refusal = parseRefusal(bytes)
  const kind = classifyRefusal(status, { ...refusal, subject })
  const isForeign = kind === 'transient' && !refusal.described && status < 500
  const why = isForeign ? describeForeignReply(bytes, SERVICE) : WORDS[kind]
  const told = [refusal.reason, refusal.message].filter((text) => text !== '').join(': ')
  const after =
    kind === 'rate_limited' || kind === 'transient' ? readRetryAfter(replied.headers, replied.receivedAt) : undefined
  return new ProviderFailure(kind, `${what}: ${why} (${[status, told].filter(Boolean).join(' ')})`, {
    retryAfterMs: after
  })
}

const SERVICE = FACTS.service

const WORDS: Readonly<Record<FailureKind, string>> = {
  auth_expired: `${SERVICE} does not accept the access token`,
  grant_dead: `${SERVICE} does not accept the grant`,
  scope_missing: `${SERVICE} does not allow it`,
  rate_limited: `more calls than ${SERVICE} allows`,
  transient: `${SERVICE} could not answer`,
  item_gone: `${SERVICE} does not have it any more, or does not show it`,
  item_permanent: `${SERVICE} does not give it`,
  cursor_invalid: `${SERVICE} does not know any more where it stood`,
  contract_broken: `an answer that ${SERVICE} does not describe`
}

type Told = { reason: string; location: string; message: string; described: boolean }

/** Why Google refused: the first reason of the error object. Not `described` is what has none, and so is none of Google's. */
function parseRefusal(bytes: Uint8Array): Told {
  const parsed = Refusal.safeParse(parseJson(bytes))
  if (!parsed.success) return { reason: '', location: '', message: '', described: false }
  const { message, errors } = parsed.data.error
  // One line of it: the text is the provider's, and goes to logs and terminals.
  const line = (message ?? '').replace(/\p{C}+/gu, ' ').slice(0, MESSAGE_LENGTH_MAX)
  return { reason: errors?.[0]?.reason ?? '', location: errors?.[0]?.location ?? '', message: line, described: true }
}

const MESSAGE_LENGTH_MAX = 200

type Known = Omit<Told, 'message'> & { subject: Subject }

/** By https://developers.google.com/workspace/drive/api/guides/handle-errors. What is none of Google's own says nothing of the item. */
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

/** Items are deleted here by what is called gone: only the reasons that Google has for that count. */
function classifyMissing(reason: string, subject: Subject): FailureKind {
  if (subject === 'cursor') return 'cursor_invalid'
  return GONE_REASONS.has(reason) ? 'item_gone' : 'transient'
}

/** A file, or a shared drive; `deleted` comes with 410. */
const GONE_REASONS = new Set(['notFound', 'deleted'])

/** Limits of calls. The daily one ends by itself, too. */
const RATE_REASONS = new Set(['rateLimitExceeded', 'userRateLimitExceeded', 'dailyLimitExceeded'])

/** They are about the grant, the client or the account's domain, whatever was asked for. */
const ACCOUNT_REASONS = new Set(['insufficientPermissions', 'accessNotConfigured', 'domainPolicy', 'authError'])

/** Whatever the status. The limit of downloads of one file is lifted within a day. */
const PASSING_REASONS = new Set(['downloadQuotaExceeded', 'backendError', 'internalError'])

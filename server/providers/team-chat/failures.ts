import type { z } from 'zod'
import type { Replied } from '../http/ask.ts'
import { describeForeignReply, nameSource, parseValue } from '../http/parse-value.ts'
import { readRetryAfter } from '../http/read-retry-after.ts'
import { type FailureKind, ProviderFailure } from '../port/provider-failure.ts'
import { FACTS } from './facts.ts'
import { Envelope } from './wire.ts'

const { service } = FACTS

/**
 * Parses a reply. Slack refuses with status 200 and `ok: false`, and with 429 for too many calls
 * (https://docs.slack.dev/apis/web-api/, https://docs.slack.dev/apis/web-api/rate-limits).
 *
 * @throws ProviderFailure
 */
export function parseReply<S extends z.ZodType>(replied: Replied, schema: S, method: string): z.output<S> {
  if (replied.status !== 200) throw toFailure(replied, method)
  const { ok, error, needed } = parseValue(replied, Envelope, { what: method, service })
  if (!ok) throw toCodeFailure(toSafeCode(error), { replied, method, needed })
  return parseValue(replied, schema, { what: method, service })
}

function toFailure(replied: Replied, method: string): ProviderFailure {
  const { status, headers, receivedAt } = replied
  const wait = { retryAfterMs: readRetryAfter(headers, receivedAt) }
  if (status === 429)
    return new ProviderFailure('rate_limited', `${method}: ${service} limits the number of calls (429)`, wait)
  if (status >= 500)
    return new ProviderFailure('transient', `${method}: ${service} could not respond (${status})`, wait)
  if (status === 401)
    return new ProviderFailure('auth_expired', `${method}: ${service} does not accept the access token (401)`)
  // Slack has no other statuses: an intermediary replied, and a retry may succeed.
  return new ProviderFailure('transient', `${method}: ${describeForeignReply(replied, service)} (${status})`, wait)
}

type Refused = { replied: Replied; method: string; needed?: string | null | undefined }

function toCodeFailure(code: string, { replied, method, needed }: Refused): ProviderFailure {
  const kind = (Object.hasOwn(FAILURE_KINDS, code) && FAILURE_KINDS[code]) || 'contract_broken'
  const scope = kind === 'scope_missing' && needed ? `, which needs ${toSafeCode(needed)}` : ''
  const hint = HINTS[kind]
  const returned = `${service} returned ${code}${scope}${nameSource(kind, replied)}`
  const message = `${method}: ${returned}${hint === undefined ? '' : `; ${hint}`}`
  const waits = kind === 'rate_limited' || kind === 'transient'
  return new ProviderFailure(kind, message, {
    retryAfterMs: waits ? readRetryAfter(replied.headers, replied.receivedAt) : undefined,
    cause: { code }
  })
}

/** Returns the code that Slack gave for a failure, or undefined if there was none. */
export function getSlackCode(failure: ProviderFailure): string | undefined {
  const { code } =
    ((typeof failure.cause === 'object' ? failure.cause : undefined) as { code?: unknown } | undefined) ?? {}
  return typeof code === 'string' ? code : undefined
}

/** Returns the code if it has the form of a Slack code. */
function toSafeCode(error: string | null | undefined): string {
  return error && /^[a-z0-9_:,. -]{1,80}$/i.test(error) ? error : 'an unnamed error'
}

const HINTS: Partial<Record<FailureKind, string>> = {
  grant_dead: 'connect the account again',
  scope_missing: 'connect the account again and grant it'
}

/**
 * The values of `error` for the methods used here, from their documentation
 * (https://docs.slack.dev/reference/methods/conversations.history and the others). A code that is not listed is about
 * the request itself.
 */
export const FAILURE_KINDS: Readonly<Record<string, FailureKind>> = {
  ratelimited: 'rate_limited',
  rate_limited: 'rate_limited',

  invalid_auth: 'auth_expired',
  not_authed: 'auth_expired',
  token_expired: 'auth_expired',

  token_revoked: 'grant_dead',
  account_inactive: 'grant_dead',

  missing_scope: 'scope_missing',
  no_permission: 'scope_missing',
  not_allowed_token_type: 'scope_missing',
  access_denied: 'scope_missing',
  ekm_access_denied: 'scope_missing',
  enterprise_is_restricted: 'scope_missing',
  team_access_not_granted: 'scope_missing',
  two_factor_setup_required: 'scope_missing',

  channel_not_found: 'item_gone',
  not_in_channel: 'item_gone',
  thread_not_found: 'item_gone',
  message_not_found: 'item_gone',
  user_not_found: 'item_gone',
  bot_not_found: 'item_gone',
  user_not_visible: 'item_gone',

  is_archived: 'item_permanent',
  method_not_supported_for_channel_type: 'item_permanent',

  invalid_cursor: 'cursor_invalid',

  accesslimited: 'transient',
  fatal_error: 'transient',
  internal_error: 'transient',
  request_timeout: 'transient',
  service_unavailable: 'transient',
  org_login_required: 'transient',
  team_added_to_org: 'transient'
}

import type { Replied } from '../../providers/http/ask.ts'
import { readRetryAfter } from '../../providers/http/retry-after.ts'
import type { OAuthFacts } from '../../providers/provider.ts'
import { ProviderFailure } from '../../providers/provider-failure.ts'
import { soundObject } from './sound-object.ts'

/** Whose reply it is: their facts, and how they are called in messages. */
export type TokenEndpoint = { oauth: OAuthFacts; name: string }

/**
 * A reply of a token endpoint as RFC 6749 has it (section 5), whatever the provider makes of that.
 *
 * @throws ProviderFailure `transient` where it is down, `rate_limited` where it has had enough, `contract_broken` where it does not even answer with JSON.
 */
export function tokenReply({ status, headers, bytes, receivedAt }: Replied, { oauth, name }: TokenEndpoint): Response {
  if (status >= 500 || status === 429) {
    const retry = { retryAfterMs: readRetryAfter(headers, receivedAt) }
    throw new ProviderFailure(
      status === 429 ? 'rate_limited' : 'transient',
      `${name} answered with status ${status}`,
      retry
    )
  }
  if (status >= 300 && status < 400)
    throw new ProviderFailure('contract_broken', `${name} answered with a redirect, which is not followed`)
  const said = soundObject(bytes)
  if (said === undefined)
    throw new ProviderFailure('contract_broken', `${name} answered with status ${status} and no sound JSON object`)
  const refused = oauth.refusesWith200 && said.ok === false
  return Response.json(usualMembers(said, oauth), { status: refused ? 400 : status })
}

/** What is needed of a reply. Without an identity token, which nobody here asks for or believes. */
const MEMBERS = ['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope', 'error', 'error_description']

function usualMembers(said: Record<string, unknown>, { tokensUnder }: OAuthFacts): Record<string, unknown> {
  const under = tokensUnder === undefined ? undefined : said[tokensUnder]
  // Renewed tokens may stand at the top although the first ones did not.
  const holder = typeof under === 'object' && under !== null && 'access_token' in under ? under : {}
  const all: Record<string, unknown> = { ...said, ...holder }
  const named = MEMBERS.filter((name) => all[name] !== undefined && all[name] !== null).map((name) => [name, all[name]])
  // Who does not put tokens where the standard has them does not name their type by it either, as in `user`.
  const type = tokensUnder === undefined ? (all.token_type ?? 'bearer') : 'bearer'
  return { ...Object.fromEntries(named), token_type: type }
}

import { Buffer } from 'node:buffer'
import {
  AuthorizationResponseError,
  OperationProcessingError,
  UnsupportedOperationError,
  validateAuthResponse
} from 'oauth4webapi'
import { epochNow } from '../../../src/contract/epoch-ms.ts'
import { unlessAborted } from '../../../src/contract/unless-aborted.ts'
import type { Clock } from '../../../src/ports.ts'
import { startTimeLimit, type TimeLimit } from '../../providers/http/time-limit.ts'
import { plainWords } from '../../providers/port/plain-words.ts'
import type { Account } from '../../providers/port/provider.ts'
import { ProviderFailure } from '../../providers/port/provider-failure.ts'
import { type StoredAttempt, secretIdentity } from '../../storage/port/connector-storage.ts'

import { bearerFetch } from '../tokens/bearer-fetch.ts'
import type { OAuthParts } from '../tokens/oauth-parts.ts'
import { type Tokens, toTokens } from '../tokens/tokens.ts'
import type { EnabledProvider } from '../wire/enabled-provider.ts'
import { exchangeCode, type TokenGrant, toProtocol } from '../wire/exchange-code.ts'
import { askToConfirm } from './ask-to-confirm.ts'
import { makeRedirectUri } from './begin-consent.ts'
import { completeConsent } from './complete-consent.ts'
import type { ConsentOutcome, LinkedGrant } from './consent-outcome.ts'
import { type ConsentParts, endConsent, expireConsent } from './end-consent.ts'
import { revokeUnusedGrant } from './revoke-unused-grant.ts'
import { findAttempt } from './sign-state.ts'

/**
 * Turns a callback into a connection, or into the reason why there is none. The state is used up before anything else
 * happens, so that only one of several callbacks exchanges the code.
 */
export async function handleCallback(
  parts: ConsentParts,
  provider: string,
  query: URLSearchParams
): Promise<ConsentOutcome> {
  const [state, ...more] = query.getAll('state')
  if (state === undefined || more.length > 0) return { outcome: 'unknown' }
  const attempt = await findAttempt(parts, state)
  if (attempt === undefined || attempt.provider !== provider) return { outcome: 'unknown' }
  const now = epochNow(parts.world.clock)
  const isOver = attempt.status === 'expired' || (attempt.status === 'waiting' && now >= attempt.expiresAt)
  if (isOver) return await expireConsent(parts, attempt)
  if (!(await parts.storage.useAttempt(attempt.id, now))) return { outcome: 'replayed', attempt }
  const enabled = parts.enabled.get(attempt.provider)
  if (enabled === undefined)
    return await endConsent(parts, attempt, {
      outcome: 'failed',
      detail: `provider ${attempt.provider} is no longer enabled on this server`
    })
  return await takeAnswer(parts, { attempt, enabled, query, state })
}

type Answer = { attempt: StoredAttempt; enabled: EnabledProvider; query: URLSearchParams; state: string }

async function takeAnswer(parts: ConsentParts, answer: Answer): Promise<ConsentOutcome> {
  const { attempt, enabled } = answer
  const callback = validateCallback(answer)
  if ('outcome' in callback) return await endConsent(parts, attempt, callback)
  const { service } = enabled.provider.facts
  const limit = startLinkLimit(parts.world.clock, service)
  try {
    const exchanged = exchange(parts, { attempt, enabled, callback: callback.parameters }, limit.signal)
    const grant = await unlessAborted(exchanged, limit.signal)
    return await linkAccount(parts, { attempt, enabled, grant }, limit)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    return await endConsent(parts, attempt, { outcome: 'failed', detail: error.message })
  } finally {
    limit.end()
  }
}

/**
 * The time limit for fetching the tokens and the account while a person waits, in milliseconds. Together with the time
 * for a revocation it is below the 15 seconds within which every callback is answered.
 */
const LINK_MS_MAX = 12_000

/** Starts the time limit within which a provider must exchange a code and name its account. */
function startLinkLimit(clock: Pick<Clock, 'wait'>, service: string): TimeLimit {
  const seconds = LINK_MS_MAX / 1000
  const reason = () => new ProviderFailure('transient', `${service} did not respond within ${seconds} seconds`)
  return startTimeLimit(clock, LINK_MS_MAX, reason)
}

/** With `rejected`, the provider would not have sent this callback. */
type Refused = { outcome: 'denied' | 'failed' | 'rejected'; detail: string }

/**
 * Returns the parameters of a callback that has a code (RFC 6749 section 4.1.2, RFC 9207 section 2.4), or the refusal
 * that it contains.
 */
function validateCallback({ enabled, query, state }: Answer): { parameters: URLSearchParams } | Refused {
  const { as, client } = toProtocol(enabled)
  const { service } = enabled.provider.facts
  const parameters = new URLSearchParams(query)
  // If the issuer of a provider is unknown, there is nothing to compare `iss` with.
  if (enabled.oauth.issuer === undefined) parameters.delete('iss')
  try {
    const valid = validateAuthResponse(as, client, parameters, state)
    const [code = '', ...more] = valid.getAll('code')
    if (more.length > 0)
      return { outcome: 'rejected', detail: `invalid response of ${service}: it must contain exactly one code` }
    if (code !== '') return { parameters: valid }
    return { outcome: 'rejected', detail: `${service} redirected without a code` }
  } catch (error) {
    if (error instanceof AuthorizationResponseError) return toRefusal(service, error, query)
    if (error instanceof OperationProcessingError || error instanceof UnsupportedOperationError)
      return { outcome: 'rejected', detail: `invalid response of ${service}: ${error.message}` }
    throw error
  }
}

/** Turns an error of the consent page (RFC 6749 section 4.1.2.1) into a message that can be shown. */
function toRefusal(service: string, error: AuthorizationResponseError, query: URLSearchParams): Refused {
  if (error.error === 'access_denied') return { outcome: 'denied', detail: `access was denied at ${service}` }
  const secrets = ['code', 'state'].flatMap((name) => query.getAll(name))
  const code = plainWords(error.error, secrets)
  const description = plainWords(error.error_description ?? '', secrets)
  return { outcome: 'failed', detail: `${service} refused: ${description === '' ? code : `${code} (${description})`}` }
}

type Exchange = { attempt: StoredAttempt; enabled: EnabledProvider; callback: URLSearchParams }

async function exchange(
  { vault, world, settings }: ConsentParts,
  { attempt, enabled, callback }: Exchange,
  signal: AbortSignal
): Promise<TokenGrant> {
  const sealed = attempt.verifier
  const verifier = sealed && Buffer.from(await vault.open(sealed, secretIdentity.verifier(attempt))).toString()
  const call = { enabled, clock: world.clock, log: world.log, signal }
  return await exchangeCode(call, { callback, verifier, redirectUri: makeRedirectUri(settings, attempt) })
}

type Granted = { attempt: StoredAttempt; enabled: EnabledProvider; grant: TokenGrant }

/**
 * Identifies the account of a new grant within the remaining time, then creates the connection or asks a person to
 * confirm.
 */
async function linkAccount(
  parts: ConsentParts,
  { attempt, enabled, grant }: Granted,
  limit: TimeLimit
): Promise<ConsentOutcome> {
  const asked = { refreshToken: undefined, scopes: enabled.oauth.scopes }
  const tokens = toTokens(grant, asked, epochNow(parts.world.clock))
  let account: Account
  try {
    refuseMissingScopes(enabled, tokens)
    account = await identifyAccount(parts, { enabled, tokens }, limit.signal)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    await revokeUnusedGrant(parts, { enabled, tokens, accountId: undefined })
    return await endConsent(parts, attempt, { outcome: 'failed', detail: error.message })
  } finally {
    limit.end()
  }
  const linked = { attempt, enabled, tokens, account }
  return parts.settings.confirm ? await askToConfirm(parts, linked) : await completeConsent(parts, linked)
}

function refuseMissingScopes({ oauth, provider }: EnabledProvider, { scopes }: Tokens): void {
  const missing = oauth.neededScopes.filter((scope) => !scopes.includes(scope))
  if (missing.length === 0) return
  const message = `${provider.facts.service} did not grant ${missing.join(', ')}, which memctl requires; allow it on the consent page`
  throw new ProviderFailure('scope_missing', message)
}

async function identifyAccount(
  { world: { clock, log } }: OAuthParts,
  { enabled, tokens }: Pick<LinkedGrant, 'enabled' | 'tokens'>,
  signal: AbortSignal
): Promise<Account> {
  const { provider, apiUrl } = enabled
  const fetch = bearerFetch(enabled, tokens.accessToken)
  const account = await unlessAborted(provider.identify({ fetch, apiUrl, clock, log, signal }), signal)
  if (ACCOUNT_ID.test(account.id) && account.id.isWellFormed()) return account
  throw new ProviderFailure('contract_broken', `${provider.facts.service} returned no usable account id`)
}

/** The form of an account id, which is compared, stored and sealed together with its tokens. */
const ACCOUNT_ID = /^[^\p{Cc}]{1,1000}$/u

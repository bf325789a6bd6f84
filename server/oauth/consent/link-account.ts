import { epochNow } from '../../../src/contract/epoch-ms.ts'
import type { TimeLimit } from '../../providers/http/time-limit.ts'
import { unlessAborted } from '../../providers/http/unless-aborted.ts'
import type { Account } from '../../providers/port/provider.ts'
import { ProviderFailure } from '../../providers/port/provider-failure.ts'
import type { StoredAttempt } from '../../storage/port/attempt-storage.ts'
import { bearerFetch } from '../tokens/bearer-fetch.ts'
import type { OAuthParts } from '../tokens/oauth-parts.ts'
import { type Tokens, toTokens } from '../tokens/tokens.ts'
import type { EnabledProvider } from '../wire/enabled-provider.ts'
import type { TokenGrant } from '../wire/exchange-code.ts'
import { askToConfirm } from './ask-to-confirm.ts'
import { completeConsent } from './complete-consent.ts'
import type { ConsentOutcome, LinkedGrant } from './consent-outcome.ts'
import { type ConsentParts, endConsent } from './end-consent.ts'
import { revokeUnusedGrant } from './revoke-unused-grant.ts'

export type Granted = { attempt: StoredAttempt; enabled: EnabledProvider; grant: TokenGrant }

/**
 * Finds out whose account a fresh grant is of, within what is left of the time that a person waits, and makes the connection, or
 * asks a person first.
 */
export async function linkAccount(
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
  const message = `${provider.facts.service} was not allowed to give ${missing.join(', ')}, without which nothing works: tick it on the consent page`
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
  throw new ProviderFailure('contract_broken', `${provider.facts.service} gave no usable id of the account`)
}

/** What an id of an account may be: it is compared, stored and sealed together with its tokens. */
const ACCOUNT_ID = /^[^\p{Cc}]{1,1000}$/u

import { epochNow } from '../../../src/contract/milliseconds.ts'
import type { Account } from '../../providers/provider.ts'
import { ProviderFailure } from '../../providers/provider-failure.ts'
import type { StoredAttempt } from '../../storage/connector-storage.ts'
import type { ConsentOutcome, EnabledProvider } from '../oauth.ts'
import type { OAuthParts } from '../oauth-parts.ts'
import { bearerFetch } from '../tokens/bearer-fetch.ts'
import { type Tokens, tokensOf } from '../tokens/tokens.ts'
import type { Grant } from '../wire/token-calls.ts'
import { completeConsent } from './complete-consent.ts'
import { type ConsentParts, endConsent } from './end-consent.ts'
import { giveBack } from './give-back.ts'
import { holdConsent } from './hold-consent.ts'

export type Granted = { attempt: StoredAttempt; enabled: EnabledProvider; grant: Grant }

/** Finds out whose account a fresh grant is of, and makes the connection, or asks a person first. */
export async function linkAccount(parts: ConsentParts, { attempt, enabled, grant }: Granted): Promise<ConsentOutcome> {
  const asked = { refreshToken: undefined, scopes: enabled.oauth.scopes }
  const tokens = tokensOf(grant, asked, epochNow(parts.world.clock))
  let account: Account
  try {
    refuseMissingScopes(enabled, tokens)
    account = await accountOf(parts, enabled, tokens)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    await giveBack(parts, { enabled, tokens, accountId: undefined })
    return await endConsent(parts, attempt, { status: 'failed', detail: error.message })
  }
  const linked = { attempt, enabled, tokens, account }
  return parts.settings.confirm ? await holdConsent(parts, linked) : await completeConsent(parts, linked)
}

/** A grant with the account it is of. */
export type Linked = { attempt: StoredAttempt; enabled: EnabledProvider; tokens: Tokens; account: Account }

function refuseMissingScopes({ oauth, provider }: EnabledProvider, { scopes }: Tokens): void {
  const missing = oauth.neededScopes.filter((scope) => !scopes.includes(scope))
  if (missing.length === 0) return
  const message = `${provider.facts.service} was not allowed to give ${missing.join(', ')}, without which nothing works: tick it on the consent page`
  throw new ProviderFailure('scope_missing', message)
}

/** How long it may take to find out whose account it is, in milliseconds. */
const IDENTIFY_MS = 30_000

async function accountOf({ world }: OAuthParts, enabled: EnabledProvider, tokens: Tokens): Promise<Account> {
  const { clock, log } = world
  const late = new AbortController()
  const over = new AbortController()
  const { service } = enabled.provider.facts
  clock.wait(IDENTIFY_MS, over.signal).then(
    () => late.abort(new ProviderFailure('transient', `${service} did not say in time whose account it is`)),
    () => undefined
  )
  try {
    const fetch = bearerFetch(enabled, tokens.accessToken)
    const account = await enabled.provider.identify({ fetch, apiUrl: enabled.apiUrl, clock, log, signal: late.signal })
    if (ACCOUNT_ID.test(account.id) && account.id.isWellFormed()) return account
    throw new ProviderFailure('contract_broken', `${service} gave no usable id of the account`)
  } finally {
    over.abort()
  }
}

/** What an id of an account may be: it is compared, stored and sealed together with its tokens. */
const ACCOUNT_ID = /^[^\p{Cc}]{1,1000}$/u

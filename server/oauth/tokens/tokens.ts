import { Buffer } from 'node:buffer'
import { addMillis, type EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { TokenGrant } from '../wire/exchange-code.ts'

/** The tokens of a grant, open. They never leave this room. */
export type Tokens = {
  accessToken: string
  refreshToken: string | undefined
  scopes: readonly string[]
  /** When they were given, and when the access token ends, in milliseconds since 1970. */
  obtainedAt: EpochMs
  expiresAt: EpochMs | undefined
}

/** Tokens out of what a token endpoint gave at `now`. What it does not say anew stays as it was. */
export function toTokens(grant: TokenGrant, before: Pick<Tokens, 'refreshToken' | 'scopes'>, now: EpochMs): Tokens {
  return {
    accessToken: grant.accessToken,
    refreshToken: grant.refreshToken ?? before.refreshToken,
    scopes: grant.scopes ?? before.scopes,
    obtainedAt: now,
    expiresAt: grant.expiresInMs === undefined ? undefined : addMillis(now, grant.expiresInMs)
  }
}

/** As bytes, to be sealed. */
export function writeTokens({ accessToken, refreshToken, scopes, obtainedAt, expiresAt }: Tokens): Uint8Array {
  const value = {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: 'bearer',
    scopes,
    obtained_at: obtainedAt,
    expires_at: expiresAt
  }
  return new Uint8Array(Buffer.from(JSON.stringify(value)))
}

/** Tokens of bytes that `writeTokens` made: what opens in the vault is ours. */
export function readTokens(bytes: Uint8Array): Tokens {
  const value = JSON.parse(Buffer.from(bytes).toString()) as Stored
  return {
    accessToken: value.access_token,
    refreshToken: value.refresh_token,
    scopes: value.scopes,
    obtainedAt: value.obtained_at,
    expiresAt: value.expires_at
  }
}

type Stored = {
  access_token: string
  refresh_token?: string
  scopes: string[]
  obtained_at: EpochMs
  expires_at?: EpochMs
}

/**
 * When an access token is due to be renewed: `marginMs` before its end. One that lives hardly longer than that is used until
 * the last tenth of its life, or it would be renewed all the time.
 */
export function renewalDueAt({ obtainedAt, expiresAt }: Tokens, marginMs: number): number {
  if (expiresAt === undefined) return Number.POSITIVE_INFINITY
  const lifeMs = expiresAt - obtainedAt
  return expiresAt - (lifeMs >= 2 * marginMs ? marginMs : lifeMs / 10)
}

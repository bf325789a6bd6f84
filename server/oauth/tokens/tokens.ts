import { Buffer } from 'node:buffer'
import { addMillis, type EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { TokenGrant } from '../wire/exchange-code.ts'

/** The open tokens of a grant. They never leave `server/oauth`. */
export type Tokens = {
  accessToken: string
  refreshToken: string | undefined
  scopes: readonly string[]
  /** When the tokens were issued, and when the access token expires, in milliseconds since 1970. */
  obtainedAt: EpochMs
  expiresAt: EpochMs | undefined
}

/** Builds tokens from what a token endpoint returned at `now`. Missing fields keep their previous value. */
export function toTokens(grant: TokenGrant, before: Pick<Tokens, 'refreshToken' | 'scopes'>, now: EpochMs): Tokens {
  return {
    accessToken: grant.accessToken,
    refreshToken: grant.refreshToken ?? before.refreshToken,
    scopes: grant.scopes ?? before.scopes,
    obtainedAt: now,
    expiresAt: grant.expiresInMs === undefined ? undefined : addMillis(now, grant.expiresInMs)
  }
}

/** Serializes tokens to bytes, to be sealed. */
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

/** Parses bytes that `writeTokens` made. They are trusted, because the vault authenticates them. */
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
 * Returns when an access token is due for renewal, which is `marginMs` before it expires. A token with a short life is
 * used until the last tenth of it, because it would otherwise be renewed all the time.
 */
export function renewalDueAt({ obtainedAt, expiresAt }: Tokens, marginMs: number): number {
  if (expiresAt === undefined) return Number.POSITIVE_INFINITY
  const lifeMs = expiresAt - obtainedAt
  return expiresAt - (lifeMs >= 2 * marginMs ? marginMs : lifeMs / 10)
}

import { createHash } from 'node:crypto'
import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import type { Ids } from '../../../src/ports.ts'
import type { SandboxClock } from './sandbox-clock.ts'
import type { SignedValues } from './signed-values.ts'

/** A user's consent. */
export type Grant = { id: string; accountId: string; scopes: readonly string[] }

/**
 * Codes and tokens of one sandbox provider. They contain signed values, so that several sandboxes with one secret
 * accept each other's, even after a restart. Only used and revoked ones are stored.
 */
export type Grants = {
  code(asked: CodeAsked): string
  /** Returns the grant of a code. The code is used up even if the redemption fails. */
  redeem(code: string, by: { redirectUri: string; verifier: string | undefined }): Grant | Refused
  /** Issues new tokens of a grant. */
  issue(grant: Grant): { accessToken: string; refreshToken: string }
  /** Returns the grant of a refresh token. With `once`, the token is used up. */
  refresh(token: string, once: boolean): Grant | Refused
  /** Returns the grant of an access token, or why it is invalid. */
  check(token: string): Grant | 'unknown' | 'expired' | 'revoked'
  /** Revokes all tokens that were issued with this one. Returns false if the token is unknown. */
  revoke(token: string): boolean
  /** Makes an access token expire early. */
  expire(token: string): void
  reset(): void
}

type CodeAsked = {
  accountId: string
  scopes: readonly string[]
  redirectUri: string
  challenge: string | undefined
}

/** The `error_description` of RFC 6749 section 5.2; the error is `invalid_grant`. */
export type Refused = { refused: string }

export const ACCESS_SECONDS = 3600
const ACCESS_MS = ACCESS_SECONDS * 1000
const CODE_MS = 60_000
/** Maximum number of used and of revoked entries. */
const REMEMBERED_MAX = 100_000

type Code = Grant & { redirectUri: string; challenge: string | null; until: number }
type Token = Grant & { nonce: string; until: number }

type Parts = { provider: ProviderId; signed: SignedValues; clock: SandboxClock; ids: Ids }

/** Creates the registry of codes and tokens of a provider. */
export function createGrants({ provider, signed, clock, ids }: Parts): Grants {
  /** Ids of grants whose code was used or that were revoked, and nonces of tokens. */
  const used = createBoundedSet(REMEMBERED_MAX)
  const revoked = createBoundedSet(REMEMBERED_MAX)
  const kinds = { code: `${provider} code`, access: `${provider} access`, refresh: `${provider} refresh` }
  return {
    code({ challenge, ...asked }) {
      const code: Code = { id: ids.randomHex(16), ...asked, challenge: challenge ?? null, until: clock.now() + CODE_MS }
      return signed.sign(kinds.code, code)
    },
    redeem(text, by) {
      const code = signed.read(kinds.code, text) as Code | undefined
      return code === undefined ? { refused: 'The code is unknown.' } : redeemCode(code, by, { used, revoked, clock })
    },
    issue: ({ id, accountId, scopes }) => {
      const access: Token = { id, accountId, scopes, nonce: ids.randomHex(8), until: clock.now() + ACCESS_MS }
      const refresh: Omit<Token, 'until'> = { id, accountId, scopes, nonce: ids.randomHex(8) }
      return { accessToken: signed.sign(kinds.access, access), refreshToken: signed.sign(kinds.refresh, refresh) }
    },
    refresh(text, once) {
      const token = signed.read(kinds.refresh, text) as Token | undefined
      if (token === undefined) return { refused: 'The refresh token is unknown.' }
      if (revoked.has(token.id)) return { refused: 'The grant was revoked.' }
      if (used.has(token.nonce)) return { refused: 'The refresh token was used before.' }
      if (once) used.add(token.nonce)
      return token
    },
    check(text) {
      const token = signed.read(kinds.access, text) as Token | undefined
      if (token === undefined) return 'unknown'
      if (revoked.has(token.id)) return 'revoked'
      return used.has(token.nonce) || token.until <= clock.now() ? 'expired' : token
    },
    revoke(text) {
      const token = (signed.read(kinds.access, text) ?? signed.read(kinds.refresh, text)) as Token | undefined
      if (token !== undefined) revoked.add(token.id)
      return token !== undefined
    },
    expire(text) {
      const token = signed.read(kinds.access, text) as Token | undefined
      if (token !== undefined) used.add(token.nonce)
    },
    reset() {
      used.clear()
      revoked.clear()
    }
  }
}

type Kept = { used: BoundedSet; revoked: BoundedSet; clock: SandboxClock }

/** Redeems a code. A second use means that the code was stolen, so its tokens are revoked (RFC 6749 section 4.1.2). */
function redeemCode(code: Code, by: Parameters<Grants['redeem']>[1], { used, revoked, clock }: Kept): Grant | Refused {
  if (used.has(code.id)) {
    revoked.add(code.id)
    return { refused: 'The code was used before. Its tokens are revoked.' }
  }
  used.add(code.id)
  if (code.until <= clock.now()) return { refused: 'The code has expired.' }
  if (code.redirectUri !== by.redirectUri)
    return { refused: 'redirect_uri differs from that of the authorization request.' }
  if (!provesChallenge(code.challenge, by.verifier)) return { refused: 'code_verifier does not match.' }
  return { id: code.id, accountId: code.accountId, scopes: code.scopes }
}

/**
 * Verifies a challenge with S256 of RFC 7636 section 4.6. A verifier for a code without a challenge is an error of the
 * client too.
 */
function provesChallenge(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null || verifier === undefined) return challenge === null && verifier === undefined
  return createHash('sha256').update(verifier).digest('base64url') === challenge
}

/** A set of at most `max` members, which evicts the oldest. */
type BoundedSet = { add(member: string): void; has(member: string): boolean; clear(): void }

/** Creates an empty set. */
function createBoundedSet(max: number): BoundedSet {
  const members = new Set<string>()
  return {
    add: (member) => {
      members.add(member)
      if (members.size <= max) return
      for (const oldest of members) {
        members.delete(oldest)
        return
      }
    },
    has: (member) => members.has(member),
    clear: () => members.clear()
  }
}

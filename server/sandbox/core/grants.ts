import { createHash } from 'node:crypto'
import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import type { Ids } from '../../../src/ports.ts'
import type { SandboxClock } from './sandbox-clock.ts'
import type { SignedValues } from './signed-values.ts'

/** What somebody consented to. */
export type Grant = { id: string; accountId: string; scopes: readonly string[] }

/**
 * Codes and tokens of one sandbox provider. They carry what they stand for and are signed, so that several sandboxes with one secret
 * understand each other's, also after a restart; only what was used or revoked is kept here.
 */
export type Grants = {
  code(asked: CodeAsked): string
  /** The grant of a code, which is used up whatever comes of it. */
  redeem(code: string, by: { redirectUri: string; verifier: string | undefined }): Grant | Refused
  /** New tokens of a grant. */
  issue(grant: Grant): { accessToken: string; refreshToken: string }
  /** The grant of a refresh token. With `once`, it is used up. */
  refresh(token: string, once: boolean): Grant | Refused
  /** The grant of an access token, or what is wrong with it. */
  check(token: string): Grant | 'unknown' | 'expired' | 'revoked'
  /** Makes all tokens void that were issued with this one. False where it is not one of ours. */
  revoke(token: string): boolean
  /** Makes an access token void before its time. */
  expire(token: string): void
  reset(): void
}

type CodeAsked = {
  accountId: string
  scopes: readonly string[]
  redirectUri: string
  challenge: string | undefined
}

/** As `error_description` of RFC 6749 section 5.2; the error is `invalid_grant`. */
export type Refused = { refused: string }

export const ACCESS_SECONDS = 3600
const ACCESS_MS = ACCESS_SECONDS * 1000
const CODE_MS = 60_000
/** Of those that were used or revoked. */
const REMEMBERED_MAX = 100_000

type Code = Grant & { redirectUri: string; challenge: string | null; until: number }
type Token = Grant & { nonce: string; until: number }

type Parts = { provider: ProviderId; signed: SignedValues; clock: SandboxClock; ids: Ids }

/** Codes and tokens of a provider's sandbox provider, none of them used yet. */
export function createGrants({ provider, signed, clock, ids }: Parts): Grants {
  /** Ids of grants whose code was used, or that are over, and nonces of tokens. */
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

/** A code that comes a second time was stolen, by whoever was first or second: its tokens end (RFC 6749 section 4.1.2). */
function redeemCode(code: Code, by: Parameters<Grants['redeem']>[1], { used, revoked, clock }: Kept): Grant | Refused {
  if (used.has(code.id)) {
    revoked.add(code.id)
    return { refused: 'The code was used before. Its tokens are revoked.' }
  }
  used.add(code.id)
  if (code.until <= clock.now()) return { refused: 'The code has expired.' }
  if (code.redirectUri !== by.redirectUri) return { refused: 'redirect_uri is not the one of the authorization.' }
  if (!provesChallenge(code.challenge, by.verifier)) return { refused: 'code_verifier does not fit.' }
  return { id: code.id, accountId: code.accountId, scopes: code.scopes }
}

/** S256 of RFC 7636 section 4.6. A verifier for a code without a challenge is a mistake of the client, too. */
function provesChallenge(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null || verifier === undefined) return challenge === null && verifier === undefined
  return createHash('sha256').update(verifier).digest('base64url') === challenge
}

/** A set that forgets what was added first when it has more than `max` members. */
type BoundedSet = { add(member: string): void; has(member: string): boolean; clear(): void }

/** An empty one. */
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

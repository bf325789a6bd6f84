import { addMillis, epochNow } from '../../../src/contract/milliseconds.ts'
import { ProviderFailure } from '../../providers/provider-failure.ts'
import { secretIdentity } from '../../storage/secret-identity.ts'
import type { OAuthParts } from '../oauth-parts.ts'
import { storeSealed } from '../seal-current.ts'
import { renewGrant } from '../wire/token-calls.ts'
import { type Access, loadAccess } from './load-access.ts'
import { type Tokens, tokensOf, writeTokens } from './tokens.ts'

/** Which access is good enough for who asks: what another has renewed meanwhile is not renewed again. */
export type Suffices = (tokens: Tokens) => boolean

/**
 * How long a lease lasts: longer than the token endpoint may take, and not longer than somebody waits for a list after a server was killed in
 * the middle. How long one waits for another, and looks again.
 */
const LEASE_MS = 11_000
const WAIT_MS = 60_000
const POLL_MS = 100

/**
 * Renews the tokens of a stored credential, by one of all that want it on any node: the others wait for what it stores. New
 * tokens are stored before anybody has them, since the old ones may be void from then on.
 *
 * @throws ProviderFailure
 */
export async function renewStored(parts: OAuthParts, credentialId: string, suffices: Suffices): Promise<Access> {
  const owner = parts.world.ids.randomHex(16)
  const since = parts.world.clock.ticks()
  while (!(await lease(parts, credentialId, owner))) {
    if (parts.world.clock.ticks() - since > WAIT_MS)
      throw new ProviderFailure('transient', 'another server is renewing the tokens and has not ended')
    await parts.world.clock.wait(POLL_MS)
    const stored = await loadAccess(parts, credentialId)
    if (suffices(stored.tokens)) return stored
  }
  try {
    return await renewLeased(parts, { credentialId, owner, suffices })
  } finally {
    // After it was saved there is none any more.
    await parts.storage.endRefresh(credentialId, { owner, error: undefined })
  }
}

async function lease({ storage, world }: OAuthParts, credentialId: string, owner: string): Promise<boolean> {
  const now = epochNow(world.clock)
  return await storage.leaseRefresh(credentialId, { owner, now, until: addMillis(now, LEASE_MS) })
}

type Leased = { credentialId: string; owner: string; suffices: Suffices }

async function renewLeased(parts: OAuthParts, leased: Leased): Promise<Access> {
  const held = await loadAccess(parts, leased.credentialId)
  if (leased.suffices(held.tokens)) return held
  const tokens = await askAnew(parts, held, leased)
  if ('credential' in tokens) return tokens
  return await save(parts, { ...held, tokens }, { ...leased, before: held.tokens })
}

/** New tokens; or what another has stored although it had no lease any more, and by which the old ones became void. */
async function askAnew(parts: OAuthParts, held: Access, leased: Leased): Promise<Tokens | Access> {
  const { clock, log } = parts.world
  const { refreshToken } = held.tokens
  try {
    if (refreshToken === undefined) throw new ProviderFailure('grant_dead', 'it took back the access that it gave')
    const call = { enabled: held.enabled, clock, log, signal: new AbortController().signal }
    return tokensOf(await renewGrant(call, refreshToken), held.tokens, epochNow(clock))
  } catch (error) {
    if (!(error instanceof ProviderFailure && error.kind === 'grant_dead')) throw error
    const stored = await loadAccess(parts, leased.credentialId)
    if (stored.tokens.accessToken !== held.tokens.accessToken && leased.suffices(stored.tokens)) return stored
    throw error
  }
}

/** How often it is tried to save tokens after the lease was lost, as by a machine that slept. */
const TRIES_MAX = 50

async function save(parts: OAuthParts, renewed: Access, leased: Leased & { before: Tokens }): Promise<Access> {
  const { storage, vault, world } = parts
  const { credentialId, owner, before } = leased
  const { tokens, credential } = renewed
  const sealing = { plain: writeTokens(tokens), identity: secretIdentity.credential(credential) }
  for (let left = TRIES_MAX; left > 0; left--) {
    const saved = await storeSealed(vault, sealing, (secret) =>
      storage.saveRefreshed(credentialId, { owner, secret, expiresAt: tokens.expiresAt })
    )
    if (saved === 'saved') return renewed
    const stored = await loadAccess(parts, credentialId)
    if (stored.tokens.accessToken !== before.accessToken) return stored
    if (!(await lease(parts, credentialId, owner))) await world.clock.wait(POLL_MS)
  }
  throw new ProviderFailure('transient', 'new tokens could not be stored, since others were at it all the time')
}

import { addMillis, epochNow } from '../../../src/contract/epoch-ms.ts'
import { unlessAborted } from '../../../src/contract/unless-aborted.ts'
import { ProviderFailure } from '../../providers/port/provider-failure.ts'
import { secretIdentity } from '../../storage/port/connector-storage.ts'
import { storeSealed } from '../vault/store-sealed.ts'
import { renewGrant } from '../wire/exchange-code.ts'
import { type CredentialAccess, loadAccess } from './load-access.ts'
import { noteDeadGrant } from './note-dead-grant.ts'
import type { OAuthParts } from './oauth-parts.ts'
import { renewalDueAt, type Tokens, toTokens, writeTokens } from './tokens.ts'

/** Holds the tokens of credentials in memory and renews them. */
export type TokenKeeper = {
  /**
   * Returns valid tokens, or different ones after they were `refused`.
   *
   * @throws ProviderFailure `grant_dead`, `auth_expired`, `rate_limited`, `transient`; the reason of the signal.
   */
  access(
    credentialId: string,
    options: { refused?: Tokens | undefined; signal: AbortSignal }
  ): Promise<CredentialAccess>
  /** Drops the cached tokens of a credential that was changed or ended. */
  forget(credentialId: string): void
}

/** The number of credentials whose tokens are kept in memory. */
const KEPT_MAX = 1000

/** How long after a failed renewal the old token, or the refusal, stays in use, in milliseconds. */
const QUIET_MS = 30_000

/** `quietUntil` is in ticks; nothing is tried before it. With `dead`, these tokens do not work any more. */
type Kept = { access: CredentialAccess; quietUntil: number; dead?: ProviderFailure }

/** The refused tokens, and the condition for tokens that serve the caller. */
type Wanted = { refused: Tokens | undefined; suffices: Suffices }

/** Creates a keeper that caches open tokens. All callers of this process that need a renewal share one. */
export function createTokenKeeper(parts: OAuthParts): TokenKeeper {
  const { clock } = parts.world
  const kept = new Map<string, Kept>()
  const flights = new Map<string, Promise<CredentialAccess>>()

  return {
    forget: (credentialId) => void kept.delete(credentialId),
    async access(credentialId, { refused, signal }) {
      const wanted = { refused, suffices: sufficing(parts, refused) }
      for (;;) {
        signal.throwIfAborted()
        const known = kept.get(credentialId)
        if (known && serves(known, wanted)) return known.access
        const flight = flights.get(credentialId)
        // Shared work continues for the other callers.
        const access = await unlessAborted(flight ?? begin(credentialId, wanted), signal)
        // A renewal that began before the refusal may return the refused token.
        if (flight === undefined || access.tokens.accessToken !== refused?.accessToken) return access
      }
    }
  }

  function serves({ access: { tokens }, quietUntil, dead }: Kept, { refused, suffices }: Wanted): boolean {
    if (dead) return false
    const isQuiet = clock.ticks() < quietUntil && refused === undefined && !isOver(tokens, clock.now())
    return isQuiet || suffices(tokens)
  }

  function begin(credentialId: string, wanted: Wanted): Promise<CredentialAccess> {
    const known = kept.get(credentialId)
    const flight = obtain(parts, credentialId, { ...wanted, known })
      .then((entry) => keep(credentialId, entry))
      .finally(() => flights.delete(credentialId))
    flights.set(credentialId, flight)
    return flight
  }

  function keep(credentialId: string, entry: Kept): CredentialAccess {
    if (kept.size >= KEPT_MAX) kept.clear()
    kept.set(credentialId, entry)
    if (entry.dead) throw entry.dead
    return entry.access
  }
}

function sufficing({ world, settings }: OAuthParts, refused: Tokens | undefined): Suffices {
  return (tokens) => {
    const isDue = world.clock.now() >= renewalDueAt(tokens, settings.tokenMarginMs)
    return tokens.accessToken !== refused?.accessToken && !(isDue && tokens.refreshToken !== undefined)
  }
}

function isOver({ expiresAt }: Tokens, now: number): boolean {
  return expiresAt !== undefined && now >= expiresAt
}

/** Loads the stored tokens, and renews them if they do not suffice. */
async function obtain(
  parts: OAuthParts,
  credentialId: string,
  { known, ...wanted }: Wanted & { known: Kept | undefined }
): Promise<Kept> {
  const stored = await loadAccess(parts, credentialId).catch(async (error: unknown) => {
    throw await noteDeadGrant(parts, credentialId, error)
  })
  const isSame = known?.access.tokens.accessToken === stored.tokens.accessToken
  if (known?.dead && isSame && parts.world.clock.ticks() < known.quietUntil) return known
  return wanted.suffices(stored.tokens) ? { access: stored, quietUntil: 0 } : await renew(parts, stored, wanted)
}

async function renew(parts: OAuthParts, stored: CredentialAccess, { refused, suffices }: Wanted): Promise<Kept> {
  const { clock } = parts.world
  const { id } = stored.credential
  try {
    return { access: await renewStored(parts, id, suffices), quietUntil: 0 }
  } catch (thrown) {
    const error = await noteDeadGrant(parts, id, thrown)
    if (!(error instanceof ProviderFailure)) throw error
    const entry = { access: stored, quietUntil: clock.ticks() + QUIET_MS }
    if (error.kind === 'grant_dead') return { ...entry, dead: error }
    if (refused === undefined && !isOver(stored.tokens, clock.now())) return entry
    throw withoutRenewal(error)
  }
}

/** Builds the failure of a renewal that may succeed later. A broken endpoint says nothing about the grant. */
function withoutRenewal({ kind, message, retryAfterMs }: ProviderFailure): ProviderFailure {
  const isTold = kind === 'auth_expired' || kind === 'rate_limited'
  return new ProviderFailure(isTold ? kind : 'transient', message, { retryAfterMs, ofAccount: true })
}

/** Decides whether tokens suffice for a caller. Tokens that another caller renewed meanwhile are not renewed again. */
type Suffices = (tokens: Tokens) => boolean

/**
 * The lease outlasts the time limit of the token endpoint, and is short enough for a user who waits for a list after a
 * server was killed. The other values limit the wait for another node, and set how often it is checked.
 */
const LEASE_MS = 11_000
const WAIT_MS = 60_000
const POLL_MS = 100

/**
 * Renews the tokens of a stored credential. Only one caller on any node does so; the others wait for the result in the
 * storage. New tokens are stored before any caller gets them, because the old ones may be void from then on.
 *
 * @throws ProviderFailure
 */
async function renewStored(parts: OAuthParts, credentialId: string, suffices: Suffices): Promise<CredentialAccess> {
  const owner = parts.world.ids.randomHex(16)
  const since = parts.world.clock.ticks()
  while (!(await lease(parts, credentialId, owner))) {
    if (parts.world.clock.ticks() - since > WAIT_MS)
      throw new ProviderFailure('transient', 'another server is still renewing the tokens')
    await parts.world.clock.wait(POLL_MS)
    const stored = await loadAccess(parts, credentialId)
    if (suffices(stored.tokens)) return stored
  }
  try {
    return await renewLeased(parts, { credentialId, owner, suffices })
  } finally {
    // After the tokens were saved, the lease no longer exists.
    await parts.storage.endRefresh(credentialId, { owner, error: undefined })
  }
}

async function lease({ storage, world }: OAuthParts, credentialId: string, owner: string): Promise<boolean> {
  const now = epochNow(world.clock)
  return await storage.leaseRefresh(credentialId, { owner, now, until: addMillis(now, LEASE_MS) })
}

type Leased = { credentialId: string; owner: string; suffices: Suffices }

async function renewLeased(parts: OAuthParts, leased: Leased): Promise<CredentialAccess> {
  const held = await loadAccess(parts, leased.credentialId)
  if (leased.suffices(held.tokens)) return held
  const tokens = await askAnew(parts, held, leased)
  if ('credential' in tokens) return tokens
  return await save(parts, { ...held, tokens }, { ...leased, before: held.tokens })
}

/**
 * Requests new tokens. Returns instead what another node stored after it lost its lease, because that renewal made the
 * old tokens void.
 */
async function askAnew(parts: OAuthParts, held: CredentialAccess, leased: Leased): Promise<Tokens | CredentialAccess> {
  const { clock, log } = parts.world
  const { refreshToken } = held.tokens
  try {
    if (refreshToken === undefined) throw new ProviderFailure('grant_dead', 'the provider revoked the grant')
    const call = { enabled: held.enabled, clock, log, signal: new AbortController().signal }
    return toTokens(await renewGrant(call, refreshToken), held.tokens, epochNow(clock))
  } catch (error) {
    if (!(error instanceof ProviderFailure && error.kind === 'grant_dead')) throw error
    const stored = await loadAccess(parts, leased.credentialId)
    if (stored.tokens.accessToken !== held.tokens.accessToken && leased.suffices(stored.tokens)) return stored
    throw error
  }
}

/** The number of attempts to save tokens after the lease was lost, for example because the machine slept. */
const TRIES_MAX = 50

async function save(
  parts: OAuthParts,
  renewed: CredentialAccess,
  leased: Leased & { before: Tokens }
): Promise<CredentialAccess> {
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
  throw new ProviderFailure('transient', 'new tokens could not be stored because other servers kept changing them')
}

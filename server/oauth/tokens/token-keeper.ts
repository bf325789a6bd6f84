import { unlessAborted } from '../../providers/http/unless-aborted.ts'
import { ProviderFailure } from '../../providers/provider-failure.ts'
import type { OAuthParts } from '../oauth-parts.ts'
import { noteDeadGrant } from './dead-grant.ts'
import { type Access, loadAccess } from './load-access.ts'
import { renewStored, type Suffices } from './renew-stored.ts'
import { renewalDueAt, type Tokens } from './tokens.ts'

/** Has the tokens of credentials at hand, and sees to it that they are renewed. */
export type TokenKeeper = {
  /**
   * Tokens that are good now, or, after they were `refused`, others.
   *
   * @throws ProviderFailure `grant_dead`, `auth_expired`, `rate_limited`, `transient`; the reason of the signal.
   */
  access(credentialId: string, options: { refused?: Tokens | undefined; signal: AbortSignal }): Promise<Access>
  /** Forgets what it has of a credential that was changed or ended. */
  forget(credentialId: string): void
}

/** How many credentials are kept open in memory. */
const KEPT_MAX = 1000

/** After a renewal that failed: how long the old token, or the refusal, is what counts, in milliseconds. */
const QUIET_MS = 30_000

/** `quietUntil`: in ticks. Until then nothing is tried. `dead`: with these tokens nothing works any more. */
type Kept = { access: Access; quietUntil: number; dead?: ProviderFailure }

/** What was refused, and from which tokens on a caller is served. */
type Wanted = { refused: Tokens | undefined; suffices: Suffices }

/** Keeps open tokens in memory; all callers of this process that need a renewal share one. */
export function createTokenKeeper(parts: OAuthParts): TokenKeeper {
  const { clock } = parts.world
  const kept = new Map<string, Kept>()
  const flights = new Map<string, Promise<Access>>()

  return {
    forget: (credentialId) => void kept.delete(credentialId),
    async access(credentialId, { refused, signal }) {
      const wanted = { refused, suffices: sufficing(parts, refused) }
      for (;;) {
        signal.throwIfAborted()
        const known = kept.get(credentialId)
        if (known && serves(known, wanted)) return known.access
        const flight = flights.get(credentialId)
        // Shared work goes on for the others.
        const access = await unlessAborted(flight ?? begin(credentialId, wanted), signal)
        // What comes of a flight that began before the refusal may be what was refused.
        if (flight === undefined || access.tokens.accessToken !== refused?.accessToken) return access
      }
    }
  }

  function serves({ access: { tokens }, quietUntil, dead }: Kept, { refused, suffices }: Wanted): boolean {
    if (dead) return false
    const isQuiet = clock.ticks() < quietUntil && refused === undefined && !isOver(tokens, clock.now())
    return isQuiet || suffices(tokens)
  }

  function begin(credentialId: string, wanted: Wanted): Promise<Access> {
    const known = kept.get(credentialId)
    const flight = obtain(parts, credentialId, { ...wanted, known })
      .then((entry) => keep(credentialId, entry))
      .finally(() => flights.delete(credentialId))
    flights.set(credentialId, flight)
    return flight
  }

  function keep(credentialId: string, entry: Kept): Access {
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

/** What the storage has, renewed where that does not suffice. */
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

async function renew(parts: OAuthParts, stored: Access, { refused, suffices }: Wanted): Promise<Kept> {
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

/** A renewal that failed and may work another time. That the endpoint is out of order says nothing of the grant. */
function withoutRenewal({ kind, message, retryAfterMs }: ProviderFailure): ProviderFailure {
  const isTold = kind === 'auth_expired' || kind === 'rate_limited'
  return new ProviderFailure(isTold ? kind : 'transient', message, { retryAfterMs, ofAccount: true })
}

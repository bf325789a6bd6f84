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
   * @throws ProviderFailure `grant_dead`, `auth_expired`, `transient`; the reason of the signal.
   */
  access(credentialId: string, options: { refused?: Tokens | undefined; signal: AbortSignal }): Promise<Access>
  /** Forgets what it has of a credential that was changed or ended. */
  forget(credentialId: string): void
}

/** How many credentials are kept open in memory. */
const KEPT_MAX = 1000

/** After a renewal that failed: how long the old token, or the refusal, is what counts, in milliseconds. */
const QUIET_MS = 30_000

/** `quietUntil`: in ticks. Until then nothing is tried. */
type Kept = { access: Access; quietUntil: number; dead?: ProviderFailure }

/** What was refused, and from which tokens on a caller is served. */
type Wanted = { refused: Tokens | undefined; suffices: Suffices }

export function createTokenKeeper(parts: OAuthParts): TokenKeeper {
  const { clock } = parts.world
  const { tokenMarginMs } = parts.settings
  const kept = new Map<string, Kept>()
  const flights = new Map<string, Promise<Access>>()

  return {
    forget: (credentialId) => void kept.delete(credentialId),
    async access(credentialId, { refused, signal }) {
      const suffices = (tokens: Tokens): boolean => tokens.accessToken !== refused?.accessToken && !isDue(tokens)
      for (;;) {
        signal.throwIfAborted()
        const known = keptAccess(credentialId, { refused, suffices })
        if (known) return known
        const flight = flights.get(credentialId)
        const access = await unlessAborted(flight ?? begin(credentialId, { refused, suffices }), signal)
        // What comes of a flight that began before the refusal may be what was refused.
        if (flight === undefined || access.tokens.accessToken !== refused?.accessToken) return access
      }
    }
  }

  function keptAccess(credentialId: string, { refused, suffices }: Wanted): Access | undefined {
    const known = kept.get(credentialId)
    if (known === undefined || known.dead) return undefined
    const serves = clock.ticks() < known.quietUntil && refused === undefined && !isOver(known.access.tokens)
    return serves || suffices(known.access.tokens) ? known.access : undefined
  }

  function isDue(tokens: Tokens): boolean {
    return tokens.refreshToken !== undefined && clock.now() >= renewalDueAt(tokens, tokenMarginMs)
  }

  function isOver({ expiresAt }: Tokens): boolean {
    return expiresAt !== undefined && clock.now() >= expiresAt
  }

  function begin(credentialId: string, wanted: Wanted): Promise<Access> {
    const flight = obtain(credentialId, wanted).finally(() => flights.delete(credentialId))
    flights.set(credentialId, flight)
    return flight
  }

  async function obtain(credentialId: string, wanted: Wanted): Promise<Access> {
    const known = kept.get(credentialId)
    const stored = await loadAccess(parts, credentialId).catch(async (error: unknown) => {
      throw await noteDeadGrant(parts, credentialId, error)
    })
    const isSame = known?.access.tokens.accessToken === stored.tokens.accessToken
    if (known?.dead && isSame && clock.ticks() < known.quietUntil) throw known.dead
    if (wanted.suffices(stored.tokens)) return keep({ access: stored, quietUntil: 0 })
    return await renew(stored, wanted)
  }

  async function renew(stored: Access, { refused, suffices }: Wanted): Promise<Access> {
    const { id } = stored.credential
    try {
      return keep({ access: await renewStored(parts, id, suffices), quietUntil: 0 })
    } catch (thrown) {
      const error = await noteDeadGrant(parts, id, thrown)
      if (!(error instanceof ProviderFailure)) throw error
      const entry = { access: stored, quietUntil: clock.ticks() + QUIET_MS }
      if (error.kind === 'grant_dead') {
        keep({ ...entry, dead: error })
        throw error
      }
      if (refused === undefined && !isOver(stored.tokens)) return keep(entry)
      throw withoutRenewal(error, refused !== undefined)
    }
  }

  function keep(entry: Kept): Access {
    if (kept.size >= KEPT_MAX) kept.clear()
    kept.set(entry.access.credential.id, entry)
    return entry.access
  }
}

/** A renewal that failed and may work another time. */
function withoutRenewal({ kind, message, retryAfterMs }: ProviderFailure, wasRefused: boolean): ProviderFailure {
  const isExpired = wasRefused || kind === 'auth_expired'
  return new ProviderFailure(isExpired ? 'auth_expired' : 'transient', message, { retryAfterMs })
}

/** Leaves shared work alone, which goes on for the others. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const over = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { signal: over.signal })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    over.abort()
  }
}

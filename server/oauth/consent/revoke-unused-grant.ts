import { unlessAborted } from '../../../src/contract/unless-aborted.ts'
import type { Clock } from '../../../src/ports.ts'
import { startTimeLimit } from '../../providers/http/time-limit.ts'
import type { OAuthParts } from '../tokens/oauth-parts.ts'
import type { Tokens } from '../tokens/tokens.ts'
import type { EnabledProvider } from '../wire/enabled-provider.ts'
import { requestRevocation } from '../wire/request-revocation.ts'

/** A grant that no connection uses. `accountId` is absent if the account is unknown. */
type UnusedGrant = { enabled: EnabledProvider; tokens: Tokens; accountId: string | undefined }

/**
 * Revokes a new grant that no connection uses. Does nothing if the account has another grant in use, because one
 * revocation may end both. Does not wait for a slow provider.
 */
export async function revokeUnusedGrant(parts: OAuthParts, { enabled, tokens, accountId }: UnusedGrant): Promise<void> {
  const { storage, world } = parts
  const { clientId } = enabled
  const provider = enabled.provider.facts.id
  if (accountId !== undefined && (await storage.findCredentialForAccount({ provider, clientId, accountId }))) return
  await waitForRevocation(world.clock, revokeAndLog(parts, { enabled, tokens }))
}

async function revokeAndLog({ world }: OAuthParts, { enabled, tokens }: Omit<UnusedGrant, 'accountId'>): Promise<void> {
  const signal = new AbortController().signal
  const isOver = await requestRevocation({ enabled, clock: world.clock, log: world.log, signal }, tokens)
  const provider = enabled.provider.facts.id
  world.log.info({ provider, revoked: isOver }, 'revoked an unused grant')
}

/**
 * How long a person who returns from a provider waits for a revocation, in milliseconds. Together with the time to link
 * the account it is below the 15 seconds within which every callback is answered.
 */
const REVOCATION_MS_MAX = 2_000

/** Waits a short time for a revocation. A slower one continues in the background, within its own limits. */
export async function waitForRevocation(clock: Pick<Clock, 'wait'>, work: Promise<unknown>): Promise<void> {
  const limit = startTimeLimit(clock, REVOCATION_MS_MAX, () => TOO_LATE)
  try {
    await unlessAborted(work, limit.signal)
  } catch (error) {
    if (error !== TOO_LATE) throw error
  } finally {
    limit.end()
  }
}

const TOO_LATE = Symbol('a grant is still being revoked')

import { addMillis, epochNow } from '../../../src/contract/epoch-ms.ts'
import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import { ProviderFailure } from '../../providers/port/provider-failure.ts'
import type { OAuthParts } from './oauth-parts.ts'

/** Long enough to note something, in milliseconds. */
const LEASE_MS = 10_000

/**
 * Where something thrown says that a grant is over, says at every connection that uses it what mends that, and gives back the
 * failure in those words. Anything else is given back as it is.
 */
export async function noteDeadGrant(
  { storage, enabled, world }: OAuthParts,
  credentialId: string,
  error: unknown
): Promise<unknown> {
  if (!(error instanceof ProviderFailure && error.kind === 'grant_dead')) return error
  const credential = await storage.credential(credentialId)
  if (credential === undefined) return error
  const { provider } = credential
  const service = enabled.get(provider)?.provider.facts.service ?? provider
  const sentence = `${service} no longer takes the stored credentials, ${error.message}: ${connectAgain(provider)}`
  const now = epochNow(world.clock)
  const owner = world.ids.randomHex(16)
  // Who has the lease is finding out the same.
  if (await storage.leaseRefresh(credentialId, { owner, now, until: addMillis(now, LEASE_MS) }))
    await storage.endRefresh(credentialId, { owner, error: sentence })
  world.log.info({ credentialId, provider, failure: sentence }, 'a grant is over')
  return new ProviderFailure('grant_dead', sentence)
}

/** What mends it. The collection is named where the sentence is shown, since several may share a grant. */
function connectAgain(provider: ProviderId): string {
  return `link the account again with memctl connect ${provider} -c <collection>`
}

/** Whether the last error of a connection is one that a new consent mends. */
export function isGrantError(error: string): boolean {
  return error.includes(' no longer takes the stored credentials, ')
}

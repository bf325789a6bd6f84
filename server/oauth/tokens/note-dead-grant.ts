import { addMillis, epochNow } from '../../../src/contract/epoch-ms.ts'
import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import { ProviderFailure } from '../../providers/port/provider-failure.ts'
import type { ConnectorStorage } from '../../storage/port/connector-storage.ts'
import type { OAuthParts } from './oauth-parts.ts'

/** The lease while an error is noted, in milliseconds. */
const LEASE_MS = 10_000

/**
 * If an error means that a grant is dead, notes the fix at every connection that uses the grant, and returns the
 * failure with that text. Returns any other error unchanged.
 */
export async function noteDeadGrant(parts: OAuthParts, credentialId: string, error: unknown): Promise<unknown> {
  const { storage, enabled, world } = parts
  if (!(error instanceof ProviderFailure && error.kind === 'grant_dead')) return error
  const credential = await storage.findCredential(credentialId)
  if (credential === undefined) return error
  const { provider } = credential
  const service = enabled.get(provider)?.provider.facts.service ?? provider
  const sentence = `${service} no longer accepts the stored credentials, ${error.message}: ${connectAgain(provider)}`
  await noteGrantError(parts, credentialId, sentence)
  world.log.info({ credentialId, provider, failure: sentence }, 'grant is no longer valid')
  return new ProviderFailure('grant_dead', sentence)
}

/** Notes an error at every connection that uses a grant, unless a holder of the lease is finding out the same. */
export async function noteGrantError(
  { storage, world }: NoteParts,
  credentialId: string,
  error: string
): Promise<void> {
  const now = epochNow(world.clock)
  const owner = world.ids.randomHex(16)
  if (await storage.leaseRefresh(credentialId, { owner, now, until: addMillis(now, LEASE_MS) }))
    await storage.endRefresh(credentialId, { owner, error })
}

type NoteParts = {
  storage: Pick<ConnectorStorage, 'leaseRefresh' | 'endRefresh'>
  world: Pick<OAuthParts['world'], 'clock' | 'ids'>
}

/** Returns the fix for a dead grant. The text that is shown names the collection, because several may share a grant. */
function connectAgain(provider: ProviderId): string {
  return `connect the account again with memctl connect ${provider} -c <collection>`
}

/** Returns the error of connections whose credentials were forgotten with a lost key file. */
export function describeForgottenGrant(provider: ProviderId): string {
  return `the stored credentials were forgotten, because the key file was lost: ${connectAgain(provider)}`
}

/** Returns whether a new consent fixes the last error of a connection. */
export function isGrantError(error: string): boolean {
  // Earlier versions stored the text with `takes`.
  return / no longer (?:accepts|takes) the stored credentials, |^the stored credentials were forgotten, /.test(error)
}

import type { Clock, Log } from '../../src/ports.ts'
import { revokeGrant } from '../connections/revoke-grant.ts'
import type { OAuth } from '../oauth/oauth.ts'
import type { ConnectorStorage } from '../storage/connector-storage.ts'

export type RevokeUnusedParts = {
  storage: Pick<ConnectorStorage, 'takeUnusedCredentials'>
  oauth: OAuth
  world: { clock: Clock; log: Log }
}

/** Few, so that little is lost where the process ends between taking them out and telling the provider. */
const AT_ONCE = 5

/** Revokes the grants that nobody uses any more since their collections were deleted. */
export async function revokeUnused({ storage, oauth, world }: RevokeUnusedParts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const credentials = await storage.takeUnusedCredentials(AT_ONCE)
    await Promise.all(credentials.map((credential) => revokeGrant({ oauth, world }, credential)))
    if (credentials.length < AT_ONCE) return
  }
}

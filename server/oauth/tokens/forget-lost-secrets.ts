import type { Clock, Ids, Log } from '../../../src/ports.ts'
import type { ConnectorStorage } from '../../storage/port/connector-storage.ts'
import type { OpenVault } from '../vault/open-vault.ts'
import { resealAll } from '../vault/rotate-key-ring.ts'
import { describeForgottenGrant, noteGrantError } from './note-dead-grant.ts'

export type ForgetParts = {
  /** Opened with `forgetsLost`. */
  vault: OpenVault
  storage: Pick<
    ConnectorStorage,
    'listStaleSecrets' | 'resealSecret' | 'findCredential' | 'leaseRefresh' | 'endRefresh'
  >
  world: { clock: Clock; ids: Ids; log: Log }
}

/**
 * Replaces each stored secret that no key of the vault opens by a placeholder that never opens, and notes at the
 * connections of a replaced credential that the account must be connected again. Secrets that open are sealed with the
 * current key. May be interrupted and repeated at any step. Returns the number of replaced credentials.
 *
 * @throws Fault `conflict` if other servers keep changing the keys.
 */
export async function forgetLostSecrets(parts: ForgetParts): Promise<number> {
  const { vault, storage, world } = parts
  const forgotten = new Set<string>()
  await resealAll(parts, {
    // Before it is replaced: after an interruption, a replaced secret would not be found again.
    onLost: async ({ kind, id }) => {
      const credential = kind === 'credential' ? await storage.findCredential(id) : undefined
      if (credential === undefined) return
      // If a server that was killed seconds ago still has the lease, the next sync notes the error.
      await noteGrantError(parts, id, describeForgottenGrant(credential.provider))
      forgotten.add(id)
    }
  })
  world.log.info({ vaultKey: vault.keys.current().id, forgotten: forgotten.size }, 'forgot credentials of lost keys')
  return forgotten.size
}

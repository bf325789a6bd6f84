import { addMillis, epochNow } from '../../../src/contract/epoch-ms.ts'
import { Fault } from '../../../src/contract/faults.ts'
import type { Clock, Ids, Log } from '../../../src/ports.ts'
import type { ConnectorStorage, StaleSecret } from '../../storage/port/connector-storage.ts'
import type { OpenVault } from '../vault/open-vault.ts'
import { describeForgottenGrant } from './note-dead-grant.ts'

export type ForgetParts = {
  /** Opened with `forgetsLost`. */
  vault: OpenVault
  storage: Pick<
    ConnectorStorage,
    'listStaleSecrets' | 'resealSecret' | 'findCredential' | 'leaseRefresh' | 'endRefresh'
  >
  world: { clock: Clock; ids: Ids; log: Log }
}

/** Number of secrets that are loaded at a time. */
const PAGE_SECRETS = 100

/** How long the right to write the error of a connection is held, in milliseconds. */
const LEASE_MS = 10_000

/**
 * Replaces each stored secret that no key of the vault opens by a placeholder that never opens, and notes at the connections
 * of a replaced credential that the account must be connected again. Secrets that open are sealed with the current key.
 * May be interrupted and repeated at any step. Returns the number of replaced credentials.
 */
export async function forgetLostSecrets(parts: ForgetParts): Promise<number> {
  const { vault, storage, world } = parts
  let forgotten = 0
  for (;;) {
    const page = await storage.listStaleSecrets(PAGE_SECRETS)
    if (page.length === 0) break
    for (const stale of page) {
      const plain = await openIfPossible(vault, stale)
      // First the note: after an interruption, a replaced secret would not be found again.
      if (plain === undefined && stale.kind === 'credential') await noteForgotten(parts, stale.id)
      const next = await vault.seal(plain ?? NOTHING, plain === undefined ? 'forgotten' : stale.identity)
      const isReplaced = await storage.resealSecret(stale, next)
      if (isReplaced && plain === undefined && stale.kind === 'credential') forgotten++
    }
  }
  world.log.info({ vaultKey: vault.keys.current().id, forgotten }, 'forgot the credentials of lost vault keys')
  return forgotten
}

const NOTHING = Uint8Array.of(0)

async function openIfPossible(vault: OpenVault, { secret, identity }: StaleSecret): Promise<Uint8Array | undefined> {
  try {
    return await vault.open(secret, identity)
  } catch (error) {
    if (error instanceof Fault && error.code === 'damaged_storage') return undefined
    throw error
  }
}

async function noteForgotten({ storage, world }: ForgetParts, credentialId: string): Promise<void> {
  const credential = await storage.findCredential(credentialId)
  if (credential === undefined) return
  const now = epochNow(world.clock)
  const owner = world.ids.randomHex(16)
  // If a server that was killed seconds ago still has the lease, the next sync notes the error.
  if (await storage.leaseRefresh(credentialId, { owner, now, until: addMillis(now, LEASE_MS) }))
    await storage.endRefresh(credentialId, { owner, error: describeForgottenGrant(credential.provider) })
}

import { forgetLostSecrets } from '../../server/oauth/tokens/forget-lost-secrets.ts'
import { type OpenVault, openVault } from '../../server/oauth/vault/open-vault.ts'
import { rotateKeyRing } from '../../server/oauth/vault/rotate-key-ring.ts'
import { keyFilePath, lockDataFolder } from '../../server/service/lock-data-folder.ts'
import type { ServerSettings } from '../../server/service/server-settings.ts'
import { systemKeyRingFile } from '../../server/service/system-key-ring-file.ts'
import type { Storage } from '../../server/storage/port/storage.ts'
import { openStorage } from './open-storage.ts'
import type { ServerWorld } from './run-server.ts'

/**
 * Seals all stored credentials with a new key without a server, while this process uses the data folder exclusively.
 * Other servers over one PostgreSQL may be running.
 *
 * @throws Fault `locked` if a server uses the data folder; `not_found` if there is no store.
 */
export async function rotateKey(
  settings: ServerSettings,
  world: ServerWorld
): Promise<{ key_id: string; resealed: number }> {
  return await withVault({ settings, world, forgetsLost: false }, async ({ vault, storage }) => {
    const { keyId, resealed } = await rotateKeyRing({ vault, storage, world })
    return { key_id: keyId, resealed }
  })
}

/**
 * Forgets the stored credentials whose vault key is lost, so that a server can start again. Their connections report
 * that the account must be connected again. Everything else is kept.
 *
 * @throws Fault `locked` if a server uses the data folder; `not_found` if there is no store; `system_refused` if the key
 * file is damaged or belongs to another store.
 */
export async function forgetCredentials(
  settings: ServerSettings,
  world: ServerWorld
): Promise<{ key_id: string; forgotten: number }> {
  return await withVault({ settings, world, forgetsLost: true }, async ({ vault, storage }) => {
    const forgotten = await forgetLostSecrets({ vault, storage, world })
    return { key_id: vault.keys.current().id, forgotten }
  })
}

type Opened = { vault: OpenVault; storage: Storage }

async function withVault<T>(
  { settings, world, forgetsLost }: { settings: ServerSettings; world: ServerWorld; forgetsLost: boolean },
  work: (opened: Opened) => Promise<T>
): Promise<T> {
  const alone = settings.databaseUrl === undefined
  const run = async (): Promise<T> => {
    const { clock, startThread } = world
    const storage = await openStorage({ startThread, clock, settings, mustExist: true })
    try {
      const file = systemKeyRingFile(world, keyFilePath(settings))
      return await work({ storage, vault: await openVault({ file, storage, world, alone, forgetsLost }) })
    } finally {
      await storage.close()
    }
  }
  return alone ? await lockDataFolder(world, settings.dataDir, run) : await run()
}

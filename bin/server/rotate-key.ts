import { openVault } from '../../server/oauth/vault/open-vault.ts'
import { rotateKeyRing } from '../../server/oauth/vault/rotate-key-ring.ts'
import { keyFilePath, lockDataFolder } from '../../server/service/lock-data-folder.ts'
import type { ServerSettings } from '../../server/service/server-settings.ts'
import { systemKeyRingFile } from '../../server/service/system-key-ring-file.ts'
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
  if (settings.databaseUrl === undefined)
    return await lockDataFolder(world, settings.dataDir, () => rotate(settings, world))
  return await rotate(settings, world)
}

async function rotate(settings: ServerSettings, world: ServerWorld): Promise<{ key_id: string; resealed: number }> {
  const { clock, startThread } = world
  const storage = await openStorage({ startThread, clock, settings, mustExist: true })
  try {
    const file = systemKeyRingFile(world, keyFilePath(settings))
    const vault = await openVault({ file, storage, world, alone: settings.databaseUrl === undefined })
    const { keyId, resealed } = await rotateKeyRing({ vault, storage, world })
    return { key_id: keyId, resealed }
  } finally {
    await storage.close()
  }
}

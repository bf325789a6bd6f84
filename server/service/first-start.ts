import { epochNow } from '../../src/contract/milliseconds.ts'
import type { Clock, Ids, Log } from '../../src/ports.ts'
import { newCollection } from '../http/handlers/collection-handlers.ts'
import { uuidV7 } from '../http/handlers/uuid-v7.ts'
import { hashKey, makeKey } from '../http/make-key.ts'
import type { Storage } from '../storage/storage.ts'

export type FirstStart = {
  storage: Storage
  world: { clock: Clock; ids: Ids; log: Log }
  /** The admin key that the settings give. */
  adminKey: string | undefined
  /** Whether a storage that has had keys gets one more for an admin: whoever runs it has lost theirs. */
  newAdminKey?: boolean | undefined
}

/**
 * Where the storage has never had a key: makes the first admin key and a collection `default`. Gives the key's secret to the
 * one of several servers that made it, this once; undefined at every later start that is not to make another.
 *
 * @throws Fault `conflict` where the settings give a key for another one that had been here before and is no admin's now.
 */
export async function firstStart({ storage, world, adminKey, newAdminKey }: FirstStart): Promise<string | undefined> {
  const { secret, hash } = adminKey === undefined ? makeKey(world.ids) : { secret: adminKey, hash: hashKey(adminKey) }
  const key = { id: uuidV7(world), name: 'admin', admin: true, createdAt: epochNow(world.clock), grants: [], hash }
  const collection = newCollection({ ...world, ephemeralTtlMs: 0 }, { name: 'default' })
  if (await storage.setUp({ key, collection })) {
    world.log.info({ keyId: key.id, collectionId: collection.id }, 'first start: made an admin key and a collection')
    return secret
  }
  const known = adminKey === undefined ? undefined : await storage.keyByHash(hash)
  if (newAdminKey === true) {
    if (known?.admin === true) return secret
    await storage.createKey(key)
    world.log.info({ keyId: key.id }, 'made one more admin key, as --new-admin-key says')
    return secret
  }
  if (adminKey !== undefined && known === undefined) {
    world.log.error({}, 'MEMCTL_ADMIN_KEY is no valid key here: it counts at the first start, or with --new-admin-key')
  }
  return undefined
}

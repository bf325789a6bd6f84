import type { Key, KeyGrant } from '../../../src/contract/endpoints/keys.ts'
import { epochNow, toWireTime } from '../../../src/contract/epoch-ms.ts'
import { Fault } from '../../../src/contract/faults.ts'
import type { StoredGrant, StoredKey } from '../../storage/port/collection-storage.ts'
import type { Storage } from '../../storage/port/storage.ts'
import type { Handlers } from '../handler.ts'
import { makeKey } from '../make-key.ts'
import type { HandlerWorld } from './handler-world.ts'
import { uuidV7 } from './uuid-v7.ts'

/** Creates the handlers of keys. A secret is shown once and stored as a hash. */
export function keyHandlers(world: HandlerWorld): Pick<Handlers, 'createKey' | 'listKeys' | 'revokeKey'> {
  const { storage, clock } = world
  return {
    async createKey({ body: { name, grants, admin } }) {
      await testGrants(storage, grants)
      const { secret, hash } = makeKey(world.ids)
      const key: StoredKey = { id: uuidV7(world), name, admin, createdAt: epochNow(clock), grants: mergeGrants(grants) }
      await storage.createKey({ ...key, hash })
      return { status: 201, json: { ...toWire(key), key: secret } }
    },
    async listKeys() {
      return { status: 200, json: (await storage.listKeys()).map(toWire) }
    },
    async revokeKey({ params: { key_id } }) {
      const outcome = await storage.revokeKey(key_id)
      if (outcome === 'unknown')
        throw new Fault('not_found', `key ${key_id} does not exist`, { hint: 'memctl keys list' })
      if (outcome === 'last') {
        throw new Fault(
          'conflict',
          'the last admin key cannot be revoked, because only an admin key can create another one',
          {
            hint: 'create another admin key first: memctl keys create NAME --admin'
          }
        )
      }
      return { status: 200, json: { message: `Key ${key_id} revoked` } }
    }
  }
}

/**
 * Checks that the collections of grants exist. A grant for a missing collection is probably a typing error, and would
 * take effect unnoticed if the collection were created later.
 */
async function testGrants(storage: Storage, grants: readonly KeyGrant[]): Promise<void> {
  if (grants.length === 0) return
  const ids = [...new Set(grants.map(({ collection_id }) => collection_id))]
  const there = new Set((await storage.listCollections(ids)).map(({ id }) => id))
  const missing = grants.findIndex(({ collection_id }) => !there.has(collection_id))
  if (missing < 0) return
  throw new Fault('not_found', `collection ${grants[missing]?.collection_id} does not exist`, {
    hint: 'memctl collections list',
    errors: [{ path: `grants[${missing}].collection_id`, message: 'collection does not exist' }]
  })
}

/** Keeps one grant for each collection, the one with more access. */
function mergeGrants(grants: readonly KeyGrant[]): StoredGrant[] {
  const byCollection = new Map<string, StoredGrant>()
  for (const { collection_id: collectionId, permission } of grants) {
    if (byCollection.get(collectionId)?.permission !== 'edit')
      byCollection.set(collectionId, { collectionId, permission })
  }
  return [...byCollection.values()]
}

function toWire({ id, name, admin, createdAt, grants }: StoredKey): Key {
  const wire = grants.map(({ collectionId, permission }) => ({ collection_id: collectionId, permission }))
  return { id, name, grants: wire, admin, created_at: toWireTime(createdAt) }
}

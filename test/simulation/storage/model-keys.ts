import { Buffer } from 'node:buffer'
import type {
  KeyStorage,
  NewStoredKey,
  StoredGrant,
  StoredKey
} from '../../../server/storage/port/collection-storage.ts'
import { Fault } from '../../../src/contract/faults.ts'
import { putCollection } from './model-collections.ts'
import { findValidKey, requireCollection } from './model-lookups.ts'
import type { KeyRow } from './model-rows.ts'
import { compareValues, type ModelMethods, type ModelTransaction } from './model-transaction.ts'

export const modelKeys: ModelMethods<KeyStorage> = {
  createKey: putKey,

  findKeyByHash(transaction, hash) {
    const wanted = Buffer.from(hash).toString('hex')
    const [key] = transaction.select('keys', (row) => row.hash === wanted && isValid(row))
    return key && toStoredKey(transaction, key)
  },

  listKeys(transaction) {
    return transaction
      .select('keys', isValid)
      .toSorted((one, other) => compareValues(one.createdAt, other.createdAt) || compareValues(one.id, other.id))
      .map((key) => toStoredKey(transaction, key))
  },

  revokeKey(transaction, id) {
    const key = findValidKey(transaction, id)
    if (key === undefined) return 'unknown'
    const others = transaction.select('keys', (row) => row.admin && isValid(row) && row.id !== id)
    if (key.admin && others.length === 0) return 'last'
    transaction.update('keys', key, { revokedAt: transaction.now })
    transaction.remove(
      'grants',
      transaction.select('grants', ({ keyId }) => keyId === id)
    )
    return 'revoked'
  },

  setUp(transaction, { key, collection }) {
    const [oldest] = transaction.select('keys').toSorted((one, other) => compareValues(one.createdAt, other.createdAt))
    if (oldest !== undefined) return oldest.id === key.id
    putCollection(transaction, collection)
    putKey(transaction, key)
    return true
  }
}

function isValid({ revokedAt }: KeyRow): boolean {
  return revokedAt === undefined
}

function putKey(transaction: ModelTransaction, key: NewStoredKey): void {
  const { id, name, admin, createdAt } = key
  for (const { collectionId } of key.grants) requireCollection(transaction, collectionId)
  const hash = Buffer.from(key.hash).toString('hex')
  const [other] = transaction.select('keys', (row) => row.hash === hash && row.id !== id)
  if (other !== undefined)
    throw new Fault('conflict', `this secret belongs to the key ${other.id}, which may be revoked`, {
      hint: 'choose another secret'
    })
  if (transaction.find('keys', id) === undefined)
    transaction.insert('keys', { id, name, admin, createdAt, hash, revokedAt: undefined })
  for (const [collectionId, permission] of strongestGrants(key.grants))
    if (transaction.find('grants', `${id} ${collectionId}`) === undefined)
      transaction.insert('grants', { keyId: id, collectionId, permission })
}

/** Returns the permissions by collection. Of two for one collection, `edit` counts. */
function strongestGrants(grants: readonly StoredGrant[]): Map<string, StoredGrant['permission']> {
  const strongest = new Map<string, StoredGrant['permission']>()
  for (const { collectionId, permission } of grants)
    if (strongest.get(collectionId) !== 'edit') strongest.set(collectionId, permission)
  return strongest
}

function toStoredKey(transaction: ModelTransaction, { hash, revokedAt, ...key }: KeyRow): StoredKey {
  const grants = transaction.select('grants', ({ keyId }) => keyId === key.id)
  return { ...key, grants: grants.map(({ collectionId, permission }) => ({ collectionId, permission })) }
}

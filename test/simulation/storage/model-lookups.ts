import type { Hold } from '../../../server/storage/port/sync-storage.ts'
import { Fault } from '../../../src/contract/faults.ts'
import { type CollectionRow, type ConnectionRow, type KeyRow, ONLY_ROW } from './model-rows.ts'
import type { ModelTransaction } from './model-transaction.ts'

/** Returns a collection that is not deleted. */
export function findCollection(transaction: ModelTransaction, id: string): CollectionRow | undefined {
  const row = transaction.find('collections', id)
  return row?.deletedAt === undefined ? row : undefined
}

/** @throws Fault `not_found` for a collection that is not there, or no longer. */
export function requireCollection(transaction: ModelTransaction, id: string): CollectionRow {
  const row = findCollection(transaction, id)
  if (row !== undefined) return row
  throw new Fault('not_found', `collection ${id} does not exist`, {
    hint: 'list the collections: memctl collections list'
  })
}

/** Returns a key that is not revoked. */
export function findValidKey(transaction: ModelTransaction, id: string): KeyRow | undefined {
  const row = transaction.find('keys', id)
  return row?.revokedAt === undefined ? row : undefined
}

/** Returns the connection that a hold names, if it is still held by it. */
export function findHeld(
  transaction: ModelTransaction,
  { connectionId, owner, fence }: Hold
): ConnectionRow | undefined {
  const row = transaction.find('connections', connectionId)
  return row !== undefined && row.leaseOwner === owner && row.fence === fence ? row : undefined
}

/** Whether a connection uses a credential. */
export function isUsed(transaction: ModelTransaction, credentialId: string): boolean {
  return transaction.select('connections', (row) => row.credentialId === credentialId).length > 0
}

/** The key that secrets are sealed with. */
export function currentVaultKey(transaction: ModelTransaction): string | undefined {
  return transaction.find('vault', ONLY_ROW)?.currentKey
}

import type { Hold } from '../../../server/storage/port/sync-storage.ts'
import { Fault } from '../../../src/contract/faults.ts'
import { type CollectionRow, type ConnectionRow, type KeyRow, ONLY_ROW } from './model-rows.ts'
import type { ModelTransaction } from './model-transaction.ts'

/** Returns a collection that is not deleted. */
export function findCollection(transaction: ModelTransaction, id: string): CollectionRow | undefined {
  const row = transaction.find('collections', id)
  return row?.deletedAt === undefined ? row : undefined
}

/** @throws Fault `not_found` for a collection that does not exist or was deleted. */
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

/** Returns the connection of a hold, if the hold is still valid. */
export function findHeld(
  transaction: ModelTransaction,
  { connectionId, owner, fence }: Hold
): ConnectionRow | undefined {
  const row = transaction.find('connections', connectionId)
  return row !== undefined && row.leaseOwner === owner && row.fence === fence ? row : undefined
}

/** Returns whether a connection uses a credential. */
export function isUsed(transaction: ModelTransaction, credentialId: string): boolean {
  return transaction.select('connections', (row) => row.credentialId === credentialId).length > 0
}

/** Returns the key that currently encrypts secrets. */
export function currentVaultKey(transaction: ModelTransaction): string | undefined {
  return transaction.find('vault', ONLY_ROW)?.currentKey
}

import type { ReferenceRow } from './model-rows.ts'
import type { ModelTransaction } from './model-transaction.ts'

/** Returns the references to a memory. */
export function listReferences(
  transaction: ModelTransaction,
  collectionId: string,
  memoryKey: string
): readonly ReferenceRow[] {
  return transaction.select('references', (row) => row.memoryKey === memoryKey && row.collectionId === collectionId)
}

/** Notes that a person owns a memory, if items own it and no person does. */
export function keepByHand(transaction: ModelTransaction, collectionId: string, memoryKey: string): void {
  const references = listReferences(transaction, collectionId, memoryKey)
  if (references.length > 0) addByHand(transaction, collectionId, memoryKey)
}

/** Notes that a person owns a memory. */
export function addByHand(transaction: ModelTransaction, collectionId: string, memoryKey: string): void {
  transaction.put('references', { collectionId, memoryKey, connectionId: undefined, itemId: '' })
}

/** Removes every reference to a memory. */
export function removeReferences(transaction: ModelTransaction, collectionId: string, memoryKey: string): void {
  transaction.remove('references', listReferences(transaction, collectionId, memoryKey))
}

/** Returns whether a person or an item of a connection that is not revoked owns the memory. */
export function isReferenced(transaction: ModelTransaction, collectionId: string, memoryKey: string): boolean {
  return listReferences(transaction, collectionId, memoryKey).some(({ connectionId }) => {
    if (connectionId === undefined) return true
    const connection = transaction.find('connections', connectionId)
    return connection !== undefined && connection.revokedAt === undefined
  })
}

import { Buffer } from 'node:buffer'
import { sql } from 'kysely'
import type { CollectionScope } from '../database/dialect.ts'
import { splitIntoParts, toBytes } from '../database/stored-values.ts'
import { BY_HAND, type Db, type ReferenceRow } from '../database/tables.ts'

/** The item id in a reference by hand. */
const NO_ITEM: Uint8Array = Buffer.from(BY_HAND)

/** A reference in a form that can be compared. */
export type Reference = { memoryKey: Uint8Array; connectionId: string; itemId: Uint8Array }

/** The owner of a memory: `items` if only items have it, `by_hand` if a person stored it. */
export type ReferenceOwner = 'items' | 'by_hand'

/** Selects the references of some items of a connection. */
export async function selectReferences(
  { transaction, dialect }: CollectionScope,
  connectionId: string,
  itemIds: readonly Uint8Array[]
): Promise<Reference[]> {
  const found: Reference[] = []
  for (const part of splitIntoParts(itemIds, dialect.rowsPerStatement)) {
    const rows = await transaction
      .selectFrom('holdings')
      .select(['memory_key', 'item_id'])
      .where('connection_id', '=', connectionId)
      .where('item_id', 'in', part)
      .execute()
    for (const row of rows)
      found.push({ memoryKey: toBytes(row.memory_key), connectionId, itemId: toBytes(row.item_id) })
  }
  return found
}

/** Returns the owners of these memories, by `toKeyText` of their key. Memories without an owner are omitted. */
export async function selectOwners(
  scope: CollectionScope,
  keys: readonly Uint8Array[]
): Promise<Map<string, ReferenceOwner>> {
  const { transaction, dialect, collectionId } = scope
  const owners = new Map<string, ReferenceOwner>()
  for (const part of splitIntoParts(keys, dialect.rowsPerStatement)) {
    const rows = await transaction
      .selectFrom('holdings')
      .select(['memory_key', sql<number>`max(case when connection_id = ${BY_HAND} then 1 else 0 end)`.as('by_hand')])
      .where('collection_id', '=', collectionId)
      .where('memory_key', 'in', part)
      .groupBy('memory_key')
      .execute()
    for (const { memory_key, by_hand } of rows)
      owners.set(toKeyText(toBytes(memory_key)), by_hand ? 'by_hand' : 'items')
  }
  return owners
}

/** Adds references. Existing ones stay. */
export async function addReferences(scope: CollectionScope, references: readonly Reference[]): Promise<void> {
  const { transaction, dialect, collectionId } = scope
  const rows = references.map(
    ({ memoryKey, connectionId, itemId }): ReferenceRow => ({
      collection_id: collectionId,
      memory_key: memoryKey,
      connection_id: connectionId,
      item_id: itemId
    })
  )
  for (const part of splitIntoParts(rows, dialect.rowsPerStatement))
    await transaction
      .insertInto('holdings')
      .values(part)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

/** Removes all references of these items. */
export async function removeItemReferences(
  scope: CollectionScope,
  connectionId: string,
  itemIds: readonly Uint8Array[]
) {
  for (const part of splitIntoParts(itemIds, scope.dialect.rowsPerStatement))
    await scope.transaction
      .deleteFrom('holdings')
      .where('connection_id', '=', connectionId)
      .where('item_id', 'in', part)
      .execute()
}

/** Builds the reference by hand to an existing memory. */
export function toReferenceByHand(memoryKey: Uint8Array): Reference {
  return { memoryKey, connectionId: BY_HAND, itemId: NO_ITEM }
}

/** Adds a reference by hand to those of the memories that only items own. */
export async function referenceByHand(scope: CollectionScope, keys: readonly Uint8Array[]): Promise<void> {
  const owners = await selectOwners(scope, keys)
  const ofItems = keys.filter((key) => owners.get(toKeyText(key)) === 'items')
  await addReferences(scope, ofItems.map(toReferenceByHand))
}

/** Removes all references to these memories. */
export async function removeReferences(scope: CollectionScope, keys: readonly Uint8Array[]): Promise<void> {
  const { transaction, dialect, collectionId } = scope
  for (const part of splitIntoParts(keys, dialect.rowsPerStatement))
    await transaction
      .deleteFrom('holdings')
      .where('collection_id', '=', collectionId)
      .where('memory_key', 'in', part)
      .execute()
}

/** Returns the keys of the memories, each once. */
export function uniqueKeys(references: readonly Reference[]): Uint8Array[] {
  return [...new Map(references.map(({ memoryKey }) => [toKeyText(memoryKey), memoryKey])).values()]
}

/** Converts bytes to a text that can be a key of a map. */
export function toKeyText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/** Returns the keys of those memories that have an owner: a person, or an item of a connection that is not revoked. */
export async function selectReferencedKeys(scope: CollectionScope, keys: readonly Uint8Array[]): Promise<Set<string>> {
  const { transaction, dialect, collectionId } = scope
  const held = new Set<string>()
  for (const part of splitIntoParts(keys, dialect.rowsPerStatement)) {
    const rows = await transaction
      .selectFrom('holdings')
      .leftJoin('connections', 'connections.id', 'holdings.connection_id')
      .select('memory_key')
      .distinct()
      .where('holdings.collection_id', '=', collectionId)
      .where('memory_key', 'in', part)
      .where(({ eb, or, and }) =>
        or([
          eb('connection_id', '=', BY_HAND),
          and([eb('connections.id', 'is not', null), eb('revoked_at', 'is', null)])
        ])
      )
      .execute()
    for (const { memory_key } of rows) held.add(toKeyText(toBytes(memory_key)))
  }
  return held
}

/** Counts the references of a connection. */
export async function countReferences(db: Db, connectionId: string): Promise<number> {
  const { holdings } = await db
    .selectFrom('holdings')
    .select(({ fn }) => fn.countAll<number>().as('holdings'))
    .where('connection_id', '=', connectionId)
    .executeTakeFirstOrThrow()
  return Number(holdings)
}

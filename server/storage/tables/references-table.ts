import { Buffer } from 'node:buffer'
import { sql } from 'kysely'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { CollectionScope } from '../database/dialect.ts'
import { partsOf } from '../database/stored-values.ts'
import { BY_HAND, type HoldingRow } from '../database/sync-tables.ts'
import { bytesOf, type Db } from '../database/tables.ts'
import { RECORD_KINDS } from '../port/record-batch.ts'
import { dropAside } from './aside-tables.ts'
import { forgetLine, type NewLine } from './records-table.ts'

/** What stands for the item where a person holds a memory. */
const NO_ITEM: Uint8Array = Buffer.from(BY_HAND)

/** A holding as values that can be compared. */
export type Holding = { memoryKey: Uint8Array; connectionId: string; itemId: Uint8Array }

/** Who holds a memory, if anybody: `items`, or a person (and items, or none). */
export type Holder = 'items' | 'by_hand'

/** What items of a connection hold. */
export async function holdingsOf(
  { transaction, dialect }: CollectionScope,
  connectionId: string,
  itemIds: readonly Uint8Array[]
): Promise<Holding[]> {
  const found: Holding[] = []
  for (const part of partsOf(itemIds, dialect.rowsPerStatement)) {
    const rows = await transaction
      .selectFrom('holdings')
      .select(['memory_key', 'item_id'])
      .where('connection_id', '=', connectionId)
      .where('item_id', 'in', part)
      .execute()
    for (const row of rows)
      found.push({ memoryKey: bytesOf(row.memory_key), connectionId, itemId: bytesOf(row.item_id) })
  }
  return found
}

/** Who holds which of these memories, by `textOf` their key; those that nobody holds are left out. */
export async function holdersOf(scope: CollectionScope, keys: readonly Uint8Array[]): Promise<Map<string, Holder>> {
  const { transaction, dialect, collectionId } = scope
  const holders = new Map<string, Holder>()
  for (const part of partsOf(keys, dialect.rowsPerStatement)) {
    const rows = await transaction
      .selectFrom('holdings')
      .select(['memory_key', sql<number>`max(case when connection_id = ${BY_HAND} then 1 else 0 end)`.as('by_hand')])
      .where('collection_id', '=', collectionId)
      .where('memory_key', 'in', part)
      .groupBy('memory_key')
      .execute()
    for (const { memory_key, by_hand } of rows) holders.set(textOf(bytesOf(memory_key)), by_hand ? 'by_hand' : 'items')
  }
  return holders
}

/** Adds holdings; those that are there stay. */
export async function addHoldings(scope: CollectionScope, holdings: readonly Holding[]): Promise<void> {
  const { transaction, dialect, collectionId } = scope
  const rows = holdings.map(
    ({ memoryKey, connectionId, itemId }): HoldingRow => ({
      collection_id: collectionId,
      memory_key: memoryKey,
      connection_id: connectionId,
      item_id: itemId
    })
  )
  for (const part of partsOf(rows, dialect.rowsPerStatement))
    await transaction
      .insertInto('holdings')
      .values(part)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

/** Items of a connection hold nothing any more. */
export async function emptyItems(scope: CollectionScope, connectionId: string, itemIds: readonly Uint8Array[]) {
  for (const part of partsOf(itemIds, scope.dialect.rowsPerStatement))
    await scope.transaction
      .deleteFrom('holdings')
      .where('connection_id', '=', connectionId)
      .where('item_id', 'in', part)
      .execute()
}

/** That a person holds a memory that has a line already. */
export function heldByHand(memoryKey: Uint8Array): Holding {
  return { memoryKey, connectionId: BY_HAND, itemId: NO_ITEM }
}

/** The same of those of the memories that items alone hold. */
export async function holdByHand(scope: CollectionScope, keys: readonly Uint8Array[]): Promise<void> {
  const holders = await holdersOf(scope, keys)
  const ofItems = keys.filter((key) => holders.get(textOf(key)) === 'items')
  await addHoldings(scope, ofItems.map(heldByHand))
}

/** Nobody holds these memories any more. */
export async function letAllGo(scope: CollectionScope, keys: readonly Uint8Array[]): Promise<void> {
  const { transaction, dialect, collectionId } = scope
  for (const part of partsOf(keys, dialect.rowsPerStatement))
    await transaction
      .deleteFrom('holdings')
      .where('collection_id', '=', collectionId)
      .where('memory_key', 'in', part)
      .execute()
}

/**
 * Of memories that were let go, takes out those that nobody holds any more: neither an item of a connection that is not revoked, nor
 * a person. Gives the forget lines that are to stand for them, and how many memories there were: of one that was damaged and set
 * aside, devices are to hear too.
 */
export async function takeBack(
  scope: CollectionScope,
  keys: readonly Uint8Array[],
  now: EpochMs
): Promise<{ lines: NewLine[]; memories: number }> {
  const held = await heldKeys(scope, keys)
  const released = keys.filter((key) => !held.has(textOf(key)))
  const removed = await removeMemories(scope, released)
  await letAllGo(scope, released)
  const aside = await dropAside(scope, released)
  const forgotten = new Map([...removed, ...aside].map((key) => [textOf(key), key]))
  return { lines: [...forgotten.values()].map((key) => forgetLine(key, now)), memories: removed.length }
}

/** The keys of the memories, each once. */
export function uniqueKeys(holdings: readonly Holding[]): Uint8Array[] {
  return [...new Map(holdings.map(({ memoryKey }) => [textOf(memoryKey), memoryKey])).values()]
}

/** Bytes as a text that maps can have as their key. */
export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

async function heldKeys(scope: CollectionScope, keys: readonly Uint8Array[]): Promise<Set<string>> {
  const { transaction, dialect, collectionId } = scope
  const held = new Set<string>()
  for (const part of partsOf(keys, dialect.rowsPerStatement)) {
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
    for (const { memory_key } of rows) held.add(textOf(bytesOf(memory_key)))
  }
  return held
}

async function removeMemories(scope: CollectionScope, keys: readonly Uint8Array[]): Promise<Uint8Array[]> {
  const { transaction, dialect, collectionId } = scope
  const removed: Uint8Array[] = []
  for (const part of partsOf(keys, dialect.rowsPerStatement)) {
    const rows = await transaction
      .deleteFrom('records')
      .where('collection_id', '=', collectionId)
      .where('key', 'in', part)
      .where('kind', '=', RECORD_KINDS.memory)
      .returning('key')
      .execute()
    for (const { key } of rows) removed.push(bytesOf(key))
  }
  return removed
}

/** How many holdings a connection has. */
export async function countHoldings(db: Db, connectionId: string): Promise<number> {
  const { holdings } = await db
    .selectFrom('holdings')
    .select(({ fn }) => fn.countAll<number>().as('holdings'))
    .where('connection_id', '=', connectionId)
    .executeTakeFirstOrThrow()
  return Number(holdings)
}

import { Buffer } from 'node:buffer'
import { sql, type Transaction } from 'kysely'
import { type EpochMs, epochNow } from '../../../src/contract/epoch-ms.ts'
import type { CollectionScope, Database, TableMethods } from '../database/dialect.ts'
import { splitIntoParts, textOrNull, textOrUndefined, toBytes, toStored } from '../database/stored-values.ts'
import type { AsideLineRow, Db, ScrubRow, Tables } from '../database/tables.ts'
import type { AsideEntry, CheckStorage, Scrub } from '../port/check-storage.ts'
import type { FoundDamage, RecordStorage } from '../port/collection-storage.ts'
import { RECORD_KINDS } from '../port/record-batch.ts'
import { lockLines } from './collections-table.ts'

/**
 * Methods on the records of damage: notes of damaged lines, rows that were set aside, and the progress of the scrub.
 */
export const damageTables = {
  noteDamage(database, collectionId, found) {
    return replaceNotes(database, { collectionId, found, now: epochNow(database.clock) })
  },

  /**
   * Lists what repairs set aside, as documented at `Storage.listAsideEntries`: rows of `records` first, then those of
   * other tables.
   */
  async listAsideEntries({ db }, { offset, limit }) {
    const all = db.withoutPlugins()
    const lines = await all
      .selectFrom('aside_lines')
      .selectAll()
      .orderBy('set_aside_at')
      .orderBy('collection_id')
      .orderBy('seq')
      .offset(offset)
      .limit(limit)
      .execute()
    if (lines.length === limit) return lines.map(lineEntry)
    const { count } = await all
      .selectFrom('aside_lines')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    const rows = await all
      .selectFrom('aside_rows')
      .selectAll()
      .orderBy('set_aside_at')
      .orderBy('table_name')
      .orderBy('place')
      .offset(Math.max(0, offset - Number(count)))
      .limit(limit - lines.length)
      .execute()
    const others = rows.map(
      (row): AsideEntry => ({
        table: row.table_name,
        collectionId: row.collection_id ?? undefined,
        place: textOrUndefined(row.place) ?? '',
        reason: textOrUndefined(row.reason) ?? '',
        setAsideAt: row.set_aside_at,
        contents: row.contents
      })
    )
    return [...lines.map(lineEntry), ...others]
  },

  /**
   * Acquires the lease if it is free or the caller's, as documented at `Storage.claimScrub`. Writes only if it may
   * succeed.
   */
  async claimScrub({ db }, claim) {
    const before = await scrubRow(db)
    if (before !== undefined && !isDue(before, claim)) return toScrub(before, false)
    if (before === undefined) await insertRow(db)
    const { owner, now, until } = claim
    const { numUpdatedRows } = await db
      .updateTable('scrub')
      .set({ owner, lease_until: until })
      .where('id', '=', ROW)
      .where(sql<boolean>`(owner is null or owner = ${owner} or lease_until is null or lease_until <= ${now})`)
      .executeTakeFirst()
    const after = await scrubRow(db)
    return after === undefined ? NEVER : toScrub(after, numUpdatedRows > 0n)
  },

  /** Stores the progress of a pass, as documented at `Storage.keepScrub`. */
  async keepScrub({ db }, owner, { now, until, position, found, ended }) {
    const kept = ended ? endOfPass(now, found) : { position: textOrNull(position), found }
    const { numUpdatedRows } = await db
      .updateTable('scrub')
      .set({ lease_until: until, ...kept })
      .where('id', '=', ROW)
      .where('owner', '=', owner)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },

  /** Stores the result of another check, as documented at `Storage.replaceScrub`. */
  async replaceScrub({ db }, { now, damage }) {
    await insertRow(db)
    await db
      .updateTable('scrub')
      .set({ owner: null, lease_until: null, ...endOfPass(now, damage) })
      .where('id', '=', ROW)
      .execute()
  }
} satisfies Partial<TableMethods<CheckStorage & RecordStorage>>

/** Replaces the notes of the lines between two sequence numbers. */
export function replaceNotes(
  { db, dialect }: Database,
  { collectionId, found, now }: { collectionId: string; found: FoundDamage; now: EpochMs }
): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    // Locked first, as in every write of the collection's lines.
    const head = await lockLines({ transaction, dialect, collectionId })
    if (head === undefined || (head.damaged === 0 && found.damaged.length === 0)) return
    await transaction
      .deleteFrom('damaged_lines')
      .where('collection_id', '=', collectionId)
      .where('seq', '>', found.after)
      .where('seq', '<=', found.upTo)
      .execute()
    for (const part of splitIntoParts(found.damaged, dialect.rowsPerStatement))
      await transaction
        .insertInto('damaged_lines')
        .values(
          part.map(({ seq, reason }) => ({
            collection_id: collectionId,
            seq,
            reason: toStored(reason),
            found_at: now
          }))
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    await countNotes(transaction, collectionId)
  })
}

/** Deletes the notes of lines that are removed. */
export async function dropNotes(
  { transaction, dialect, collectionId }: CollectionScope,
  seqs: readonly number[]
): Promise<void> {
  for (const part of splitIntoParts(seqs, dialect.rowsPerStatement))
    await transaction
      .deleteFrom('damaged_lines')
      .where('collection_id', '=', collectionId)
      .where('seq', 'in', part)
      .execute()
  await countNotes(transaction, collectionId)
}

/** Updates the number of noted lines in a collection's row. */
export async function countNotes(transaction: Transaction<Tables>, collectionId: string): Promise<void> {
  const { damaged } = await transaction
    .selectFrom('damaged_lines')
    .select(({ fn }) => fn.countAll<number>().as('damaged'))
    .where('collection_id', '=', collectionId)
    .executeTakeFirstOrThrow()
  await transaction
    .updateTable('collections')
    .set({ damaged: Number(damaged) })
    .where('id', '=', collectionId)
    .execute()
}

/** Columns that `aside_lines` copies from `records`. */
const COLUMNS = [
  'collection_id',
  'seq',
  'kind',
  'key',
  'time',
  'extractor',
  'check_hash',
  'line',
  'line_bytes',
  'taken_back'
] as const

/** Copies damaged lines of `records` aside. The caller removes them. */
export async function copyAside(
  { transaction, dialect, collectionId }: CollectionScope,
  seqs: readonly number[],
  { reason, now }: { reason: string; now: EpochMs }
): Promise<void> {
  for (const part of splitIntoParts(seqs, dialect.rowsPerStatement))
    await transaction
      .insertInto('aside_lines')
      .columns([...COLUMNS, 'reason', 'set_aside_at'])
      .expression((query) =>
        query
          .selectFrom('records')
          .select([...COLUMNS])
          .select([
            sql<string>`cast(${toStored(reason)} as text)`.as('reason'),
            sql<number>`cast(${now} as bigint)`.as('set_aside_at')
          ])
          .where('collection_id', '=', collectionId)
          .where('seq', 'in', part)
      )
      .execute()
}

/**
 * Deletes the lines that were set aside for forgotten memories. Returns the keys of those that have no line in the
 * collection.
 */
export async function dropAside(
  { transaction, dialect, collectionId }: CollectionScope,
  keys: readonly Uint8Array[]
): Promise<Uint8Array[]> {
  const dropped: Uint8Array[] = []
  for (const part of splitIntoParts(keys, dialect.rowsPerStatement)) {
    const rows = await transaction
      .deleteFrom('aside_lines')
      .where('collection_id', '=', collectionId)
      .where('key', 'in', part)
      .where('kind', '=', RECORD_KINDS.memory)
      .returning('key')
      .execute()
    for (const { key } of rows) {
      const present = await transaction
        .selectFrom('records')
        .select('seq')
        .where('collection_id', '=', collectionId)
        .where('key', '=', toBytes(key))
        .executeTakeFirst()
      if (present === undefined) dropped.push(toBytes(key))
    }
  }
  return dropped
}

function lineEntry({ reason, set_aside_at, ...row }: AsideLineRow): AsideEntry {
  const { key, check_hash, line, ...plain } = row
  return {
    table: 'records',
    collectionId: row.collection_id ?? undefined,
    place: `sequence number ${row.seq}`,
    reason: textOrUndefined(reason) ?? '',
    setAsideAt: set_aside_at,
    contents: JSON.stringify({
      ...plain,
      key: toJsonBytes(key),
      check_hash: toJsonBytes(check_hash),
      line: toJsonBytes(line)
    })
  }
}

/** Converts a bytes column to JSON. A damaged row may hold any type there. */
function toJsonBytes(value: AsideLineRow['line'] | null): unknown {
  return value instanceof Uint8Array || value instanceof ArrayBuffer
    ? { base64: Buffer.from(toBytes(value)).toString('base64') }
    : value
}

/** The id of the only row. */
const ROW = 1

type Claim = { owner: string; now: EpochMs; until: EpochMs; endedBy: EpochMs }

const NEVER: Scrub = { isOwn: false, position: undefined, found: 0, endedAt: undefined, damage: 0 }

/** Reports whether the scrub is due and free. An end in the future was written by a wrong clock. */
function isDue({ owner, lease_until, position, ended_at }: ScrubRow, claim: Claim): boolean {
  const isFree = owner === null || owner === claim.owner || lease_until === null || lease_until <= claim.now
  return isFree && (position !== null || ended_at === null || ended_at <= claim.endedBy || ended_at > claim.now)
}

function scrubRow(db: Db): Promise<ScrubRow | undefined> {
  return db.selectFrom('scrub').selectAll().where('id', '=', ROW).executeTakeFirst()
}

async function insertRow(db: Db): Promise<void> {
  await db
    .insertInto('scrub')
    .values({ id: ROW, owner: null, lease_until: null, position: null, found: 0, ended_at: null, damage: 0 })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

function toScrub({ position, found, ended_at, damage }: ScrubRow, isOwn: boolean): Scrub {
  return { isOwn, position: parsePosition(position), found, endedAt: ended_at ?? undefined, damage }
}

function endOfPass(now: EpochMs, damage: number) {
  return { position: null, found: 0, ended_at: now, damage }
}

/** Parses a position. A damaged one is ignored, so the pass starts again. */
function parsePosition(stored: string | null): string | undefined {
  try {
    const value: unknown = stored === null ? undefined : JSON.parse(stored)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

import type { Transaction } from 'kysely'
import { type EpochMs, epochNow } from '../../../src/contract/epoch-ms.ts'
import type { CollectionScope, Database, TableMethods } from '../database/dialect.ts'
import { splitIntoParts, toStored } from '../database/stored-values.ts'
import type { Tables } from '../database/tables.ts'
import type { FoundDamage, RecordStorage } from '../port/record-storage.ts'
import { lockLines } from './collections-table.ts'

/** Methods over what is noted of damaged lines. */
export const damagedLinesTable = {
  noteDamage(database, collectionId, found) {
    return replaceNotes(database, { collectionId, found, now: epochNow(database.clock) })
  }
} satisfies Partial<TableMethods<RecordStorage>>

/** Replaces what is noted of the lines between two sequence numbers. */
export function replaceNotes(
  { db, dialect }: Database,
  { collectionId, found, now }: { collectionId: string; found: FoundDamage; now: EpochMs }
): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    // Locked first, as by every write of its lines.
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

/** Drops what was noted of lines that are taken out. */
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

/** Keeps in a collection's row how many of its lines are noted as damaged. */
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

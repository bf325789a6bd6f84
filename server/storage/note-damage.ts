import type { EpochMs } from '../../src/contract/milliseconds.ts'
import { countNotes } from './damaged-lines.ts'
import type { Database } from './dialect.ts'
import { partsOf } from './parts-of.ts'
import type { FoundDamage } from './storage.ts'
import { toStored } from './stored-values.ts'
import { lockLines } from './write-lines.ts'

/** Notes damaged lines, as `Storage.noteDamage` says. */
export function putDamage(
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
    for (const part of partsOf(found.damaged, dialect.rowsPerStatement))
      await transaction
        .insertInto('damaged_lines')
        .values(
          part.map(({ seq, reason }) => ({
            ...{ collection_id: collectionId, seq, reason: toStored(reason), found_at: now }
          }))
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    await countNotes(transaction, collectionId)
  })
}

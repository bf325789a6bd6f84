import type { Transaction } from 'kysely'
import { partsOf } from './parts-of.ts'
import type { Tables } from './tables.ts'
import type { CollectionScope } from './write-lines.ts'

/** Drops what was noted of lines that are taken out. */
export async function dropNotes(
  { transaction, dialect, collectionId }: CollectionScope,
  seqs: readonly number[]
): Promise<void> {
  for (const part of partsOf(seqs, dialect.rowsPerStatement))
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

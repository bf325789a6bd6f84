import { objectFrom, toStored } from './stored-values.ts'
import type { PageCounts } from './sync-storage.ts'
import type { Db } from './tables.ts'

/** Kinds of reasons that a run tells apart. Any more are counted together. */
const REASONS_MAX = 20
const OTHER = 'other'

/** Adds what a page counted to its run, of which the reasons so far are known. */
export async function countIntoRun(
  db: Pick<Db, 'updateTable'>,
  { runId, reasons }: { runId: string; reasons: string },
  counts: PageCounts & { deleted: number }
): Promise<void> {
  await db
    .updateTable('runs')
    .set(({ eb }) => ({
      seen: eb('seen', '+', counts.seen),
      created: eb('created', '+', counts.created),
      updated: eb('updated', '+', counts.updated),
      unchanged: eb('unchanged', '+', counts.unchanged),
      deleted: eb('deleted', '+', counts.deleted),
      failed: eb('failed', '+', counts.failed),
      skipped: eb('skipped', '+', counts.skipped),
      reasons: mergeReasons(reasons, counts.reasons)
    }))
    .where('id', '=', runId)
    .execute()
}

/** Counts of reasons as they are stored, with more of them. */
function mergeReasons(before: string, more: Readonly<Record<string, number>>): string {
  const all = new Map(Object.entries(objectFrom<Record<string, number>>(before, 'a count of reasons')))
  for (const [reason, count] of Object.entries(more)) {
    const isKept = all.has(reason) || all.size < REASONS_MAX - 1 || reason === OTHER
    const name = isKept ? reason : OTHER
    all.set(name, (all.get(name) ?? 0) + count)
  }
  return toStored(Object.fromEntries(all))
}

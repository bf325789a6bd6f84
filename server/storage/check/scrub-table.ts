import { sql } from 'kysely'
import type { EpochMs } from '../../../src/contract/milliseconds.ts'
import type { Scrub, ScrubProgress } from '../check-storage.ts'
import { textOrNull } from '../stored-values.ts'
import type { Db } from '../tables.ts'

/** The one row of the table. */
const ROW = 1

/** Takes the lease where it is free or the caller's, as `CheckStorage.claimScrub` says. */
export async function takeScrub(
  db: Db,
  { owner, now, until }: { owner: string; now: EpochMs; until: EpochMs }
): Promise<Scrub> {
  await db
    .insertInto('scrub')
    .values({ id: ROW, owner: null, lease_until: null, position: null, ended_at: null, damage: 0 })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  const { numUpdatedRows } = await db
    .updateTable('scrub')
    .set({ owner, lease_until: until })
    .where('id', '=', ROW)
    .where(sql<boolean>`(owner is null or owner = ${owner} or lease_until is null or lease_until <= ${now})`)
    .executeTakeFirst()
  const row = await db.selectFrom('scrub').selectAll().where('id', '=', ROW).executeTakeFirstOrThrow()
  return {
    isOwn: numUpdatedRows > 0n,
    position: parsedText(row.position),
    endedAt: row.ended_at ?? undefined,
    damage: row.damage
  }
}

/** Keeps how far a pass has come, as `CheckStorage.keepScrub` says. */
export async function putScrub(
  db: Db,
  owner: string,
  { now, until, position, damage, ended }: ScrubProgress
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('scrub')
    .set({ lease_until: until, position: textOrNull(position), damage, ...(ended && { ended_at: now }) })
    .where('id', '=', ROW)
    .where('owner', '=', owner)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A position that is damaged itself is none: the pass begins anew. */
function parsedText(stored: string | null): string | undefined {
  try {
    const value: unknown = stored === null ? undefined : JSON.parse(stored)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

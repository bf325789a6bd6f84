import { sql } from 'kysely'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { TableMethods } from '../database/dialect.ts'
import { textOrNull } from '../database/stored-values.ts'
import type { Db, ScrubRow } from '../database/tables.ts'
import type { CheckStorage, Scrub } from '../port/check-storage.ts'

/** Methods over the one row of the scrub. */
export const scrubTable = {
  /** Takes the lease where it is free or the caller's, as `Storage.claimScrub` says. Writes only where it may get it. */
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

  /** Keeps how far a pass has come, as `Storage.keepScrub` says. */
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

  /** Keeps the result of another check, as `Storage.replaceScrub` says. */
  async replaceScrub({ db }, { now, damage }) {
    await insertRow(db)
    await db
      .updateTable('scrub')
      .set({ owner: null, lease_until: null, ...endOfPass(now, damage) })
      .where('id', '=', ROW)
      .execute()
  }
} satisfies Partial<TableMethods<CheckStorage>>

/** The one row of the table. */
const ROW = 1

type Claim = { owner: string; now: EpochMs; until: EpochMs; endedBy: EpochMs }

const NEVER: Scrub = { isOwn: false, position: undefined, found: 0, endedAt: undefined, damage: 0 }

/** An end that lies ahead was written by a clock that was wrong. */
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

/** A position that is damaged itself is none: the pass begins anew. */
function parsePosition(stored: string | null): string | undefined {
  try {
    const value: unknown = stored === null ? undefined : JSON.parse(stored)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

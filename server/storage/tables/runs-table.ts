import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { TableMethods } from '../database/dialect.ts'
import { objectFrom, textOrUndefined, toStored } from '../database/stored-values.ts'
import type { Db, RunRow } from '../database/tables.ts'
import type { PageCounts, RunOutcome, RunStorage, RunTrigger, StoredRun } from '../port/run-storage.ts'

/** Methods over the table of runs. */
export const runsTable: TableMethods<RunStorage> = {
  /** Newest first. */
  async runs({ db }, connectionId, { limit }) {
    const rows = await db
      .selectFrom('runs')
      .selectAll()
      .where('connection_id', '=', connectionId)
      .orderBy('started_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    return rows.map(toStoredRun)
  },

  /** One of a connection. */
  async run({ db }, connectionId, id) {
    const row = await db
      .selectFrom('runs')
      .selectAll()
      .where('id', '=', id)
      .where('connection_id', '=', connectionId)
      .executeTakeFirst()
    return row === undefined ? undefined : toStoredRun(row)
  }
}

/** Ended runs of a connection that are kept. */
const RUNS_KEPT = 100

/** Older ones that go when a run ends: one would do where none was left behind. */
const RUNS_TRIMMED_AT_ONCE = 50

type NewRun = { id: string; connectionId: string; trigger: RunTrigger }

/** Begins runs, which have counted nothing so far. */
export async function insertRuns(db: Db, runs: readonly NewRun[], now: EpochMs): Promise<void> {
  const rows = runs.map(({ id, connectionId, trigger }) => ({
    id,
    connection_id: connectionId,
    trigger,
    started_at: now,
    ended_at: null,
    outcome: null,
    error: null,
    reasons: toStored({}),
    seen: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    deleted: 0,
    failed: 0,
    skipped: 0
  }))
  await db.insertInto('runs').values(rows).execute()
}

/** Ends what is under way at these connections, whoever held them. */
export async function endOpenRuns(
  db: Db,
  connectionIds: readonly string[],
  { outcome, now }: { outcome: RunOutcome; now: EpochMs }
): Promise<void> {
  if (connectionIds.length === 0) return
  await db
    .updateTable('runs')
    .set({ ended_at: now, outcome })
    .where('connection_id', 'in', connectionIds)
    .where('ended_at', 'is', null)
    .execute()
}

/** Takes out old runs of a connection, a few at a time. */
export async function trimRuns(db: Db, connectionId: string): Promise<void> {
  const old = db
    .selectFrom('runs')
    .select('id')
    .where('connection_id', '=', connectionId)
    .where('ended_at', 'is not', null)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(RUNS_TRIMMED_AT_ONCE)
    .offset(RUNS_KEPT)
  await db.deleteFrom('runs').where('id', 'in', old).execute()
}

function toStoredRun(row: RunRow): StoredRun {
  const { id, trigger, seen, created, updated, unchanged, deleted, failed, skipped } = row
  return {
    id,
    trigger,
    seen,
    created,
    updated,
    unchanged,
    deleted,
    failed,
    skipped,
    startedAt: row.started_at,
    endedAt: row.ended_at ?? undefined,
    outcome: row.outcome ?? undefined,
    error: textOrUndefined(row.error),
    reasons: objectFrom(row.reasons, `the reasons of run ${row.id}`)
  }
}

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

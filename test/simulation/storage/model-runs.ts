import type { PageCounts, RunOutcome, RunStorage, StoredRun } from '../../../server/storage/port/sync-storage.ts'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { RunRow } from './model-rows.ts'
import { compareValues, type ModelMethods, type ModelTransaction } from './model-transaction.ts'

export const modelRuns: ModelMethods<RunStorage> = {
  listRuns(transaction, connectionId, { limit }) {
    return listNewestFirst(transaction, (run) => run.connectionId === connectionId)
      .slice(0, limit)
      .map(toStoredRun)
  },

  findRun(transaction, connectionId, runId) {
    const row = transaction.find('runs', runId)
    return row?.connectionId === connectionId ? toStoredRun(row) : undefined
  }
}

/** Begins a run with empty counters. */
export function beginRun(
  transaction: ModelTransaction,
  { id, connectionId, trigger, startedAt }: Pick<RunRow, 'id' | 'connectionId' | 'trigger' | 'startedAt'>
): void {
  transaction.insert('runs', {
    ...{ id, connectionId, trigger, startedAt, endedAt: undefined, outcome: undefined, error: undefined },
    ...{ seen: 0, created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0, skipped: 0, reasons: {} }
  })
}

/** Ends every run of a connection that is in progress. */
export function endOpenRuns(
  transaction: ModelTransaction,
  connectionId: string,
  { outcome, now }: { outcome: RunOutcome; now: EpochMs }
): void {
  const open = transaction.select('runs', (run) => run.connectionId === connectionId && run.endedAt === undefined)
  for (const run of open) transaction.update('runs', run, { outcome, endedAt: now })
}

/** Adds the counters of a page to its run. */
export function countIntoRun(
  transaction: ModelTransaction,
  runId: string,
  { reasons, ...counts }: PageCounts & { deleted: number }
): void {
  const run = transaction.find('runs', runId)
  if (run === undefined) return
  transaction.update('runs', run, {
    seen: run.seen + counts.seen,
    created: run.created + counts.created,
    updated: run.updated + counts.updated,
    unchanged: run.unchanged + counts.unchanged,
    deleted: run.deleted + counts.deleted,
    failed: run.failed + counts.failed,
    skipped: run.skipped + counts.skipped,
    reasons: addReasons(run.reasons, reasons)
  })
}

/** The number of reasons that a run distinguishes; others count as `other`. */
const REASONS_MAX = 20

function addReasons(before: RunRow['reasons'], more: RunRow['reasons']): RunRow['reasons'] {
  const all = new Map(Object.entries(before))
  for (const [reason, count] of Object.entries(more)) {
    const isToldApart = all.has(reason) || all.size < REASONS_MAX - 1
    const name = isToldApart ? reason : 'other'
    all.set(name, (all.get(name) ?? 0) + count)
  }
  return Object.fromEntries(all)
}

/** The number of ended runs of a connection that are kept, and of older ones that are removed at once. */
const KEPT_RUNS = 100
const TRIMMED_AT_ONCE = 50

/** Removes the oldest ended runs of a connection. */
export function trimRuns(transaction: ModelTransaction, connectionId: string): void {
  const ended = listNewestFirst(transaction, (run) => run.connectionId === connectionId && run.endedAt !== undefined)
  transaction.remove('runs', ended.slice(KEPT_RUNS, KEPT_RUNS + TRIMMED_AT_ONCE))
}

function listNewestFirst(transaction: ModelTransaction, isWanted: (run: RunRow) => boolean): RunRow[] {
  return transaction
    .select('runs', isWanted)
    .toSorted((one, other) => compareValues(other.startedAt, one.startedAt) || compareValues(other.id, one.id))
}

function toStoredRun({ connectionId, ...run }: RunRow): StoredRun {
  return run
}

import type { Claim, ClaimAsked, Hold, QueueStorage } from '../../../server/storage/port/sync-storage.ts'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import { toStoredConnection } from './model-connections.ts'
import { findCollection, findHeld } from './model-lookups.ts'
import { endReads } from './model-reads.ts'
import type { ConnectionRow } from './model-rows.ts'
import { beginRun, endOpenRuns, trimRuns } from './model-runs.ts'
import { compareValues, type ModelMethods, type ModelTransaction } from './model-transaction.ts'

export const modelQueue: ModelMethods<QueueStorage> = {
  claimDue(transaction, asked) {
    if (asked.limit === 0 || asked.providers.length === 0) return []
    const given = listGiven(transaction, asked)
    if (given.length > 0) return given
    const due = transaction.select('connections', (row) => isDue(row, asked))
    const inTurn = takeTurns(transaction, due, asked.now).slice(0, Math.min(asked.limit, asked.runIds.length))
    return inTurn.map((row, at) => claim(transaction, row, { ...asked, runId: asked.runIds[at] ?? '' }))
  },

  findNextDue(transaction, providers) {
    const times = transaction
      .select('connections', (row) => providers.includes(row.provider) && isRegularOrAsked(row))
      .flatMap(({ nextRunAt, leaseUntil }) =>
        nextRunAt === undefined ? [] : [leaseUntil !== undefined && leaseUntil > nextRunAt ? leaseUntil : nextRunAt]
      )
    return times.toSorted(compareValues)[0]
  },

  requestSync(transaction, connectionId, now) {
    const row = transaction.find('connections', connectionId)
    const isFree = row !== undefined && (row.leaseUntil === undefined || row.leaseUntil <= now)
    if (isFree && row.status === 'active' && row.requestedAt === undefined) {
      transaction.update('connections', row, { requestedAt: now, nextRunAt: now })
      return 'requested'
    }
    if (row === undefined || findCollection(transaction, row.collectionId) === undefined) return 'unknown'
    return row.status === 'active' ? 'running' : 'not_active'
  },

  renewLease(transaction, hold, { until }) {
    const row = findHeld(transaction, hold)
    if (row === undefined) return false
    transaction.update('connections', row, { leaseUntil: until })
    return true
  },

  endRun(transaction, hold, end) {
    const row = findHeld(transaction, hold)
    const run = transaction.find('runs', hold.runId)
    if (row === undefined) {
      // The reply to the same call may have been lost: no server has held the connection since.
      const isSame = run?.endedAt === end.now && run.outcome === end.outcome
      return isSame && transaction.find('connections', run.connectionId)?.fence === hold.fence
    }
    const began = run?.startedAt ?? Number.POSITIVE_INFINITY
    const isDueSooner = row.nextRunAt !== undefined && row.nextRunAt > began && row.nextRunAt < end.nextRunAt
    const isAskedSince = row.requestedAt !== undefined && row.requestedAt > began
    transaction.update('connections', row, {
      ...{ failures: end.failures, leaseOwner: undefined, leaseUntil: undefined },
      nextRunAt: isDueSooner ? row.nextRunAt : end.nextRunAt,
      requestedAt: end.outcome === 'stopped' || isAskedSince ? row.requestedAt : undefined,
      lastError: end.complete || end.error !== undefined ? end.error : row.lastError,
      lastSyncedAt: end.complete ? end.now : row.lastSyncedAt
    })
    if (run !== undefined) transaction.update('runs', run, { endedAt: end.now, outcome: end.outcome, error: end.error })
    endReads(transaction, hold)
    trimRuns(transaction, hold.connectionId)
    return true
  },

  findSchedule(transaction, connectionId) {
    const row = transaction.find('connections', connectionId)
    if (row === undefined) return undefined
    const isHeld = row.leaseUntil !== undefined && row.status === 'active'
    const { pausedAt, requestedAt, nextRunAt } = row
    const held = isHeld ? { runId: row.runId, leaseUntil: row.leaseUntil } : { runId: undefined, leaseUntil: undefined }
    return { pausedAt, requestedAt, nextRunAt, ...held }
  },

  setPaused(transaction, connectionId, { paused, now }) {
    const row = transaction.find('connections', connectionId)
    if (row === undefined || row.revokedAt !== undefined) return false
    transaction.update('connections', row, { pausedAt: paused ? (row.pausedAt ?? now) : undefined })
    return true
  }
}

/** Returns the connections that an earlier call for the same runs claimed and still holds, in the order of the runs. */
function listGiven(transaction: ModelTransaction, { owner, runIds }: ClaimAsked): Claim[] {
  return runIds.flatMap((runId) => {
    const run = transaction.find('runs', runId)
    const row = run && transaction.find('connections', run.connectionId)
    if (row === undefined || row.runId !== runId || row.leaseOwner !== owner) return []
    return toClaim(transaction, row, { connectionId: row.id, owner, fence: row.fence, runId })
  })
}

function isDue(row: ConnectionRow, { now, providers }: ClaimAsked): boolean {
  const { nextRunAt, leaseUntil, provider } = row
  if (nextRunAt === undefined || nextRunAt > now || !providers.includes(provider)) return false
  return isRegularOrAsked(row) && (leaseUntil === undefined || leaseUntil <= now)
}

function isRegularOrAsked({ pausedAt, requestedAt }: ConnectionRow): boolean {
  return pausedAt === undefined || requestedAt !== undefined
}

/**
 * Sorts due connections into the order in which they are claimed. For each, counts the connections of its collection
 * that are held or come before it; a lower count comes first.
 */
function takeTurns(transaction: ModelTransaction, due: readonly ConnectionRow[], now: EpochMs): ConnectionRow[] {
  const turns = new Map<string, number>()
  for (const { collectionId } of transaction.select('connections', (row) => (row.leaseUntil ?? now) > now))
    turns.set(collectionId, (turns.get(collectionId) ?? 0) + 1)
  const byDue = (one: ConnectionRow, other: ConnectionRow): number =>
    compareValues(one.nextRunAt ?? 0, other.nextRunAt ?? 0) || compareValues(one.id, other.id)
  const queue = due.toSorted(byDue).map((row) => {
    const turn = turns.get(row.collectionId) ?? 0
    turns.set(row.collectionId, turn + 1)
    return { row, turn }
  })
  return queue.toSorted((one, other) => one.turn - other.turn || byDue(one.row, other.row)).map(({ row }) => row)
}

type ClaimTaken = Pick<ClaimAsked, 'owner' | 'now' | 'until'> & { runId: string }

function claim(transaction: ModelTransaction, row: ConnectionRow, { owner, now, until, runId }: ClaimTaken): Claim {
  endOpenRuns(transaction, row.id, { outcome: 'interrupted', now })
  const fence = row.fence + 1
  const held = transaction.update('connections', row, { leaseOwner: owner, leaseUntil: until, fence, runId })
  const claimed = toClaim(transaction, held, { connectionId: row.id, owner, fence, runId })
  beginRun(transaction, { id: runId, connectionId: row.id, trigger: claimed.trigger, startedAt: now })
  return claimed
}

function toClaim(transaction: ModelTransaction, row: ConnectionRow, hold: Hold): Claim {
  const hasItems = transaction.select('items', ({ connectionId }) => connectionId === row.id).length > 0
  const trigger = row.requestedAt === undefined ? 'schedule' : 'manual'
  const { progress, lastPass, failures } = row
  return { hold, connection: toStoredConnection(row), trigger, progress, lastPass, hasItems, failures }
}

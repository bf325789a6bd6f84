import type { Transaction } from 'kysely'
import type { EpochMs } from '../../src/contract/milliseconds.ts'
import { storedAttempt, WITHOUT_SECRETS } from './attempts-table.ts'
import type { StoredAttempt } from './connector-storage.ts'
import type { AttemptRow } from './connector-tables.ts'
import type { Database, Dialect } from './dialect.ts'
import type { Tables } from './tables.ts'

export type OldTimes = { now: EpochMs; endedBefore: EpochMs; limit: number }

/** As `ConnectorStorage.takeOldAttempts` says. What another call works at just now is left to it. */
export function takeOld({ db, dialect }: Database, times: OldTimes): Promise<StoredAttempt[]> {
  return db.transaction().execute(async (transaction) => {
    const removed = await removeOver(transaction, dialect, times)
    const expired = await expireHeld(transaction, dialect, { ...times, limit: times.limit - removed.length })
    return [...removed, ...expired]
  })
}

type Step = (transaction: Transaction<Tables>, dialect: Dialect, times: OldTimes) => Promise<StoredAttempt[]>

const removeOver: Step = async (transaction, { locksRows }, { endedBefore, limit }) => {
  const query = transaction
    .selectFrom('attempts')
    .selectAll()
    .where('expires_at', '<', endedBefore)
    .where((row) => row.or([row('ended_at', 'is', null), row('ended_at', '<', endedBefore)]))
    .orderBy('expires_at')
    .limit(limit)
  const rows = await (locksRows ? query.forUpdate().skipLocked() : query).execute()
  if (rows.length > 0) await transaction.deleteFrom('attempts').where('id', 'in', idsOf(rows)).execute()
  return rows.map(storedAttempt)
}

/** The grants are in what is given back, and no longer in the table. */
const expireHeld: Step = async (transaction, { locksRows }, { now, limit }) => {
  const query = transaction
    .selectFrom('attempts')
    .selectAll()
    .where('expires_at', '<=', now)
    .where('held', 'is not', null)
    .orderBy('expires_at')
    .limit(limit)
  const rows = await (locksRows ? query.forUpdate().skipLocked() : query).execute()
  if (rows.length > 0)
    await transaction
      .updateTable('attempts')
      .set({ ...WITHOUT_SECRETS, status: 'expired', ended_at: now })
      .where('id', 'in', idsOf(rows))
      .execute()
  return rows.map((row) => ({ ...storedAttempt(row), status: 'expired', endedAt: now }))
}

function idsOf(rows: readonly AttemptRow[]): string[] {
  return rows.map(({ id }) => id)
}

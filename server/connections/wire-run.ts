import type { SyncRun } from '../../src/contract/sync.ts'
import { inCollection } from '../providers/reconnect-words.ts'
import type { StoredConnection } from '../storage/connector-storage.ts'
import type { StoredRun } from '../storage/sync-storage.ts'
import { timeOf, timeOrNull } from './wire-time.ts'

/** A run as the wire shows it. */
export function wireRun(run: StoredRun, { id, collectionId }: StoredConnection): SyncRun {
  const { trigger, outcome, error, seen, created, updated, unchanged, deleted, failed, skipped } = run
  return {
    id: run.id,
    connection_id: id,
    trigger,
    started_at: timeOf(run.startedAt),
    ended_at: timeOrNull(run.endedAt),
    outcome: outcome ?? null,
    ...{ seen, created, updated, unchanged, deleted, failed, skipped },
    reasons: mostFrequentFirst(run.reasons),
    error: error === undefined ? null : inCollection(error, collectionId)
  }
}

function mostFrequentFirst(reasons: Readonly<Record<string, number>>): SyncRun['reasons'] {
  const counted = Object.entries(reasons).map(([reason, count]) => ({ reason, count }))
  return counted.sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
}

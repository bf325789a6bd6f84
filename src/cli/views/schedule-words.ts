import type { SyncSchedule } from '../../contract/sync.ts'
import { shortTime } from '../output/short-forms.ts'
import { untilWords } from '../output/time-words.ts'
import { countWords } from './run-list.ts'

/** What a connection does next: `running`, `due now, then paused`, `paused`, `in 3 h 12 min (2026-05-01 15:12)`. */
export function nextSyncWords({ state, paused, next_sync_at }: SyncSchedule, atMs: number): string {
  if (state === 'running' || state === 'queued') {
    const doing = state === 'running' ? 'running' : 'due now'
    return paused ? `${doing}, then paused` : doing
  }
  if (state === 'pending') return 'once folders or channels are chosen'
  if (paused) return 'paused'
  if (next_sync_at === null) return ''
  const until = untilWords(next_sync_at, atMs)
  return until.startsWith('in ') ? `${until} (${shortTime(next_sync_at)})` : until
}

/** How the last sync went: `partial, 2026-05-01 11:00: seen 12 · failed 2`. */
export function lastRunWords({ last_run }: SyncSchedule): string {
  if (last_run === null) return ''
  return `${last_run.outcome}, ${shortTime(last_run.ended_at)}: ${countWords(last_run).join(' · ')}`
}

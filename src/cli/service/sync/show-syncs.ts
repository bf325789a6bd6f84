import type { SyncRun, SyncSchedule } from '../../../contract/sync-run.ts'
import type { Context } from '../../context.ts'
import { plainLine } from '../../output/plain-text.ts'
import { durationWords } from '../../output/time-words.ts'
import { countWords } from '../../views/run-list.ts'
import type { Followed } from './follow-syncs.ts'

/** How far syncs are, for whoever watches. */
export type ShownSyncs = {
  update(followed: readonly Followed[], now: { waitedMs: number; away: boolean }): Promise<void>
  /** Takes the line away. */
  stop(): void
}

/**
 * A line that rewrites itself on a terminal; events in JSON Lines, a `progress` where counters changed and an `ended`; else
 * nothing.
 */
export async function showSyncs({ answer, world }: Context): Promise<ShownSyncs> {
  if (answer.mode === 'jsonl') return showEvents(answer)
  if (answer.mode === 'json' || !world.terminal.errors.isTerminal)
    return { update: async () => undefined, stop: () => undefined }
  const line = await world.terminal.progress(`${WAITING} (Ctrl-C stops waiting, not the sync)`)
  return {
    update: async (followed, now) => line.update(plainLine(progressText(followed, now))),
    stop: () => line.stop()
  }
}

const WAITING = 'waiting for its turn'

/** What is waited for where nothing runs. */
const STILL: Readonly<Record<string, string>> = {
  pending: 'nothing is selected yet',
  idle: 'waiting for its next sync'
}

function stillWords(schedule: SyncSchedule | undefined): string {
  if (schedule?.state === 'idle' && schedule.last_run?.outcome === 'parked')
    return 'waiting for the pause that the provider asks for to end'
  return STILL[schedule?.state ?? ''] ?? WAITING
}

function showEvents(answer: Context['answer']): ShownSyncs {
  const told = new Map<string, string>()
  return {
    async update(followed) {
      for (const { run } of followed) {
        if (run === undefined) continue
        const event = { event: run.ended_at === null ? 'progress' : 'ended', run }
        const text = JSON.stringify(event)
        if (told.get(run.connection_id) === text) continue
        told.set(run.connection_id, text)
        await answer.jsonLine(event)
      }
    },
    stop: () => undefined
  }
}

const SECOND_MS = 1000

function progressText(followed: readonly Followed[], { waitedMs, away }: { waitedMs: number; away: boolean }): string {
  const runs = followed.flatMap(({ run }) => (run === undefined ? [] : [run]))
  const over = followed.filter((one) => one.over).length
  const parts = [
    ...(followed.length > 1 ? [`${over} of ${followed.length} done`] : []),
    ...(runs.length > 0 ? countWords(sumCounters(runs)) : [stillWords(followed[0]?.schedule)]),
    ...(away ? ['the server does not answer, trying again'] : []),
    ...(waitedMs < SECOND_MS ? [] : [durationWords(Math.floor(waitedMs / SECOND_MS) * SECOND_MS)])
  ]
  return parts.join(' · ')
}

/** Counters of several runs together. */
function sumCounters(runs: readonly SyncRun[]): Parameters<typeof countWords>[0] {
  const sum = (key: 'seen' | 'created' | 'updated' | 'deleted' | 'failed' | 'skipped'): number =>
    runs.reduce((total, run) => total + run[key], 0)
  return {
    seen: sum('seen'),
    created: sum('created'),
    updated: sum('updated'),
    deleted: sum('deleted'),
    failed: sum('failed'),
    skipped: sum('skipped')
  }
}

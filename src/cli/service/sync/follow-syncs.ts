import type { CallOptions, Client } from '../../../client/client.ts'
import { Fault } from '../../../contract/faults.ts'
import type { SyncRun, SyncSchedule } from '../../../contract/sync-run.ts'
import type { Clock } from '../../../ports.ts'
import type { Context } from '../../command/context.ts'
import { durationWords } from '../../output/duration-words.ts'
import { toPlainLine } from '../../output/to-plain-text.ts'
import { countWords } from '../../views/run-list.ts'
import { nextCommand } from '../next-command.ts'
import { startWatch, type Watch } from '../watch.ts'

/** A sync that is followed, and its progress. */
export type Followed = {
  connectionId: string
  /** The newest run before the followed one; undefined if there was none. */
  after: string | undefined
  /** The followed run as last read; undefined before it starts. */
  run: SyncRun | undefined
  schedule: SyncSchedule | undefined
  /** Whether the run has ended and no other run continues it. */
  over: boolean
}

/** Follows the first sync that starts after the newest one. */
export function nextSync(connectionId: string, schedule: SyncSchedule): Followed {
  return { connectionId, after: newestRun(schedule)?.id, run: undefined, schedule, over: false }
}

/** Follows the running or queued sync, or else the one that ended last. */
export function currentSync(connectionId: string, schedule: SyncSchedule): Followed {
  const { state, running, last_run } = schedule
  const run = running ?? (state === 'queued' ? undefined : (last_run ?? undefined))
  return { connectionId, after: last_run?.id, run, schedule, over: false }
}

/** Follows only the running sync. */
export function syncUnderWay(connectionId: string, schedule: SyncSchedule, over: boolean): Followed {
  return { connectionId, after: undefined, run: schedule.running ?? undefined, schedule, over }
}

/** Number of runs among which the followed one is searched. */
const RUNS_SEARCHED = '100'

/**
 * Follows syncs until all have ended or `waitMs` have passed, and updates `followed`. Follows a sync that the provider paused
 * into the run that continues it, if that run starts in time.
 *
 * @throws Fault `conflict` if a connection is revoked before its sync ends, `cancelled` on Ctrl-C.
 */
export async function followSyncs(
  context: Context,
  followed: readonly Followed[],
  { waitMs, shown }: { waitMs: number; shown: ShownSyncs }
): Promise<void> {
  const client = await context.client()
  const watch = startWatch(context, waitMs)
  try {
    for (;;) {
      const away = await lookAtAll({ client, watch, clock: context.world.clock }, followed)
      await shown.update(followed, { waitedMs: watch.elapsedMs(), away })
      const open = followed.filter(({ over }) => !over)
      if (open.length === 0 || watch.remainingMs() === 0) return
      await watch.pause(open.length)
    }
  } catch (error) {
    if (!context.world.terminal.interrupted.aborted) throw error
    const open = followed.filter(({ over }) => !over)
    throw makeStoppedFault(
      context,
      open.map(({ connectionId }) => connectionId),
      error
    )
  }
}

type Looking = { client: Client; watch: Watch; clock: Pick<Clock, 'now'> }

/** Reads all syncs that have not ended. Returns whether the server was unavailable. */
async function lookAtAll({ client, watch, clock }: Looking, followed: readonly Followed[]): Promise<boolean> {
  for (const one of followed) {
    if (one.over) continue
    const until = clock.now() + watch.remainingMs()
    const now = await watch.ask((options) => lookAt({ client, options }, one, until))
    if (now === undefined) return true
    Object.assign(one, now)
  }
  return false
}

/** The client of a poll, with the options of its calls. */
export type Asking = { client: Client; options: CallOptions }

/** Reads a sync. `until` is the end of the wait, in milliseconds since 1970. */
async function lookAt(asking: Asking, one: Followed, until: number): Promise<Followed> {
  const params = { connection_id: one.connectionId }
  const schedule = await asking.client.getSchedule({ params }, asking.options)
  const found = await readRun(asking, one, schedule)
  const run = found ?? findPausedRun(one, schedule)
  const looked = { ...one, schedule, run }
  if (run === undefined || run.ended_at === null) {
    if (schedule.state === 'revoked') throw makeRevokedFault(one.connectionId)
    return looked
  }
  const continues = UNFINISHED.includes(run.outcome) && (hasNextRun(schedule, run) || resumesBy(schedule, run, until))
  return continues ? { ...looked, after: run.id, run: undefined } : { ...looked, over: true }
}

/** Returns the run before the followed one if the provider paused it, because the end of the pause may have changed. */
function findPausedRun({ after }: Followed, { last_run }: SyncSchedule): SyncRun | undefined {
  return last_run !== null && last_run.id === after && last_run.outcome === 'parked' ? last_run : undefined
}

/** Outcomes of a run that the next run continues. */
const UNFINISHED: readonly SyncRun['outcome'][] = ['stopped', 'interrupted', 'parked']

/** Checks whether another run has started since, or is about to. */
function hasNextRun(schedule: SyncSchedule, run: SyncRun): boolean {
  return schedule.state === 'queued' || schedule.state === 'running' || newestRun(schedule)?.id !== run.id
}

/** Checks whether a run that the provider paused continues before the end of the wait. */
function resumesBy({ state, next_sync_at }: SyncSchedule, { outcome }: SyncRun, until: number): boolean {
  return outcome === 'parked' && state === 'idle' && next_sync_at !== null && Date.parse(next_sync_at) < until
}

function newestRun({ running, last_run }: SyncSchedule): SyncRun | null {
  return running ?? last_run
}

/** Reads the current state of the followed run. */
async function readRun({ client, options }: Asking, { connectionId, after, run }: Followed, schedule: SyncSchedule) {
  const { running, last_run } = schedule
  if (run === undefined && (newestRun(schedule)?.id ?? after) === after) return undefined
  const told = [running, last_run].find((one) => one !== null && one.id === run?.id)
  if (told) return told
  const params = { connection_id: connectionId }
  if (run !== undefined) return await client.getRun({ params: { ...params, run_id: run.id } }, options)
  const runs = await client.listRuns({ params, query: { limit: RUNS_SEARCHED } }, options)
  const known = runs.findIndex(({ id }) => id === after)
  return known < 0 ? runs.at(-1) : runs[known - 1]
}

function makeRevokedFault(id: string): Fault {
  return new Fault('conflict', `connection ${id} was disconnected during the sync`, {
    hint: 'show the remaining connections: memctl connections list',
    next: ['memctl connections list']
  })
}

/** Builds the fault for Ctrl-C during the wait for syncs of these connections. */
export function makeStoppedFault(context: Context, ids: readonly string[], cause: unknown): Fault {
  const [first, second] = ids
  const only = first !== undefined && second === undefined
  const look = nextCommand(context, `memctl connections ${only ? `runs ${first}` : 'list'}`)
  const message = 'stopped waiting; syncs continue on the server'
  return new Fault('cancelled', message, { hint: `show the progress: ${look}`, next: [look], cause })
}

/** The progress display. */
type ShownSyncs = {
  update(followed: readonly Followed[], now: { waitedMs: number; away: boolean }): Promise<void>
  /** Removes the line. */
  stop(): void
}

/**
 * Shows the progress of syncs: as a line on a terminal, and in JSON Lines as `progress` events when counters change and an
 * `ended` event. Otherwise shows nothing.
 */
export async function showSyncs({ answer, world }: Context): Promise<ShownSyncs> {
  if (answer.mode === 'jsonl') return showEvents(answer)
  if (answer.mode === 'json' || !world.terminal.errors.isTerminal)
    return { update: async () => undefined, stop: () => undefined }
  const line = await world.terminal.progress(`${WAITING} (Ctrl-C stops waiting, not the sync)`)
  return {
    update: async (followed, now) => line.update(toPlainLine(progressText(followed, now))),
    stop: () => line.stop()
  }
}

const WAITING = 'Waiting for the sync to start'

/** The text for each state without a running sync. */
const STILL: Readonly<Record<string, string>> = {
  pending: 'Waiting for a selection of folders or channels',
  idle: 'Waiting for the next scheduled sync'
}

function stillWords(schedule: SyncSchedule | undefined): string {
  if (schedule?.state === 'idle' && schedule.last_run?.outcome === 'parked')
    return 'Waiting for the end of the pause requested by the provider'
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
    ...(away ? ['server not responding, retrying'] : []),
    ...(waitedMs < SECOND_MS ? [] : [durationWords(Math.floor(waitedMs / SECOND_MS) * SECOND_MS)])
  ]
  return parts.join(' · ')
}

/** Adds up the counters of several runs. */
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

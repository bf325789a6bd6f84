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

/** A sync that is followed: which one, and how far it is. */
export type Followed = {
  connectionId: string
  /** The newest run before the one that is meant; undefined where there was none. */
  after: string | undefined
  /** The one that is meant, once it began, as it was at the last look. */
  run: SyncRun | undefined
  schedule: SyncSchedule | undefined
  /** It ended, and nothing goes on in its place. */
  over: boolean
}

/** The first sync that begins after what is the newest now. */
export function nextSync(connectionId: string, schedule: SyncSchedule): Followed {
  return { connectionId, after: newestRun(schedule)?.id, run: undefined, schedule, over: false }
}

/** The sync that is under way or about to begin; where there is none, the one that ended last. */
export function currentSync(connectionId: string, schedule: SyncSchedule): Followed {
  const { state, running, last_run } = schedule
  const run = running ?? (state === 'queued' ? undefined : (last_run ?? undefined))
  return { connectionId, after: last_run?.id, run, schedule, over: false }
}

/** Nothing but what is under way now. */
export function syncUnderWay(connectionId: string, schedule: SyncSchedule, over: boolean): Followed {
  return { connectionId, after: undefined, run: schedule.running ?? undefined, schedule, over }
}

/** Runs of which the one that is meant is looked for. */
const RUNS_LOOKED_AT = '100'

/**
 * Follows syncs until all are over or `waitMs` have passed; what they are is then in `followed`. A sync that the provider paused
 * is followed into the run that continues it, if that one begins in time.
 *
 * @throws Fault `conflict` where a connection is revoked before its sync ended, `cancelled` on Ctrl-C.
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

/** Whether the server did not answer. */
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

/** Whom a look asks, and what ends it. */
export type Asking = { client: Client; options: CallOptions }

/** `until`: when the waiting ends, in milliseconds since 1970. */
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

/** The run before the one that is waited for, where the provider paused it: the end of the pause may have moved since. */
function findPausedRun({ after }: Followed, { last_run }: SyncSchedule): SyncRun | undefined {
  return last_run !== null && last_run.id === after && last_run.outcome === 'parked' ? last_run : undefined
}

/** Outcomes of a run that is continued by the next one. */
const UNFINISHED: readonly SyncRun['outcome'][] = ['stopped', 'interrupted', 'parked']

/** Whether another run has begun since, or is about to. */
function hasNextRun(schedule: SyncSchedule, run: SyncRun): boolean {
  return schedule.state === 'queued' || schedule.state === 'running' || newestRun(schedule)?.id !== run.id
}

/** Whether a run that the provider paused is continued before the waiting ends. */
function resumesBy({ state, next_sync_at }: SyncSchedule, { outcome }: SyncRun, until: number): boolean {
  return outcome === 'parked' && state === 'idle' && next_sync_at !== null && Date.parse(next_sync_at) < until
}

function newestRun({ running, last_run }: SyncSchedule): SyncRun | null {
  return running ?? last_run
}

/** The run that is meant, as it is now. */
async function readRun({ client, options }: Asking, { connectionId, after, run }: Followed, schedule: SyncSchedule) {
  const { running, last_run } = schedule
  if (run === undefined && (newestRun(schedule)?.id ?? after) === after) return undefined
  const told = [running, last_run].find((one) => one !== null && one.id === run?.id)
  if (told) return told
  const params = { connection_id: connectionId }
  if (run !== undefined) return await client.getRun({ params: { ...params, run_id: run.id } }, options)
  const runs = await client.listRuns({ params, query: { limit: RUNS_LOOKED_AT } }, options)
  const known = runs.findIndex(({ id }) => id === after)
  return known < 0 ? runs.at(-1) : runs[known - 1]
}

function makeRevokedFault(id: string): Fault {
  return new Fault('conflict', `the connection ${id} was disconnected meanwhile`, {
    hint: 'memctl connections list shows what is connected',
    next: ['memctl connections list']
  })
}

/** Ctrl-C while syncs of these connections are waited for. */
export function makeStoppedFault(context: Context, ids: readonly string[], cause: unknown): Fault {
  const [first, second] = ids
  const only = first !== undefined && second === undefined
  const look = nextCommand(context, `memctl connections ${only ? `runs ${first}` : 'list'}`)
  const message = 'stopped waiting. What is under way goes on at the server'
  return new Fault('cancelled', message, { hint: `${look} tells how far`, next: [look], cause })
}

/** How far syncs are, for whoever watches. */
type ShownSyncs = {
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
    update: async (followed, now) => line.update(toPlainLine(progressText(followed, now))),
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

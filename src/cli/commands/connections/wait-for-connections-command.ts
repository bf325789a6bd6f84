import type { Client } from '../../../client/client.ts'
import type { Connection } from '../../../contract/connection.ts'
import { Fault } from '../../../contract/faults.ts'
import type { SyncRun, SyncSchedule } from '../../../contract/sync-run.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { type CommandLine, textOption, waitOption } from '../../input/command-line.ts'
import { durationWords, untilWords } from '../../output/duration-words.ts'
import { chooseCollection } from '../../service/choose-collection.ts'
import { CONNECTION_WORD, findConnectionId } from '../../service/find-connection-id.ts'
import { nextCommand } from '../../service/next-command.ts'
import { hintPaused } from '../../service/read-schedules.ts'
import { failingWarnings, SYNC_WAIT_MS } from '../../service/sync/await-syncs.ts'
import {
  type Asking,
  type Followed,
  makeStoppedFault,
  showSyncs,
  syncUnderWay
} from '../../service/sync/follow-syncs.ts'

import { makeEndedFault, worstFault } from '../../service/sync/sync-fault.ts'
import { startWatch, type Watch } from '../../service/watch.ts'
import { connectionList, connectionView, nextSyncWords } from '../../views/connection-list.ts'

type Options = {
  ids: readonly string[]
  collection: string | undefined
  goal: Goal
  /** Milliseconds. */
  waitMs: number
}

export const waitForConnectionsCommand = defineCommand<Options>({
  name: 'wait',
  summary: 'Wait until connections are active, synced or healthy',
  words: [{ name: '[ids...]', ...CONNECTION_WORD, about: `${CONNECTION_WORD.about}; all by default` }],
  options: [
    { flags: '--for <state>', about: 'state to wait for: active, synced or healthy' },
    {
      flags: '-c, --collection <collection>',
      about: 'collection whose connections to wait for, or in which to search for a name or shortened id',
      live: 'collection'
    },
    { flags: '--wait-timeout <duration>', about: 'maximum wait; 10m by default' }
  ],
  about:
    'active: folders or channels are selected, if needed. synced: a sync has finished, and none is running, queued or ' +
    'parked. healthy: the last sync had no error. Does not start a sync; use memctl connections sync for that.\n' +
    'Exits 8 if the wait times out and 6 if a connection is paused or revoked. Exits at once if the next sync would ' +
    'start too late: with 1 if the last sync failed, and with 8 if the provider requested a pause.',
  examples: [
    'memctl connections wait mailbox --for synced --wait-timeout 30m',
    'memctl connections wait --for healthy --json | jq -r .[].last_synced_at'
  ],
  leaves: 'Nothing was changed; syncs continue on the server',
  parse: parseWait,
  run: async (context, { ids, collection, goal, waitMs }) => {
    const client = await context.client()
    const chosen = await chooseIds(context, client, { ids, collection })
    const reached = await awaitGoals(context, chosen, { goal, waitMs })
    if (goal !== 'active') await warnOfFailing(context, reached)
    await answerReached(context, reached, { goal, single: ids.length === 1 })
  }
})

function parseWait({ words, options }: CommandLine): Options {
  const named = textOption(options, 'for')
  const goal = GOALS.find((one) => one === named)
  if (goal === undefined)
    throw new Fault(
      'usage',
      `${named === undefined ? 'missing --for' : `invalid --for '${named}'`}: expected ${GOALS.join(', ')}`,
      { hint: `use --for ${GOALS.join(', --for ')}` }
    )
  return {
    ids: words,
    collection: textOption(options, 'collection'),
    goal,
    waitMs: waitOption(options) ?? SYNC_WAIT_MS
  }
}

async function chooseIds(
  context: Context,
  client: Client,
  { ids, collection }: Pick<Options, 'ids' | 'collection'>
): Promise<string[]> {
  if (ids.length > 0) {
    const found: string[] = []
    for (const id of ids) found.push(await findConnectionId(context, id, collection))
    return [...new Set(found)]
  }
  const collection_id = await chooseCollection(context, collection)
  const connections = await client.listConnections({ query: { collection_id } })
  if (connections.length > 0) return connections.map(({ id }) => id)
  throw new Fault('not_found', `collection ${collection_id} has no connections`, {
    hint: 'create one with memctl connect PROVIDER; memctl providers lists the providers',
    next: ['memctl providers']
  })
}

/** Warns about failed items. They do not make a connection unhealthy, but their stored content is out of date. */
async function warnOfFailing(context: Context, reached: readonly Seen[]): Promise<void> {
  for (const { connection } of reached)
    for (const warning of await failingWarnings(context, connection.id)) await context.diagnostics.warn(warning)
}

async function answerReached(
  context: Context,
  reached: readonly Seen[],
  { goal, single }: { goal: Goal; single: boolean }
): Promise<void> {
  const { answer, world } = context
  const now = world.clock.now()
  const connections = reached.map(({ connection }) => connection)
  const [only] = reached
  if (answer.mode === 'jsonl') return await answer.jsonLine({ event: 'done', for: goal, connections })
  const schedules = new Map(reached.map(({ connection, schedule }) => [connection.id, schedule]))
  if (!single || only === undefined) await answer.list(connections, connectionList(now, schedules))
  else await answer.object(only.connection, connectionView(only.connection, now, only.schedule))
  if (answer.mode === 'table') await hintPaused(context, connections, schedules)
}

/** The states to wait for. */
const GOALS = ['active', 'synced', 'healthy'] as const

type Goal = (typeof GOALS)[number]

/** A connection as last read from the server. */
type Seen = { connection: Connection; schedule: SyncSchedule; reached: boolean }

/**
 * Waits until each connection has reached the goal, and returns the connections.
 *
 * @throws Fault `still_pending` if `waitMs` pass first or the next sync starts later; `sync_failed` instead of that if the last
 *   sync failed; `conflict` if a connection is revoked, or paused without a running sync.
 */
async function awaitGoals(
  context: Context,
  ids: readonly string[],
  { goal, waitMs }: { goal: Goal; waitMs: number }
): Promise<Seen[]> {
  const client = await context.client()
  const watch = startWatch(context, waitMs)
  const seen = new Map<string, Seen>()
  const shown = await showSyncs(context)
  try {
    for (;;) {
      const away = await lookAtAll({ client, watch, goal, seen }, ids)
      await shown.update([...seen.values()].map(toFollowed), { waitedMs: watch.elapsedMs(), away })
      const open = ids.filter((id) => seen.get(id)?.reached !== true)
      if (open.length === 0) return ids.flatMap((id) => seen.get(id) ?? [])
      for (const id of open) failWhereHopeless(context, seen.get(id), { goal, left: watch.remainingMs() })
      if (watch.remainingMs() === 0) throw notInTime(context, { open, of: ids.length, seen }, { goal, waitMs })
      await watch.pause(2 * open.length)
    }
  } catch (error) {
    if (!context.world.terminal.interrupted.aborted) throw error
    throw makeStoppedFault(context, ids, error)
  } finally {
    shown.stop()
  }
}

type Looking = { client: Client; watch: Watch; goal: Goal; seen: Map<string, Seen> }

/** Reads all connections that have not reached the goal. Returns whether the server was unavailable. */
async function lookAtAll({ client, watch, goal, seen }: Looking, ids: readonly string[]): Promise<boolean> {
  for (const id of ids) {
    if (seen.get(id)?.reached) continue
    const now = await watch.ask((options) => lookAt({ client, options }, id, goal))
    if (now === undefined) return true
    seen.set(id, now)
  }
  return false
}

/** Reads the schedule first, so that a sync that ends in between counts as running and not as missing. */
async function lookAt({ client, options }: Asking, id: string, goal: Goal): Promise<Seen> {
  const params = { connection_id: id }
  const schedule = await client.getSchedule({ params }, options)
  const connection = await client.getConnection({ params }, options)
  return { connection, schedule, reached: isReached(goal, connection, schedule) }
}

/** Outcomes of a sync that did not finish. */
const UNFINISHED: readonly SyncRun['outcome'][] = ['failed', 'parked', 'stopped', 'interrupted']

/** Checks the goal. For `synced`, the last sync must have finished: earlier ones do not count. */
function isReached(goal: Goal, { status, health, last_synced_at }: Connection, schedule: SyncSchedule): boolean {
  const { state, last_run } = schedule
  if (status !== 'active') return false
  if (goal === 'active') return true
  if (goal === 'healthy') return health === 'ok'
  const atRest = state !== 'queued' && state !== 'running'
  return last_synced_at !== null && atRest && !UNFINISHED.includes(last_run?.outcome ?? null)
}

/** Throws if waiting longer cannot help. */
function failWhereHopeless(
  context: Context,
  seen: Seen | undefined,
  { goal, left }: { goal: Goal; left: number }
): void {
  if (seen === undefined || seen.reached) return
  const { connection, schedule } = seen
  const { id, status } = connection
  if (status === 'revoked') {
    throw new Fault('conflict', `connection ${id} is revoked, so it cannot become ${goal}`, {
      hint: `connect again: memctl connect ${connection.provider} -c ${connection.collection_id}`,
      next: [nextCommand(context, `memctl connect ${connection.provider} -c ${connection.collection_id}`)]
    })
  }
  if (status !== 'active') return
  if (schedule.state === 'paused') {
    const next = ['resume', 'sync'].map((verb) => nextCommand(context, `memctl connections ${verb} ${id}`))
    const hint = `resume its schedule: ${next[0]}; or sync it once: ${next[1]}`
    throw new Fault('conflict', `connection ${id} is paused and not ${goal}`, { hint, next })
  }
  if (schedule.state === 'idle' && isTooLate(schedule, context.world.clock.now() + left))
    throw tooLate(context, seen, goal)
}

function isTooLate({ next_sync_at }: SyncSchedule, end: number): boolean {
  return next_sync_at !== null && Date.parse(next_sync_at) > end
}

/** Builds the fault for a next sync that starts after the end of the wait. */
function tooLate(context: Context, { connection, schedule }: Seen, goal: Goal): Fault {
  const { id } = connection
  const { last_run, next_sync_at } = schedule
  const ended = last_run !== null && last_run.outcome !== 'parked'
  if (ended && (UNFINISHED.includes(last_run.outcome) || last_run.error !== null))
    return makeEndedFault(context, last_run, schedule)
  const until = next_sync_at === null ? '' : ` ${untilWords(next_sync_at, context.world.clock.now())}`
  const sync = nextCommand(context, `memctl connections sync ${id} --wait`)
  const why = last_run?.outcome === 'parked' ? 'the provider requested a pause, and the' : 'the'
  return new Fault('still_pending', `connection ${id} is not ${goal}: ${why} next sync starts${until}`, {
    hint: `to sync now: ${sync}`,
    next: [sync]
  })
}

type Late = { open: readonly string[]; of: number; seen: ReadonlyMap<string, Seen> }

function notInTime(
  context: Context,
  { open, of, seen }: Late,
  { goal, waitMs }: { goal: Goal; waitMs: number }
): Fault {
  const faults = open.map((id) => {
    const wait = nextCommand(context, `memctl connections wait ${id} --for ${goal}`)
    const now = nowWords(seen.get(id), context.world.clock.now())
    const message = `connection ${id} is not ${goal} after ${durationWords(waitMs)}: ${now}`
    if (seen.get(id)?.connection.status !== 'pending')
      return new Fault('still_pending', message, { hint: `continue waiting: ${wait}`, next: [wait] })
    const choose = nextCommand(context, `memctl connections config ${id}`)
    return new Fault('still_pending', message, {
      hint: `select them: ${choose}; then wait: ${wait}`,
      next: [choose, wait]
    })
  })
  return worstFault(faults, of) ?? new Fault('still_pending', `not ${goal} after ${durationWords(waitMs)}`)
}

/** Describes the current state. */
function nowWords(seen: Seen | undefined, now: number): string {
  if (seen === undefined) return 'the server did not respond'
  const { connection, schedule } = seen
  if (connection.status === 'pending') return 'its folders or channels are not selected yet'
  const error = connection.last_error === null ? '' : `, ${connection.last_error}`
  return `next sync ${nextSyncWords(schedule, now)}${error}`
}

/** Converts to the form that the progress display takes. */
function toFollowed({ connection, schedule, reached }: Seen): Followed {
  return syncUnderWay(connection.id, schedule, reached)
}

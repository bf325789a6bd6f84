import type { Client } from '../../../client/client.ts'
import { Fault } from '../../../contract/faults.ts'
import type { SyncRun } from '../../../contract/sync-run.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { type CommandLine, textOption, waitOption } from '../../input/command-line.ts'
import type { ListView } from '../../output/result-writer.ts'
import { formatCount } from '../../output/short-forms.ts'
import { chooseCollection } from '../../service/choose-collection.ts'
import { CONNECTION_WORD, findConnectionId } from '../../service/find-connection-id.ts'
import { nextCommand } from '../../service/next-command.ts'
import { awaitSyncs, SYNC_WAIT_MS } from '../../service/sync/await-syncs.ts'
import { currentSync, type Followed, nextSync } from '../../service/sync/follow-syncs.ts'
import { worstFault } from '../../service/sync/sync-fault.ts'
import { howToConnect } from '../../views/connection-list.ts'
import { runsOfSeveral, runView } from '../../views/run-list.ts'

type Options = {
  ids: readonly string[]
  all: boolean
  collection: string | undefined
  wait: boolean
  /** Milliseconds. */
  waitMs: number
  skipRunning: boolean
  failOnWarning: boolean
}

export const syncConnectionsCommand = defineCommand<Options>({
  name: 'sync',
  summary: 'Sync connections now instead of at the next scheduled time',
  words: [{ name: '[ids...]', ...CONNECTION_WORD }],
  options: [
    { flags: '--all', about: 'sync every active connection of the collection' },
    {
      flags: '-c, --collection <collection>',
      about: 'collection to sync with --all, or in which to search for a name or shortened id',
      live: 'collection'
    },
    { flags: '--wait', about: 'wait until the syncs finish, and show their results' },
    { flags: '--wait-timeout <duration>', about: 'maximum wait; 10m by default' },
    { flags: '--skip-running', about: 'accept connections that are already syncing; --wait then waits for that sync' },
    { flags: '--fail-on-warning', about: 'exit 9 if any items have failed or were truncated' }
  ],
  about:
    'Without --wait, starts the syncs on the server and returns at once. With --wait, exits 0 if all syncs finished, 1 if ' +
    'one failed, and 8 if the provider requested a pause or the wait timed out. Exits 6 if a connection is already ' +
    'syncing or not active. A paused connection syncs once.',
  examples: [
    'memctl connections sync mailbox --wait',
    'memctl connections sync --all --wait --wait-timeout 30m --skip-running --json | jq .[].outcome',
    'memctl connections sync 4f81c2 --wait --jsonl | jq -r .run.seen'
  ],
  leaves: 'The syncs continue on the server; memctl connections runs ID shows their progress',
  parse: parseSync,
  run
})

function parseSync({ words, options }: CommandLine): Options {
  const all = options.all === true
  const wait = options.wait === true
  const waitMs = waitOption(options)
  if (all && words.length > 0)
    throw new Fault('usage', '--all and ids cannot be used together', { hint: 'give one of them' })
  if (!all && words.length === 0)
    throw new Fault('usage', 'missing connection ids or --all', {
      hint: 'memctl connections list shows the ids',
      next: ['memctl connections list', 'memctl connections sync --all']
    })
  if (waitMs !== undefined && !wait) throw new Fault('usage', '--wait-timeout requires --wait', { hint: 'add --wait' })
  return {
    ids: words,
    all,
    collection: textOption(options, 'collection'),
    wait,
    waitMs: waitMs ?? SYNC_WAIT_MS,
    skipRunning: options.skipRunning === true,
    failOnWarning: options.failOnWarning === true
  }
}

async function run(context: Context, options: Options): Promise<void> {
  const client = await context.client()
  const providers = await chooseConnections(context, client, options)
  const asked: Asked[] = []
  for (const id of providers.keys()) asked.push(await ask(context, client, { id, options }))
  const refused = asked.flatMap(({ fault }) => fault ?? [])
  const begun = asked.filter(({ fault }) => fault === undefined)
  const single = providers.size === 1 && !options.all
  if (!options.wait) {
    if (begun.length > 0 || providers.size === 0) await answerAsked(context, begun, single)
    return throwWorst(refused, providers.size)
  }
  const followed = begun.flatMap((one) => one.followed ?? [])
  const faults = await awaitSyncs(context, followed, options)
  const runs = followed.flatMap((one) => (one.over && one.run !== undefined ? [one.run] : []))
  if (single && runs[0] !== undefined) await answerRun(context, runs[0])
  else if (runs.length > 0 || providers.size === 0) await answerRuns(context, runs, providers)
  throwWorst([...refused, ...faults], providers.size)
}

/** The connections to sync: ids, with the provider if known. */
type Chosen = ReadonlyMap<string, string>

async function chooseConnections(context: Context, client: Client, { ids, all, collection }: Options): Promise<Chosen> {
  if (!all) {
    const found = new Map<string, string>()
    for (const id of ids) found.set(await findConnectionId(context, id, collection), '')
    return found
  }
  const collection_id = await chooseCollection(context, collection)
  const connections = await client.listConnections({ query: { collection_id } })
  const active = connections.filter(({ status }) => status === 'active')
  const left = connections.length - active.length
  if (connections.length === 0)
    await context.diagnostics.note(`This collection has no connections; ${howToConnect(context)}`)
  if (left > 0)
    await context.diagnostics.note(`Skipped ${formatCount(left, 'pending connection')} without a selection.`)
  return new Map(active.map(({ id, provider }) => [id, provider]))
}

/** A connection with the result of its sync request. With `fault`, the server refused it. */
type Asked = { id: string; message: string; fault?: Fault; followed?: Followed }

async function ask(
  context: Context,
  client: Client,
  { id, options }: { id: string; options: Options }
): Promise<Asked> {
  const params = { connection_id: id }
  const before = options.wait ? await client.getSchedule({ params }) : undefined
  try {
    const { message } = await client.syncConnection({ params })
    if (context.answer.mode === 'jsonl')
      await context.answer.jsonLine({ event: 'triggered', connection_id: id, message })
    return { id, message, ...(before && { followed: nextSync(id, before) }) }
  } catch (error) {
    if (!(error instanceof Fault) || (error.code !== 'conflict' && error.code !== 'usage')) throw error
    const { message } = error
    if (error.code === 'usage') return { id, message, fault: notActive(error) }
    if (!options.skipRunning) return { id, message, fault: inProgress(context, error, id) }
    await context.diagnostics.note(`${message}; ${options.wait ? 'waiting for it' : 'skipped'}`)
    return { id, message, ...(before && { followed: currentSync(id, await client.getSchedule({ params })) }) }
  }
}

/** Converts the refusal of a connection that is not active, status 400 in the interface, to a `conflict`: exit code 6. */
function notActive(error: Fault): Fault {
  return new Fault('conflict', error.message, { hint: error.hint, next: [...error.next], cause: error })
}

function inProgress(context: Context, error: Fault, id: string): Fault {
  const wait = nextCommand(context, `memctl connections wait ${id} --for synced`)
  return new Fault('conflict', error.message, {
    hint: `wait for it: ${wait}; or add --skip-running`,
    next: [wait],
    cause: error
  })
}

function throwWorst(faults: readonly Fault[], of: number): void {
  const worst = worstFault(faults, of)
  if (worst !== undefined) throw worst
}

/** Writes the result of the interface for one connection, or a list for several. JSON Lines events were already written. */
async function answerAsked(context: Context, asked: readonly Asked[], single: boolean): Promise<void> {
  const { answer, diagnostics } = context
  const [only] = asked
  if (answer.mode === 'jsonl') return
  if (!single || only === undefined) return await answer.list(asked, ASKED_LIST)
  const { id, message } = only
  await answer.object({ message }, { lines: () => [[message]], rows: () => [[id, message]] })
  await diagnostics.hint(`show its progress: ${nextCommand(context, `memctl connections runs ${id}`)}`)
}

const ASKED_LIST: ListView<Asked> = {
  columns: [
    { name: 'id', value: ({ id }) => id, shortens: true },
    { name: 'message', value: ({ message }) => message, flexible: true }
  ],
  json: ({ id, message }) => ({ id, message })
}

async function answerRun({ answer, world }: Context, run: SyncRun): Promise<void> {
  if (answer.mode === 'jsonl') return await answer.jsonLine({ event: 'done', outcomes: countOutcomes([run]) })
  await answer.object(run, runView(run, world.clock.now()))
}

async function answerRuns({ answer, world }: Context, runs: readonly SyncRun[], providers: Chosen): Promise<void> {
  if (answer.mode === 'jsonl') return await answer.jsonLine({ event: 'done', outcomes: countOutcomes(runs) })
  await answer.list(runs, runsOfSeveral(world.clock.now(), providers))
}

function countOutcomes(runs: readonly SyncRun[]): Record<string, number> {
  const outcomes = runs.map(({ outcome }) => String(outcome)).toSorted()
  return Object.fromEntries(outcomes.map((outcome) => [outcome, outcomes.filter((other) => other === outcome).length]))
}

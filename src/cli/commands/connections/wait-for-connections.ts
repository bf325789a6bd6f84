import type { Client } from '../../../client/client.ts'
import { Fault } from '../../../contract/faults.ts'
import { defineCommand, type Given } from '../../command.ts'
import type { Context } from '../../context.ts'
import { textOption } from '../../input/option-values.ts'
import { waitOption } from '../../input/wait-option.ts'
import { chooseCollection } from '../../service/choose-collection.ts'
import { connectionId } from '../../service/find-connection.ts'
import { hintPaused } from '../../service/read-schedules.ts'
import { awaitGoals, GOALS, type Goal, type Seen } from '../../service/sync/await-goals.ts'
import { SYNC_WAIT_MS } from '../../service/sync/await-syncs.ts'
import { failingWarnings } from '../../service/sync/sync-warnings.ts'
import { connectionList, connectionView } from '../../views/connection-list.ts'

type Options = {
  ids: readonly string[]
  collection: string | undefined
  goal: Goal
  /** Milliseconds. */
  waitMs: number
}

export const waitForConnections = defineCommand<Options>({
  name: 'wait',
  summary: 'wait until connections are active, synced or healthy',
  words: [{ name: '[ids...]', about: 'the connections: ids, or the first 6 characters or more; by default all' }],
  options: [
    { flags: '--for <state>', about: 'what to wait for: active, synced or healthy' },
    { flags: '-c, --collection <id>', about: 'the collection; beside ids, where shortened ones are looked for' },
    { flags: '--wait-timeout <duration>', about: 'wait so long at most; 10m by default' }
  ],
  about:
    'active: folders or channels are chosen where that is needed. synced: a sync came to its end, and none is under way, asked for or parked. ' +
    'healthy: the last sync met no error. Exit 8 when the time is over; at once 1 when the last sync failed and 8 when the provider ' +
    'asks for a pause, where the next comes too late; 6 when the connection is paused or revoked. Nothing is begun: sync does that.',
  examples: [
    'memctl connections wait 018f3a --for synced --wait-timeout 30m',
    'memctl connections wait --for healthy --json | jq -r .[].last_synced_at'
  ],
  leaves: 'Waiting changes nothing: syncs go on at the server',
  parse: parseWait,
  run: async (context, { ids, collection, goal, waitMs }) => {
    const client = await context.client()
    const chosen = await chosenIds(context, client, { ids, collection })
    const reached = await awaitGoals(context, chosen, { goal, waitMs })
    if (goal !== 'active') await warnOfFailing(context, reached)
    await answerReached(context, reached, { goal, single: ids.length === 1 })
  }
})

function parseWait({ words, options }: Given): Options {
  const named = textOption(options, 'for')
  const goal = GOALS.find((one) => one === named)
  if (goal === undefined)
    throw new Fault('usage', named === undefined ? 'what to wait for is not said' : `--for '${named}' is unknown`, {
      hint: `give --for ${GOALS.join(', --for ')}`
    })
  return {
    ids: words,
    collection: textOption(options, 'collection'),
    goal,
    waitMs: waitOption(options) ?? SYNC_WAIT_MS
  }
}

async function chosenIds(
  context: Context,
  client: Client,
  { ids, collection }: Pick<Options, 'ids' | 'collection'>
): Promise<string[]> {
  if (ids.length > 0) {
    const found: string[] = []
    for (const id of ids) found.push(await connectionId(context, id, collection))
    return [...new Set(found)]
  }
  const collection_id = await chooseCollection(context, collection)
  const connections = await client.listConnections({ query: { collection_id } })
  if (connections.length > 0) return connections.map(({ id }) => id)
  throw new Fault('not_found', `nothing is connected to the collection ${collection_id}`, {
    hint: 'memctl connect PROVIDER does it; memctl providers lists what there is',
    next: ['memctl providers']
  })
}

/** Items that fail make no connection unhealthy: what was known of them stays, and is out of date. */
async function warnOfFailing(context: Context, reached: readonly Seen[]): Promise<void> {
  for (const { connection } of reached)
    for (const warning of await failingWarnings(context, connection.id)) await context.talk.warn(warning)
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

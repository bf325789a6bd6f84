import type { Client } from '../../../client/client.ts'
import type { SyncRun } from '../../../contract/sync-run.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { integerOption, textOption } from '../../input/command-line.ts'
import { findById } from '../../service/find-by-id.ts'
import { CONNECTION_WORD, findConnectionId, SEARCHED_COLLECTION_OPTION } from '../../service/find-connection-id.ts'
import { GUID } from '../../settings/settings-table.ts'
import { describeRun, runList, runView } from '../../views/run-list.ts'

type Options = { id: string; run: string | undefined; collection: string | undefined; limit: number }

/** The maximum that the server returns. */
const LIMIT_MAX = 1000
const LIMIT = 20

export const listRunsCommand = defineCommand<Options>({
  name: 'runs',
  summary: 'List the syncs of a connection, or show one of them',
  words: [
    { name: '<id>', ...CONNECTION_WORD },
    { name: '[run]', about: 'run id, or at least its last 6 characters', live: 'run' }
  ],
  options: [SEARCHED_COLLECTION_OPTION, { flags: '--limit <n>', about: `maximum number of runs; ${LIMIT} by default` }],
  about:
    'Lists the newest run first. Outcomes: succeeded; partial, finished with failed items; failed; parked, because the ' +
    'provider requested a pause; stopped, by a change of the selection, a disconnect or a server shutdown; interrupted, ' +
    'because its server went down.',
  examples: [
    'memctl connections runs mailbox',
    'memctl connections runs mailbox --limit 1 --json | jq -r .[0].outcome'
  ],
  leaves: 'Nothing was changed',
  parse: ({ words, options }) => ({
    id: words[0] ?? '',
    run: words[1],
    collection: textOption(options, 'collection'),
    limit: integerOption(options, 'limit', { least: 1, most: LIMIT_MAX }) ?? LIMIT
  }),
  run: async (context, { id, run, collection, limit }) => {
    const client = await context.client()
    const connection_id = await findConnectionId(context, id, collection)
    const now = context.world.clock.now()
    if (run !== undefined) {
      const found = await findRun(client, connection_id, run)
      return await context.answer.object(found, runView(found, now))
    }
    await answerRuns(context, await client.listRuns({ params: { connection_id }, query: { limit: String(limit) } }))
  }
})

async function findRun(client: Client, connection_id: string, given: string): Promise<SyncRun> {
  if (GUID.test(given)) return await client.getRun({ params: { connection_id, run_id: given.toLowerCase() } })
  const runs = await client.listRuns({ params: { connection_id }, query: { limit: String(LIMIT_MAX) } })
  const named = runs.map((run) => ({ ...run, names: [], about: describeRun(run) }))
  const { names, about, ...run } = findById(named, given, {
    noun: 'run',
    list: `memctl connections runs ${connection_id}`
  })
  return run
}

async function answerRuns({ answer, diagnostics, world }: Context, runs: readonly SyncRun[]): Promise<void> {
  if (runs.length === 0) await diagnostics.note('This connection has not synced yet.')
  await answer.list(runs, runList(world.clock.now()))
}

import type { Client } from '../../../client/client.ts'
import type { NamedConnection } from '../../../contract/connection.ts'
import type { SyncSchedule } from '../../../contract/sync-run.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { textOption } from '../../input/command-line.ts'
import type { ResultWriter } from '../../output/result-writer.ts'
import { CONNECTION_WORD, findConnectionId, SEARCHED_COLLECTION_OPTION } from '../../service/find-connection-id.ts'
import { hintPaused } from '../../service/read-schedules.ts'
import { connectionView, queryNames } from '../../views/connection-list.ts'
import { type Watched, watchAnswer } from './watch-answer.ts'

export const showConnectionCommand = defineCommand<{ id: string; collection: string | undefined; watch: boolean }>({
  name: 'show',
  summary: 'Show a connection',
  words: [{ name: '<id>', ...CONNECTION_WORD }],
  options: [SEARCHED_COLLECTION_OPTION, { flags: '--watch', about: 'keep showing changes until Ctrl-C' }],
  about:
    'Also shows a disconnected connection, by its full id. On a terminal, also shows the last sync and the time of the ' +
    'next one.\n' +
    'With --watch, a terminal is updated in place until you press q or Ctrl-C, a pipe gets a row for each change, and ' +
    '--jsonl an event with connection and schedule. The watch continues if the server is away for less than 5 minutes, ' +
    'and ends when the connection is revoked.',
  examples: [
    'memctl connections show mailbox',
    'memctl connections show mailbox --json | jq -r .health',
    'memctl connections show mailbox --watch --jsonl | jq -r .connection.items_synced'
  ],
  leaves: 'Nothing was changed',
  parse: ({ words, options }) => ({
    id: words[0] ?? '',
    collection: textOption(options, 'collection'),
    watch: options.watch === true
  }),
  run: async (context, { id, collection, watch }) => {
    const client = await context.client()
    const connection_id = await findConnectionId(context, id, collection)
    const { mode } = context.answer
    const withSchedule = mode === 'table' || (watch && mode === 'jsonl')
    const shown = readWatched(context, client, { connection_id, withSchedule })
    if (watch) return await watchAnswer(context, shown)
    const seen = await shown.look({})
    await shown.write(context.answer, seen)
    if (seen.schedule !== undefined)
      await hintPaused(context, [seen.connection], new Map([[connection_id, seen.schedule]]))
  }
})

type Seen = { connection: NamedConnection; schedule: SyncSchedule | undefined }

/** Reads the connection, and its schedule if the output shows it. Rows and JSON objects contain only the connection. */
function readWatched(
  context: Context,
  client: Client,
  { connection_id, withSchedule }: { connection_id: string; withSchedule: boolean }
): Watched<Seen> {
  const params = { connection_id }
  return {
    calls: 2,
    async look(options) {
      const connection = await client.getConnection({ params, query: queryNames(context) }, options)
      const plans = withSchedule && connection.status === 'active'
      return { connection, schedule: plans ? await client.getSchedule({ params }, options) : undefined }
    },
    write: async (to: ResultWriter, { connection, schedule }) =>
      await to.object(connection, connectionView(connection, context.world.clock.now(), schedule)),
    facts: ({ connection, schedule }) => ({ connection, schedule: schedule ?? null }),
    isLast: ({ connection }) => connection.status === 'revoked'
  }
}

import type { Connection } from '../../../contract/connection.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { textOption } from '../../input/command-line.ts'
import { shortGuids } from '../../output/short-forms.ts'
import { COLLECTION_OPTION, chooseCollection } from '../../service/choose-collection.ts'
import { nextCommand } from '../../service/next-command.ts'
import { hintPaused, readSchedules, type Schedules } from '../../service/read-schedules.ts'
import { connectionList, howToConnect, neededSelection, queryNames } from '../../views/connection-list.ts'

export const listConnectionsCommand = defineCommand<{ collection: string | undefined }>({
  name: 'list',
  summary: 'List the connections of a collection',
  options: [COLLECTION_OPTION],
  about:
    'Omits revoked connections. The table shows which connections are paused; next_sync_at in JSON and pipes is the ' +
    "interface's estimate. A connection with health error still syncs on schedule; last_error explains how to fix it. " +
    'The table shortens ids to what other commands need; pipes and --json have them in full.',
  examples: ['memctl connections list -c work', 'memctl connections list --fields id,provider,status'],
  pages: () => true,
  leaves: 'Nothing was changed',
  parse: ({ options }) => ({ collection: textOption(options, 'collection') }),
  run: async (context, { collection }) => {
    const client = await context.client()
    const collection_id = await chooseCollection(context, collection)
    const connections = await client.listConnections({ query: { collection_id, ...queryNames(context) } })
    if (connections.length === 0) await context.diagnostics.note(`No connections yet; ${howToConnect(context)}`)
    const forEyes = context.answer.mode === 'table'
    const schedules: Schedules = forEyes ? await readSchedules(client, connections) : new Map()
    await context.answer.list(connections, connectionList(context.world.clock.now(), schedules))
    if (!forEyes) return
    const shorten = shortGuids(connections)
    for (const one of connections) await tellNeeds(context, one, shorten(one.id))
    await hintPaused(context, connections, schedules)
  }
})

/** Shows what needs the user's attention, even if the table is too narrow for it. */
async function tellNeeds(context: Context, connection: Connection, id: string): Promise<void> {
  const { provider, last_error } = connection
  const needed = neededSelection(connection)
  if (needed !== undefined)
    await context.diagnostics.hint(
      `select ${needed} for ${provider} ${id}: ${nextCommand(context, `memctl connections config ${id}`)}`
    )
  if (last_error !== null) await context.diagnostics.warn(`${provider} ${id}: ${last_error}`)
}

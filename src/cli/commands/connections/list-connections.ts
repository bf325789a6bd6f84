import { defineCommand } from '../../command.ts'
import { textOption } from '../../input/option-values.ts'
import { COLLECTION_OPTION, chooseCollection } from '../../service/choose-collection.ts'
import { connectionList } from '../../views/connection-list.ts'

export const listConnections = defineCommand<{ collection: string | undefined }>({
  name: 'list',
  summary: 'the connections of a collection',
  options: [COLLECTION_OPTION],
  about:
    'Revoked ones are left out. A connection with health error still syncs as planned; last_error says what mends it.',
  examples: ['memctl connections list -c 018f3a', 'memctl connections list --fields id,provider,status'],
  leaves: 'Nothing was changed',
  parse: ({ options }) => ({ collection: textOption(options, 'collection') }),
  run: async (context, { collection }) => {
    const client = await context.client()
    const collection_id = await chooseCollection(context, collection)
    const connections = await client.listConnections({ query: { collection_id } })
    if (connections.length === 0)
      await context.talk.note('nothing is connected to this collection; memctl connect does it')
    await context.answer.list(connections, connectionList(context.world.clock.now()))
  }
})

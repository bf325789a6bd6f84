import { defineCommand } from '../../command.ts'
import { textOption } from '../../input/option-values.ts'
import { connectionId, LOOK_IN_OPTION } from '../../service/find-connection.ts'
import { connectionView } from '../../views/connection-list.ts'

export const showConnection = defineCommand<{ id: string; collection: string | undefined }>({
  name: 'show',
  summary: 'one connection',
  words: [{ name: '<id>', about: 'its id, or the first 6 characters or more' }],
  options: [LOOK_IN_OPTION],
  about:
    'Also one that was disconnected, by its whole id. A terminal is told too how the last sync went and when the next begins.',
  examples: ['memctl connections show 018f3a', 'memctl connections show 018f3a --json | jq -r .health'],
  leaves: 'Nothing was changed',
  parse: ({ words, options }) => ({ id: words[0] ?? '', collection: textOption(options, 'collection') }),
  run: async (context, { id, collection }) => {
    const client = await context.client()
    const connection_id = await connectionId(context, id, collection)
    const connection = await client.getConnection({ params: { connection_id } })
    const forEyes = context.answer.mode === 'table' && connection.status === 'active'
    const schedule = forEyes ? await client.getSchedule({ params: { connection_id } }) : undefined
    await context.answer.object(connection, connectionView(connection, context.world.clock.now(), schedule))
  }
})

import type { Channel } from '../../../contract/connection.ts'
import { defineCommand } from '../../command/command.ts'
import { textOption } from '../../input/command-line.ts'
import type { ListView } from '../../output/result-writer.ts'
import { CONNECTION_WORD, findConnectionId, SEARCHED_COLLECTION_OPTION } from '../../service/find-connection-id.ts'

type Options = { id: string; collection: string | undefined; search: string | undefined }

export const listChannelsCommand = defineCommand<Options>({
  name: 'channels',
  summary: 'List the channels of a connected chat',
  words: [{ name: '<id>', ...CONNECTION_WORD }],
  options: [
    SEARCHED_COLLECTION_OPTION,
    { flags: '--search <text>', about: 'only channels whose name contains the text' }
  ],
  examples: [
    'memctl connections channels team_chat',
    'memctl connections channels team_chat --search team --fields id,name'
  ],
  leaves: 'Nothing was changed',
  parse: ({ words, options }) => ({
    id: words[0] ?? '',
    collection: textOption(options, 'collection'),
    search: textOption(options, 'search')?.toLowerCase()
  }),
  run: async (context, { id, collection, search = '' }) => {
    const client = await context.client()
    const connection_id = await findConnectionId(context, id, collection)
    const channels = await client.listChannels({ params: { connection_id } })
    await context.answer.list(
      channels.filter(({ name }) => name.toLowerCase().includes(search)),
      LIST
    )
  }
})

const LIST: ListView<Channel> = {
  columns: [
    { name: 'id', value: ({ id }) => id },
    { name: 'name', value: ({ name }) => name, flexible: true },
    {
      name: 'is_private',
      value: (one) => one.is_private,
      format: (one) => (one.is_private ? 'private' : ''),
      leaves: 2
    },
    { name: 'num_members', value: (one) => one.num_members, leaves: 3 },
    {
      name: 'is_selected',
      value: (one) => one.is_selected,
      format: (one) => (one.is_selected ? 'selected' : ''),
      leaves: 1
    }
  ],
  json: (channel) => channel,
  empty: 'no channels'
}

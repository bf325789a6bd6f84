import { defineCommand } from '../../command.ts'
import { COLLECTION_LIST } from '../../views/collection-list.ts'

export const listCollections = defineCommand<Record<string, never>>({
  name: 'list',
  summary: 'the collections that the key may read',
  options: [],
  about: 'A table has as much of each id as commands need. A setting needs all of it, which a pipe and --json have.',
  examples: ['memctl collections list', 'memctl collections list --fields id,name'],
  leaves: 'Nothing was changed',
  parse: () => ({}),
  run: async (context) => {
    const client = await context.client()
    const collections = await client.listCollections()
    if (collections.length === 0) await context.talk.note('there is no collection that the key may read')
    await context.answer.list(collections, COLLECTION_LIST)
  }
})

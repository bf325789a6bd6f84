import { defineCommand } from '../../command.ts'
import { nameWord } from '../../input/name-word.ts'
import { collectionView } from '../../views/collection-list.ts'

export const createCollection = defineCommand<{ name: string }>({
  name: 'create',
  summary: 'make a collection (admin)',
  words: [{ name: '<name>', about: 'what to call it' }],
  options: [],
  examples: ['memctl collections create team', 'memctl collections create team --fields id'],
  leaves: 'It was made or it was not: memctl collections list tells',
  parse: ({ words }) => ({ name: nameWord(words) }),
  run: async (context, { name }) => {
    const client = await context.client()
    const collection = await client.createCollection({ body: { name } })
    await context.answer.object(collection, collectionView(collection))
  }
})

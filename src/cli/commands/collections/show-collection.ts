import { defineCommand } from '../../command.ts'
import { textOption } from '../../input/option-values.ts'
import { COLLECTION_OPTION, chooseCollection } from '../../service/choose-collection.ts'
import { collectionView } from '../../views/collection-list.ts'

export const showCollection = defineCommand<{ id: string | undefined }>({
  name: 'show',
  summary: 'one collection',
  words: [{ name: '[id]', about: 'its id, or the first 6 characters or more; by default the one that settings name' }],
  options: [COLLECTION_OPTION],
  examples: ['memctl collections show 018f3a'],
  leaves: 'Nothing was changed',
  parse: ({ words, options }) => ({ id: words[0] ?? textOption(options, 'collection') }),
  run: async (context, { id }) => {
    const client = await context.client()
    const collection_id = await chooseCollection(context, id)
    const collection = await client.getCollection({ params: { collection_id } })
    await context.answer.object(collection, collectionView(collection))
  }
})

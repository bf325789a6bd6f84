import type { Collection } from '../../../contract/endpoints/collections.ts'
import { ask, declined } from '../../ask.ts'
import { askForLoss } from '../../ask-for-loss.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { textOption } from '../../input/option-values.ts'
import { counted, shellWord, shortTime } from '../../output/short-forms.ts'
import { collectionId } from '../../service/choose-collection.ts'

type Options = { id: string; confirm: string | undefined }

export const deleteCollection = defineCommand<Options>({
  name: 'delete',
  summary: 'delete a collection with all its memories, for good',
  words: [{ name: '<id>', about: 'its id, or the first 6 characters or more' }],
  options: [{ flags: '--confirm <id>', about: 'the whole id once more: deletes without asking' }],
  about:
    'Says first what would be lost. Memories go only to who names the id, by typing it or by --confirm; --yes does for a ' +
    'collection that has none. Export it before: memctl device export.',
  examples: ['memctl collections delete 018f3a'],
  leaves: 'The collection is whole or it is gone: memctl collections list tells',
  parse: ({ words, options }) => ({ id: words[0] ?? '', confirm: textOption(options, 'confirm') }),
  run: async (context, { id, confirm }) => {
    const client = await context.client()
    const collection_id = await collectionId(context, id)
    const collection = await client.getCollection({ params: { collection_id } })
    if (!(await mayGo(context, collection, confirm))) throw declined('the collection was not deleted')
    const { message } = await client.deleteCollection({ params: { collection_id } })
    await context.answer.object({ message }, { lines: () => [[message]], rows: () => [[collection_id]] })
  }
})

async function mayGo(context: Context, collection: Collection, confirmed: string | undefined): Promise<boolean> {
  const { id, name, memories, created_at } = collection
  const address = context.flags.server === undefined ? '' : ` --server ${shellWord(context.flags.server)}`
  const command = `memctl collections delete ${id}${address}`
  const about = [[`  ${name}  ${counted(memories, 'memory', 'memories')}  made ${shortTime(created_at)}  ${id}`]]
  if (memories === 0 && confirmed === undefined) {
    const text = 'Delete this empty collection?'
    return await ask(context, { about, text, otherwise: false, flag: '--yes', command: `${command} --yes` })
  }
  const text = `Delete this collection and ${counted(memories, 'memory', 'memories')}, for good?`
  return await askForLoss(context, { about, text, id, confirmed, command: `${command} --confirm ${id}` })
}

import type { Collection } from '../../contract/endpoints/collections.ts'
import { Fault } from '../../contract/faults.ts'
import { ask, askForLoss, makeDeclinedFault } from '../command/ask.ts'

import { defineCommand, type Entry } from '../command/command.ts'
import type { Context } from '../command/context.ts'
import { textOption } from '../input/command-line.ts'
import { cardLines } from '../output/card-lines.ts'
import type { ListView, ObjectView } from '../output/result-writer.ts'
import { formatCount, shellWord, shortGuid, shortTime } from '../output/short-forms.ts'
import { COLLECTION_OPTION, chooseCollection, collectionId } from '../service/choose-collection.ts'
import { restoreCollectionCommand } from './restore-collection-command.ts'

const createCollectionCommand = defineCommand<{ name: string }>({
  name: 'create',
  summary: 'Create a collection (admin)',
  words: [{ name: '<name>', about: 'name of the collection' }],
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

const listCollectionsCommand = defineCommand<Record<string, never>>({
  name: 'list',
  summary: 'List the collections that your key can read',
  options: [],
  about: 'A table has as much of each id as commands need. A setting needs all of it, which a pipe and --json have.',
  examples: ['memctl collections list', 'memctl collections list --fields id,name'],
  leaves: 'Nothing was changed',
  parse: () => ({}),
  run: async (context) => {
    const client = await context.client()
    const collections = await client.listCollections()
    if (collections.length === 0) await context.diagnostics.note('there is no collection that the key may read')
    await context.answer.list(collections, COLLECTION_LIST)
  }
})

const showCollectionCommand = defineCommand<{ id: string | undefined }>({
  name: 'show',
  summary: 'Show a collection',
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

type Options = { id: string; confirm: string | undefined }

const deleteCollectionCommand = defineCommand<Options>({
  name: 'delete',
  summary: 'Delete a collection and all its memories permanently',
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
    if (!(await mayGo(context, collection, confirm))) throw makeDeclinedFault('the collection was not deleted')
    const { message } = await client.deleteCollection({ params: { collection_id } })
    await context.answer.object({ message }, { lines: () => [[message]], rows: () => [[collection_id]] })
  }
})

async function mayGo(context: Context, collection: Collection, confirmed: string | undefined): Promise<boolean> {
  const { id, name, memories, created_at } = collection
  const address = context.flags.server === undefined ? '' : ` --server ${shellWord(context.flags.server)}`
  const command = `memctl collections delete ${id}${address}`
  const about = [[`  ${name}  ${formatCount(memories, 'memory', 'memories')}  made ${shortTime(created_at)}  ${id}`]]
  if (memories === 0 && confirmed === undefined) {
    const text = 'Delete this empty collection?'
    return await ask(context, { about, text, otherwise: false, flag: '--yes', command: `${command} --yes` })
  }
  const text = `Delete this collection and ${formatCount(memories, 'memory', 'memories')}, for good?`
  return await askForLoss(context, { about, text, id, confirmed, command: `${command} --confirm ${id}` })
}

/** Collections as a list. */
const COLLECTION_LIST: ListView<Collection> = {
  columns: [
    { name: 'id', value: ({ id }) => id, format: ({ id }) => shortGuid(id) },
    { name: 'name', value: ({ name }) => name, flexible: true },
    { name: 'memories', value: ({ memories }) => memories, leaves: 1 },
    { name: 'created_at', value: (one) => one.created_at, format: (one) => shortTime(one.created_at), leaves: 3 },
    { name: 'expires_at', value: (one) => one.expires_at, format: (one) => shortTime(one.expires_at), leaves: 2 }
  ],
  json: (collection) => collection
}

/** One collection, in a pipe as a row of the list. */
function collectionView(collection: Collection): ObjectView {
  const { id, name, memories, created_at, expires_at } = collection
  return {
    lines: (page) =>
      cardLines(
        [
          ['id', id],
          ['name', name],
          ['memories', memories],
          ['created', shortTime(created_at)],
          ['expires', shortTime(expires_at)]
        ],
        page
      ),
    rows: () => [COLLECTION_LIST.columns.map((column) => column.value(collection))]
  }
}

/** The name that a command gives to something new. Throws a usage fault where it is empty, before anything is asked. */
export function nameWord([name = '']: readonly string[]): string {
  if (name !== '') return name
  throw new Fault('usage', 'the name is empty', { hint: 'give it one, to know it again by' })
}

/** What stands below `memctl collections`. */
export const COLLECTIONS_COMMANDS: readonly Entry[] = [
  listCollectionsCommand,
  createCollectionCommand,
  showCollectionCommand,
  deleteCollectionCommand,
  restoreCollectionCommand
]

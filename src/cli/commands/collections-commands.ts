import type { Collection } from '../../contract/endpoints/collections.ts'
import { Fault } from '../../contract/faults.ts'
import { ask, askForLoss, makeDeclinedFault } from '../command/ask.ts'
import { defineCommand, type Entry } from '../command/command.ts'
import type { Context } from '../command/context.ts'
import { textOption } from '../input/command-line.ts'
import { cardLines } from '../output/card-lines.ts'
import type { ListView, ObjectView } from '../output/result-writer.ts'
import { formatCount, shellWord, shortTime } from '../output/short-forms.ts'
import { COLLECTION_OPTION, chooseCollection, collectionId } from '../service/choose-collection.ts'
import { restoreCollectionCommand } from './restore-collection-command.ts'

const createCollectionCommand = defineCommand<{ name: string }>({
  name: 'create',
  summary: 'Create a collection (admin)',
  words: [{ name: '<name>', about: 'name of the collection' }],
  options: [],
  examples: ['memctl collections create team', 'memctl collections create team --fields id'],
  leaves: 'The collection may or may not exist; memctl collections list shows it',
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
  about: 'The table shortens ids to what commands accept. Pipes and --json contain full ids.',
  examples: ['memctl collections list', 'memctl collections list --fields id,name'],
  pages: () => true,
  leaves: 'Nothing was changed',
  parse: () => ({}),
  run: async (context) => {
    const client = await context.client()
    const collections = await client.listCollections()
    if (collections.length === 0) await context.diagnostics.note('Your key does not have access to any collection.')
    await context.answer.list(collections, COLLECTION_LIST)
  }
})

const showCollectionCommand = defineCommand<{ id: string | undefined }>({
  name: 'show',
  summary: 'Show a collection',
  words: [
    {
      name: '[id]',
      about: 'name, id, or at least the last 6 characters of the id; the configured collection by default',
      live: 'collection'
    }
  ],
  options: [COLLECTION_OPTION],
  examples: ['memctl collections show team'],
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
  words: [{ name: '<id>', about: 'name, id, or at least the last 6 characters of the id', live: 'collection' }],
  options: [{ flags: '--confirm <id>', about: 'full collection id, to delete it without a prompt' }],
  about:
    'Shows what would be lost and asks you to type the id, or to give it with --confirm. --yes is enough for an empty ' +
    'collection. To keep a copy, run memctl device export first.',
  examples: ['memctl collections delete team'],
  leaves: 'The collection is either complete or deleted; memctl collections list shows which',
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
  const about = [[`  ${name}  ${formatCount(memories, 'memory', 'memories')}  created ${shortTime(created_at)}  ${id}`]]
  if (memories === 0 && confirmed === undefined) {
    const text = 'Delete this empty collection?'
    return await ask(context, { about, text, otherwise: false, flag: '--yes', command: `${command} --yes` })
  }
  const text = `Permanently delete this collection and its ${formatCount(memories, 'memory', 'memories')}?`
  return await askForLoss(context, { about, text, id, confirmed, command: `${command} --confirm ${id}` })
}

/** The list view of collections. */
const COLLECTION_LIST: ListView<Collection> = {
  columns: [
    { name: 'id', value: ({ id }) => id, shortens: true },
    { name: 'name', value: ({ name }) => name, flexible: true },
    { name: 'memories', value: ({ memories }) => memories, leaves: 1 },
    { name: 'created_at', value: (one) => one.created_at, format: (one) => shortTime(one.created_at), leaves: 3 },
    { name: 'expires_at', value: (one) => one.expires_at, format: (one) => shortTime(one.expires_at), leaves: 2 }
  ],
  json: (collection) => collection
}

/** Builds the view of one collection. In a pipe, it is a row of the list. */
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

/** Parses the name of a new object. Throws a usage fault if it is empty. */
export function nameWord([name = '']: readonly string[]): string {
  if (name !== '') return name
  throw new Fault('usage', 'the name is empty: expected a name', { hint: 'memctl collections create team' })
}

/** The subcommands of `memctl collections`. */
export const COLLECTIONS_COMMANDS: readonly Entry[] = [
  listCollectionsCommand,
  createCollectionCommand,
  showCollectionCommand,
  deleteCollectionCommand,
  restoreCollectionCommand
]

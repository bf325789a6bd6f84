import { Fault } from '../../contract/faults.ts'
import type { Metadata } from '../../contract/snapshot.ts'
import type { SearchOptions } from '../../device/device.ts'
import { defineCommand, type Entry } from '../command/command.ts'
import type { Context } from '../command/context.ts'
import { type CommandLine, integerOption, textOption, textsOption } from '../input/command-line.ts'
import { parseMetadata } from '../input/parse-metadata.ts'
import { parseTime } from '../input/parse-time.ts'
import { readInputText } from '../input/read-input-text.ts'
import { SEARCH_OPTIONS, searchOptions, toSearchBody, withTime } from '../input/search-options.ts'
import { TEXT_OPTION, type TextWords, textOfWords, textWords } from '../input/text-words.ts'
import { COLLECTION_OPTION, chooseCollection, collectionId } from '../service/choose-collection.ts'
import { rememberNumbers } from '../snapshots/search-numbers.ts'
import { answerRemote } from '../views/answer-remote.ts'

type NewMemory = {
  text: TextWords
  file: string | undefined
  collection: string | undefined
  metadata: string[]
  at: string | undefined
  speaker: string | undefined
  conversation: string | undefined
  position: number | undefined
}

/** Maximum size of a text in bytes: a larger one would exceed the line limit of the format. */
const TEXT_BYTES_MAX = 16 << 20

const addMemoryCommand = defineCommand<NewMemory>({
  name: 'add',
  summary: 'Add a memory to a collection of the server',
  words: [{ name: '[text...]', about: 'text to store, in quotes' }],
  options: [
    COLLECTION_OPTION,
    TEXT_OPTION,
    { flags: '-f, --file <file>', about: 'file with the text; - for stdin' },
    { flags: '--metadata <k=v>', about: 'metadata as k=text, k:=JSON or a JSON object; repeatable', repeat: true },
    { flags: '--at <time>', about: 'time of the text: ISO 8601, in UTC without a zone, or 2h for two hours ago' },
    { flags: '--speaker <name>', about: 'speaker or author of the text' },
    { flags: '--conversation <id>', about: 'conversation that the text belongs to' },
    { flags: '--position <n>', about: 'order among texts of the conversation with the same time' }
  ],
  about:
    "The memory is on the server's disk when the command succeeds. Adding the same text again changes nothing: without " +
    '--at a memory has no time of its own, and its id derives from its content.\n' +
    'Put -- before a text that starts with a dash. The path of an existing file or folder is refused: use -f to send the ' +
    'content of the file, or --text to send the path itself.',
  examples: [
    'memctl memories add "Anna moved to Lisbon in May" --speaker Ben',
    'memctl memories add -f notes.txt -c work'
  ],
  leaves: 'The memory was stored completely or not at all; run the command again to make sure',
  parse: parseAdd,
  run: async (context, options) => {
    const body = await understand(context, options)
    const client = await context.client()
    const collection_id = await chooseCollection(context, options.collection)
    const stored = await client.storeMemory({ body: { collection_id, ...body } })
    const memory_id = 'memory_id' in stored ? stored.memory_id : ''
    await context.answer.object(
      { memory_id },
      { lines: () => [['stored ', { text: memory_id, look: 'bold' }]], rows: () => [[memory_id]] }
    )
  }
})

function parseAdd(given: CommandLine): NewMemory {
  const { words, options } = given
  const file = textOption(options, 'file')
  if ((words.length === 0) === (file === undefined)) {
    throw new Fault('usage', words.length === 0 ? 'missing text' : 'a text and --file cannot be used together', {
      hint: 'memctl memories add "a text", or -f FILE, or -f - for stdin'
    })
  }
  return {
    text: textWords(given),
    file,
    collection: textOption(options, 'collection'),
    metadata: textsOption(options, 'metadata'),
    at: textOption(options, 'at'),
    speaker: textOption(options, 'speaker'),
    conversation: textOption(options, 'conversation'),
    position: integerOption(options, 'position', { least: Number.MIN_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER })
  }
}

/** Builds the request body. The details move into the metadata, as the wire format requires, and override equal names there. */
async function understand(context: Context, options: NewMemory): Promise<{ raw_text: string; metadata?: Metadata }> {
  const { world } = context
  const { file, at, speaker, conversation, position } = options
  const words = textOfWords(world, options.text, { file: 'memctl memories add -f' }) ?? ''
  const raw_text = file === undefined ? words : await readInputText(world, file, TEXT_BYTES_MAX)
  if (raw_text === '') throw new Fault('usage', 'the text is empty', { hint: 'memctl memories add "a text"' })
  const told = {
    at: at === undefined ? undefined : parseTime(at, '--at', world.clock.now()),
    speaker,
    conversation,
    position
  }
  const given = Object.entries(told).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]))
  const metadata = { ...(await readMetadata(context, options.metadata)), ...Object.fromEntries(given) }
  return Object.keys(metadata).length === 0 ? { raw_text } : { raw_text, metadata }
}

async function readMetadata(context: Context, given: readonly string[]): Promise<Metadata | undefined> {
  return given.length === 0 ? undefined : parseMetadata(given, (await context.device()).parseJson)
}

type AskedSearch = { query: string; collections: string[]; search: SearchOptions; all: boolean }

const searchMemoriesCommand = defineCommand<AskedSearch>({
  name: 'search',
  summary: 'Search memories in collections of the server',
  words: [{ name: '[query...]', about: 'words or a question to search for' }],
  options: [{ ...COLLECTION_OPTION, about: `${COLLECTION_OPTION.about}; repeatable`, repeat: true }, ...SEARCH_OPTIONS],
  about:
    'Ranks memories like memctl device search on the exported snapshot, and several collections as one. Omits facts that ' +
    'no longer hold, unless the query asks about the past or --as-of is given. --json prints a MemoryResponse: semantics, ' +
    'procedures, episodes and sources.',
  examples: ['memctl memories search "where does Anna live"', 'memctl memories search deadline -c work -c team --json'],
  leaves: 'Nothing was changed',
  parse: parseSearch,
  run: async (context, { query, collections, search, all }) => {
    const client = await context.client()
    const collection_ids = await collectionIds(context, collections)
    const options = withTime(search, context.world.clock.now())
    const eager = context.answer.mode === 'table' ? { ...options, explain: true } : options
    const response = await client.searchMemories({ body: { query, collection_ids, ...toSearchBody(eager) } })
    await answerRemote(context, { query, response, options, all })
    rememberNumbers(context, [])
  }
})

function parseSearch({ words, options }: CommandLine): AskedSearch {
  if (words.length === 0) throw new Fault('usage', 'missing query', { hint: 'memctl memories search "a question"' })
  return {
    query: words.join(' '),
    collections: textsOption(options, 'collection').flatMap((text) => text.split(',')),
    search: searchOptions(options),
    all: options.all === true
  }
}

async function collectionIds(context: Context, given: readonly string[]): Promise<string[]> {
  if (given.length === 0) return [await chooseCollection(context, undefined)]
  const ids: string[] = []
  for (const one of given) ids.push(await collectionId(context, one))
  return [...new Set(ids)]
}

/** The subcommands of `memctl memories`. */
export const MEMORIES_COMMANDS: readonly Entry[] = [addMemoryCommand, searchMemoriesCommand]

import { Fault } from '../../contract/faults.ts'
import type { MemoryResponse } from '../../contract/memory-response.ts'
import type { Metadata } from '../../contract/snapshot.ts'
import type { SearchOptions } from '../../device/device.ts'
import { defineCommand, type Entry } from '../command/command.ts'
import type { Context } from '../command/context.ts'
import { type CommandLine, integerOption, textOption, textsOption } from '../input/command-line.ts'
import { parseMetadata } from '../input/parse-metadata.ts'
import { parseTime } from '../input/parse-time.ts'
import { readInputText } from '../input/read-input-text.ts'
import { SEARCH_OPTIONS, searchOptions, withTime } from '../input/search-options.ts'
import { TEXT_OPTION, type TextWords, textOfWords, textWords } from '../input/text-words.ts'
import { COLLECTION_OPTION, chooseCollection, collectionId } from '../service/choose-collection.ts'
import { answerResponse } from '../views/answer-response.ts'
import type { SnippetMatch } from '../views/cut-snippet.ts'

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

/** No text is larger: its line would be over the format's limit. In bytes. */
const TEXT_BYTES_MAX = 16 << 20

const addMemoryCommand = defineCommand<NewMemory>({
  name: 'add',
  summary: 'Add a memory to a collection of the server',
  words: [{ name: '[text...]', about: 'text to store; quote it' }],
  options: [
    COLLECTION_OPTION,
    TEXT_OPTION,
    { flags: '-f, --file <file>', about: 'the text is in a file; - is stdin' },
    { flags: '--metadata <k=v>', about: 'k=text, k:=JSON or a JSON object; may be given more than once', repeat: true },
    { flags: '--at <time>', about: 'when it was said: ISO, UTC without a zone, or 2h for two hours ago' },
    { flags: '--speaker <name>', about: 'who said it' },
    { flags: '--conversation <id>', about: 'the conversation it belongs to' },
    { flags: '--position <n>', about: 'its place among those of its conversation with the same time' }
  ],
  about:
    'A memory that was acknowledged is on the disk of the server. Adding the same again changes nothing: without --at a ' +
    'memory has no time of its own, and its id follows from what it says. A text that begins with a dash goes after --. The path of an ' +
    'existing file or folder is refused: -f sends what is in a file, --text or -- the path itself.',
  examples: [
    'memctl memories add "Anna moved to Lisbon in May" --speaker Ben',
    'memctl memories add -f notes.txt -c 018f3a'
  ],
  leaves: 'The memory was stored whole or not at all; adding it again stores it once',
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
    throw new Fault('usage', words.length === 0 ? 'there is no text to add' : 'a text and --file exclude each other', {
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

/** What is said with flags goes where the wire has it, and wins over metadata of the same name. */
async function understand(context: Context, options: NewMemory): Promise<{ raw_text: string; metadata?: Metadata }> {
  const { world } = context
  const { file, at, speaker, conversation, position } = options
  const words = textOfWords(world, options.text, 'memctl memories add -f') ?? ''
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

type AskedSearch = { query: string; collections: string[]; search: SearchOptions }

const searchMemoriesCommand = defineCommand<AskedSearch>({
  name: 'search',
  summary: 'Search memories in collections of the server',
  words: [{ name: '[query...]', about: 'question or keywords' }],
  options: [
    { ...COLLECTION_OPTION, about: `${COLLECTION_OPTION.about}; several are ranked as one`, repeat: true },
    ...SEARCH_OPTIONS
  ],
  about:
    'Ranks as memctl device search ranks the exported snapshot. Facts that no longer hold are left out unless the query\n' +
    'asks by time or --as-of is given. With --json the answer is a MemoryResponse: semantics, procedures, episodes, sources.',
  examples: [
    'memctl memories search "where does Anna live"',
    'memctl memories search deadline -c 018f3a -c 018f4b --json'
  ],
  leaves: 'Searching changes nothing',
  parse: parseSearch,
  run: async (context, { query, collections, search }) => {
    const client = await context.client()
    const collection_ids = await collectionIds(context, collections)
    const options = withTime(search, context.world.clock.now())
    await answerRemote(context, options, ({ limit, groups, as_of, explain }) =>
      client.searchMemories({
        body: { query, collection_ids, limit, groups: groups && [...groups], as_of, explain }
      })
    )
  }
})

function parseSearch({ words, options }: CommandLine): AskedSearch {
  if (words.length === 0)
    throw new Fault('usage', 'there is nothing to look for', { hint: 'memctl memories search "a question"' })
  return {
    query: words.join(' '),
    collections: textsOption(options, 'collection').flatMap((text) => text.split(',')),
    search: searchOptions(options)
  }
}

async function collectionIds(context: Context, given: readonly string[]): Promise<string[]> {
  if (given.length === 0) return [await chooseCollection(context, undefined)]
  const ids: string[] = []
  for (const one of given) ids.push(await collectionId(context, one))
  return [...new Set(ids)]
}

/** A search that a server does. */
type RemoteSearch = (options: SearchOptions) => Promise<MemoryResponse>

/**
 * Answers with what a server found, as `answerResponse` does. For eyes an explanation is asked for in any case: it says
 * where in the texts the words of the query stand. It is shown only where it was wanted.
 */
async function answerRemote(context: Context, options: SearchOptions, search: RemoteSearch): Promise<void> {
  const forEyes = context.answer.mode === 'table'
  const response = await search(forEyes ? { ...options, explain: true } : options)
  const placesIn = placesFrom(response)
  const shown = options.explain || !forEyes ? response : withoutExplanations(response)
  await answerResponse(context, { response: shown, placesIn }, options.groups)
}

/** Where texts have words of the query, from the explanations of the sources. What is no span is passed over. */
function placesFrom({ sources }: MemoryResponse): (text: string) => SnippetMatch[] {
  const places = new Map(sources.map(({ text, explanation }) => [text, parseSpans(explanation?.spans)]))
  return (text) => (places.get(text) ?? []).filter(({ start, end }) => start >= 0 && start < end && end <= text.length)
}

function parseSpans(spans: unknown): SnippetMatch[] {
  if (!Array.isArray(spans)) return []
  const found = spans.flatMap((one) => {
    const [start, end] = Array.isArray(one?.span) ? one.span : []
    const fits = typeof one?.term === 'string' && Number.isInteger(start) && Number.isInteger(end)
    return fits ? [{ term: one.term, start, end, weight: 1 }] : []
  })
  return found.sort((left, right) => left.start - right.start)
}

function withoutExplanations(response: MemoryResponse): MemoryResponse {
  const bare = <Entry extends { explanation?: unknown }>(entries: readonly Entry[]) =>
    entries.map(({ explanation: _, ...entry }) => entry)
  return {
    semantics: bare(response.semantics),
    procedures: bare(response.procedures),
    episodes: bare(response.episodes),
    sources: bare(response.sources)
  }
}

/** What stands below `memctl memories`. */
export const MEMORIES_COMMANDS: readonly Entry[] = [addMemoryCommand, searchMemoriesCommand]

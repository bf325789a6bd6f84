import { Fault } from '../../../contract/faults.ts'
import type { Damage, Device, SearchOptions, SearchOutcome } from '../../../device/device.ts'
import { defineCommand, untilStopped } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { type CommandLine, textOption } from '../../input/command-line.ts'
import { tooLarge, utf8Text } from '../../input/read-file-bytes.ts'
import { readInputText } from '../../input/read-input-text.ts'
import { SEARCH_OPTIONS, searchOptions, toSearchBody, withTime } from '../../input/search-options.ts'
import { chooseSnapshot } from '../../snapshots/choose-snapshot.ts'
import { openSnapshot } from '../../snapshots/open-snapshot.ts'
import { type NumberedEntry, rememberNumbers } from '../../snapshots/search-numbers.ts'
import { withSentSnapshot, withSnapshotObject } from '../../snapshots/sent-snapshot.ts'
import { answerRemote } from '../../views/answer-remote.ts'
import { answerResponse } from '../../views/answer-response.ts'
import { throwIfDamaged } from '../../views/throw-if-damaged.ts'
import { viewWhyNot } from './view-why-not.ts'

type Options = {
  query: string | undefined
  queries: string | undefined
  whyNot: string | undefined
  remote: boolean
  all: boolean
  search: SearchOptions
}

export const searchCommand = defineCommand<Options>({
  name: 'search',
  summary: 'Search memories with a question or keywords',
  words: [{ name: '[query...]', about: 'words or a question to search for' }],
  options: [
    ...SEARCH_OPTIONS,
    { flags: '--why-not <id>', about: 'explain the rank of a memory and compare it with the best one', live: 'memory' },
    {
      flags: '--queries <file>',
      about: 'JSON Lines file of {"id", "query"}, answered with {"id", "response"} lines; - for stdin'
    },
    { flags: '--remote', about: 'send the snapshot to the server and search it there; the server does not store it' }
  ],
  about:
    'Works offline, except with --remote. Omits facts that no longer hold, unless the query asks about the past (before, ' +
    'when, used to) or --as-of is given.\n' +
    'A terminal shows at most five entries, the answer or the closest passages first; --all shows the rest. A question ' +
    'and its answer become one entry, in which > marks the best turn. For 30 minutes, show, why, correct and forget take ' +
    'the number of an entry instead of an id: memctl device show 1. The number of such an entry stands for its best turn; ' +
    'show also prints the others. --json prints a MemoryResponse: semantics, procedures, episodes and sources. --why-not with --json prints one object: rank, found, ' +
    'shown, score, best, reasons, and compared, which lists the parts of both scores.',
  examples: [
    'memctl device search "where does Anna live"',
    'memctl device search deadline --limit 3 --json',
    'memctl device search "where does Anna live" --as-of 2024-06-30',
    'memctl device search "where does Anna live" --why-not mem_4be0c1'
  ],
  leaves: 'The snapshot is unchanged',
  parse: parseSearch,
  run: async (context, { query = '', queries, whyNot, remote, all, search: given }) => {
    const options = withTime(given, context.world.clock.now())
    if (remote) return await searchRemote(context, { query, options, all })
    await openSnapshot(context, async (device, { path = device.path }) => {
      if (queries !== undefined) return await answerQueries(context, device, { name: queries, options })
      if (whyNot !== undefined) return await answerWhyNot(context, device, { query, id: whyNot, options })
      const entries = await answerOne(context, device, { query, options, all })
      rememberNumbers(context, entries, path === '-' ? undefined : path)
    })
  }
})

async function answerOne(
  context: Context,
  device: Device,
  { query, options, all }: { query: string; options: SearchOptions; all: boolean }
): Promise<NumberedEntry[]> {
  const outcome = await device.search(query, eagerOptions(context, options))
  const { groups, explain = false } = options
  const { response, placesIn } = outcome
  const entries = await answerResponse(context, { query, response, placesIn, groups, all, explain })
  await showNotes(context, outcome)
  await throwIfDamaged(context, outcome.damaged, device.path)
  return entries
}

/** Requests explanations for a terminal: they contain earlier values and the memories of facts. */
function eagerOptions({ answer }: Context, options: SearchOptions): SearchOptions {
  return answer.mode === 'table' ? { ...options, explain: true } : options
}

async function answerWhyNot(
  context: Context,
  device: Device,
  asked: { query: string; id: string; options: SearchOptions }
): Promise<void> {
  const outcome = await device.whyNot(asked.query, asked.id, asked.options)
  await context.answer.object(outcome.report, viewWhyNot(outcome.report))
  await showNotes(context, outcome)
  await throwIfDamaged(context, outcome.damaged, device.path)
}

/** Shows notes and warnings about the snapshot on stderr. */
async function showNotes(
  { diagnostics }: Context,
  { notes, vanished }: Pick<SearchOutcome, 'notes' | 'vanished'>
): Promise<void> {
  for (const note of notes) await diagnostics.note(note)
  for (const id of vanished)
    await diagnostics.warn(
      `${id} is missing from the snapshot, but was not forgotten; it was present when last indexed`
    )
}

function parseSearch({ words, options }: CommandLine): Options {
  const queries = textOption(options, 'queries')
  if (words.length === 0 && queries === undefined) {
    throw new Fault('usage', 'missing query', {
      hint: 'memctl device search "a question", or --queries FILE'
    })
  }
  if (words.length > 0 && queries !== undefined)
    throw new Fault('usage', 'a query and --queries cannot be used together', { hint: 'give one of them' })
  const whyNot = textOption(options, 'whyNot')
  if (whyNot !== undefined && queries !== undefined) {
    throw new Fault('usage', '--why-not and --queries cannot be used together', {
      hint: 'explain one query: memctl device search "a question" --why-not ID'
    })
  }
  const remote = options.remote === true
  if (remote && (queries ?? whyNot) !== undefined) {
    throw new Fault('usage', '--remote cannot be used with --queries or --why-not', {
      hint: 'omit --remote to search on this machine'
    })
  }
  const query = words.length > 0 ? words.join(' ') : undefined
  return { query, queries, whyNot, remote, all: options.all === true, search: searchOptions(options) }
}

/** Maximum size of a file of queries, in bytes. */
const QUERIES_BYTES_MAX = 256 << 20

/**
 * Answers many queries with one open index, one line each, in their order. A file is validated completely before the first
 * response; queries from stdin are answered as they arrive.
 */
async function answerQueries(
  context: Context,
  device: Device,
  asked: { name: string; options: SearchOptions }
): Promise<void> {
  const damaged = new Map<number, Damage>()
  for await (const { id, query } of await readQueries(context, asked.name)) {
    const outcome = await device.search(query, asked.options)
    for (const one of outcome.damaged) damaged.set(one.line, one)
    await context.answer.jsonLine({ id, response: outcome.response })
    if (!context.answer.isWanted()) break
  }
  await throwIfDamaged(context, [...damaged.values()], device.path)
}

type Query = { id: string | number; query: string }

async function readQueries(context: Context, name: string): Promise<Iterable<Query> | AsyncIterable<Query>> {
  const { parseJson } = await context.device()
  const understand = (line: string, number: number) => {
    const json = number === 1 ? line.replace(BOM, '') : line
    const parsed = parseJson(json)
    const query = 'fault' in parsed ? parseJson(withWholeCharacters(json)) : parsed
    return parseQuery(query, `${name === '-' ? 'stdin' : name}, line ${number}`)
  }
  if (name === '-') return streamQueries(context, understand)
  const lines = (await readInputText(context.world, name, QUERIES_BYTES_MAX)).split('\n')
  const queries = lines.flatMap((line, index) => (line.trim() === '' ? [] : [understand(line, index + 1)]))
  return untilStopped(queries, context.world.terminal.interrupted)
}

/** The byte order mark that some editors write at the start of a file. */
const BOM = /^\ufeff/

async function* streamQueries(
  context: Context,
  understand: (line: string, number: number) => Query
): AsyncGenerator<Query> {
  let number = 0
  for await (const line of readLines(context.world.terminal.input.read())) {
    number++
    if (line.trim() !== '') yield understand(line, number)
  }
}

/** Replaces escaped lone surrogates by U+FFFD. A query is not stored, so this loses nothing. */
function withWholeCharacters(line: string): string {
  return line.replace(ESCAPES, (written) => (HALF.test(written) ? '\\ufffd' : written))
}

/** Matches JSON escapes, with a surrogate pair as one match. */
const ESCAPES = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|[^u])/g
const HALF = /^\\u[dD][89a-fA-F][\da-fA-F]{2}$/

function parseQuery(parsed: { value: unknown } | { fault: string }, where: string): Query {
  if ('fault' in parsed) throw new Fault('malformed_json', `${where}: the line ${parsed.fault}`)
  const { id, query } = (parsed.value ?? {}) as Partial<Record<string, unknown>>
  const hasId = typeof id === 'string' || typeof id === 'number'
  if (hasId && typeof query === 'string') return { id, query }
  throw new Fault('invalid_input', `${where}: expected an object with "id" and "query"`, {
    hint: 'write each line like {"id": "q1", "query": "where does Anna live"}'
  })
}

/** Maximum length of an input line, in bytes. */
const LINE_BYTES_MAX = 16 << 20

const LF = 0x0a

/** Yields the lines of a UTF-8 stream without their LF, each as soon as it is complete. */
async function* readLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let parts: Uint8Array[] = []
  for await (const chunk of stream) {
    let rest = chunk
    for (let end = rest.indexOf(LF); end >= 0; end = rest.indexOf(LF)) {
      yield lineText([...parts, rest.subarray(0, end)])
      parts = []
      rest = rest.subarray(end + 1)
    }
    if (rest.length > 0) parts.push(rest)
    checkLength(parts)
  }
  if (parts.length > 0) yield lineText(parts)
}

function lineText(parts: readonly Uint8Array[]): string {
  checkLength(parts)
  return utf8Text(Buffer.concat(parts), 'stdin')
}

function checkLength(parts: readonly Uint8Array[]): void {
  const size = parts.reduce((sum, part) => sum + part.length, 0)
  if (size > LINE_BYTES_MAX) throw tooLarge('a line of stdin', LINE_BYTES_MAX)
}

/** Sends the whole snapshot to the server and lets the server search it. */
async function searchRemote(
  context: Context,
  { query, options, all }: { query: string; options: SearchOptions; all: boolean }
): Promise<void> {
  const client = await context.client()
  const isFile = chooseSnapshot(context.world, context.settings).path !== '-'
  await withSentSnapshot(context, undefined, (path) =>
    withSnapshotObject(context, path, async (snapshot) => {
      const body = { snapshot, query, ...toSearchBody(eagerOptions(context, options)) }
      const response = await client.searchMemories({ body }, { signal: context.world.terminal.interrupted })
      const entries = await answerRemote(context, { query, response, options, all })
      rememberNumbers(context, entries, isFile ? path : undefined)
    })
  )
}

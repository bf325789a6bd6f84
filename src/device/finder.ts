import { Fault } from '../contract/faults.ts'
import { LIMIT_DEFAULT, LIMIT_MAX } from '../contract/groups.ts'
import type { MemoryRecord } from '../contract/snapshot.ts'
import { answerList, answerRead, type ListQuestion, type ReadQuestion } from '../search/answer/answer-browse.ts'
import { answerQuery, type SearchQuestion } from '../search/answer/answer-query.ts'
import { explainAbsence, reportForgotten } from '../search/answer/explain-absence.ts'
import { explainMemory } from '../search/answer/explain-memory.ts'
import { toSearchQuestion } from '../search/answer/to-search-question.ts'
import { formatListPlace, parseListPlace } from '../search/rank/browse.ts'
import type { LineBytes } from '../search/rank/create-ranker.ts'
import { openSource, type Source } from '../snapshot/file/source.ts'
import { computeCheck, findCheckSuffix, readCheck } from '../snapshot/record/compute-check.ts'
import { parseLine, toMemory } from '../snapshot/record/parse-line.ts'
import type {
  ReadMemory,
  ReadOptions,
  RecentOptions,
  RecentPage,
  SearchOptions,
  SearchOutcome,
  Why,
  WhyNot
} from './device.ts'
import { type Opened, withSystemFaults } from './device-world.ts'
import { parseIdDigits, pickOnlyId } from './find-id.ts'
import { createIndexKeeper, type IndexKeeper, type Noticed, type OpenedFile } from './index/index-keeper.ts'

/** Searches one file, and keeps its index open between searches. */
export type Finder = {
  search(query: string, options?: SearchOptions): Promise<SearchOutcome>
  whyNot(query: string, idOrPrefix: string, options?: SearchOptions): Promise<WhyNot>
  recent(options?: RecentOptions): Promise<RecentPage>
  read(idsOrPrefixes: readonly string[], options?: ReadOptions): Promise<ReadMemory[]>
  /** Explains a memory of the file. */
  why(record: MemoryRecord): Promise<Pick<Why, 'report' | 'damaged' | 'vanished' | 'notes'>>
  /** Updates an existing index without searching it. */
  refresh(): Promise<Noticed | undefined>
  /** Frees the index after all pending searches. */
  close(): Promise<void>
}

/** Creates a finder for one file. The first search opens the index. */
export function createFinder(opened: Opened): Finder {
  const keeper = createIndexKeeper(opened.world)
  /** Searches share the index, so they run one at a time. */
  const inTurn = createTurns()
  const withFile = <T>(doing: string, work: (file: OpenedFile) => Promise<T>): Promise<T> =>
    inTurn(() => withSystemFaults(`${doing} ${opened.path}`, () => openFile(opened, work)))
  return {
    async search(query, options = {}) {
      const asked = toQuestion(query, options)
      return withFile('search', (file) => search(keeper, file, asked))
    },
    async whyNot(query, idOrPrefix, options = {}) {
      const asked = { ...toQuestion(query, options), digits: parseIdDigits(idOrPrefix), idOrPrefix }
      return withFile('search', (file) => examine(keeper, file, asked))
    },
    async recent(options = {}) {
      const { limit, filter } = toQuestion('', options)
      const after = options.after === undefined ? undefined : parseListPlace(options.after)
      return withFile('read', (file) => listRecent(keeper, file, { browse: 'list', limit, filter, after }))
    },
    async read(ids, options = {}) {
      const { filter } = toQuestion('', options)
      const { around = 0 } = options
      const question = { browse: 'read' as const, ids: ids.map(parseIdDigits), around, filter }
      return withFile('read', (file) => readMemories(keeper, file, question))
    },
    why: (record) => withFile('search', (file) => explain(keeper, file, record)),
    refresh: () => withFile('read', keeper.refresh),
    close: () => inTurn(async () => keeper.close())
  }
}

async function openFile<T>({ world, path }: Opened, work: (file: OpenedFile) => Promise<T>): Promise<T> {
  const beforeMs = world.clock.now()
  const source = openSource(world.files, path)
  try {
    return await work({ source, beforeMs })
  } finally {
    source.close()
  }
}

function toQuestion(query: string, options: SearchOptions): SearchQuestion {
  const { limit = LIMIT_DEFAULT } = options
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
    throw new Fault('usage', `Invalid limit: expected a whole number from 1 to ${LIMIT_MAX}, received ${limit}`)
  }
  return toSearchQuestion(
    query,
    options,
    (field, message) => new Fault('usage', `Invalid ${field}: ${message}`, { hint: 'for example 2026-01-31T18:30:00Z' })
  )
}

function search(keeper: IndexKeeper, file: OpenedFile, asked: SearchQuestion): Promise<SearchOutcome> {
  return keeper.use(file, (index, { damaged, vanished, notes }) => {
    const reader = createRecordReader(file.source)
    const answer = answerQuery(asked, { inquire: index.inquire, read: reader.read })
    notes.push(...describeMissed(reader))
    return { ...answer, damaged, vanished, notes }
  })
}

function describeMissed({ missed }: RecordReader): string[] {
  const count = missed()
  return count === 0
    ? []
    : [`${count} of the results could not be read because the file changed in the meantime; search again`]
}

function listRecent(keeper: IndexKeeper, file: OpenedFile, question: ListQuestion): Promise<RecentPage> {
  return keeper.use(file, (index) => {
    const { next, ...page } = answerList(question, { index, read: createRecordReader(file.source).read })
    return { ...page, next: next === undefined ? null : formatListPlace(next) }
  })
}

function readMemories(keeper: IndexKeeper, file: OpenedFile, question: ReadQuestion): Promise<ReadMemory[]> {
  return keeper.use(file, (index) => {
    const { found } = answerRead(question, { index, read: createRecordReader(file.source).read })
    return found.flatMap(({ id, turns }) => (id === undefined ? [] : [{ id, turns }]))
  })
}

type Asked = SearchQuestion & { idOrPrefix: string; digits: string }

/** Looks ids up in the index. The file is read only for memories that are compared. */
function examine(keeper: IndexKeeper, file: OpenedFile, { idOrPrefix, digits, ...asked }: Asked): Promise<WhyNot> {
  return keeper.use(file, (index, { damaged, vanished, notes, forgotten }) => {
    const gone = [...forgotten()].filter((id) => id.startsWith(digits))
    const hex = pickOnlyId(idOrPrefix, [...new Set([...index.idsFrom(digits), ...gone])], (id) => id)
    const reader = createRecordReader(file.source)
    const { inquire, examine } = index
    const id = `mem_${hex}`
    const report = explainAbsence(asked, { inquire, examine, read: reader.read }, id) ?? reportForgotten(id)
    notes.push(...describeMissed(reader))
    return { report, damaged, vanished, notes }
  })
}

function explain(keeper: IndexKeeper, file: OpenedFile, record: MemoryRecord): ReturnType<Finder['why']> {
  return keeper.use(file, (index, { damaged, vanished, notes }) => {
    const reader = createRecordReader(file.source)
    const report = explainMemory(record, { inquire: index.inquire, read: reader.read })
    notes.push(...describeMissed(reader))
    return { report, damaged, vanished, notes }
  })
}

/** Runs tasks one after another, in the order of the calls. */
export type RunInTurn = <T>(work: () => Promise<T>) => Promise<T>

/** Creates an empty queue. A task that fails does not block the following ones. */
export function createTurns(): RunInTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work, work)
    last = turn.catch(() => undefined)
    return turn
  }
}

/** Reads memories of one file for one search. */
export type RecordReader = {
  /** Returns the memory whose line is at this place; undefined if that is not a valid line. Each line is read once. */
  read(place: LineBytes): MemoryRecord | undefined
  /** Returns the number of memories that could not be read. */
  missed(): number
}

/**
 * Creates a reader of the file that the index matches. Everything displayed is read from it, and its check is verified.
 */
export function createRecordReader(source: Source): RecordReader {
  const known = new Map<number, MemoryRecord | undefined>()
  return {
    read({ offset, length }) {
      if (known.has(offset)) return known.get(offset)
      const bytes = Buffer.allocUnsafe(length)
      const end = source.read(bytes, offset)
      const record = readCheckedRecord(bytes.subarray(0, end)) ?? readJudgedRecord(bytes, end)
      known.set(offset, record)
      return record
    },
    missed: () => [...known.values()].filter((record) => record === undefined).length
  }
}

/**
 * Reads a line that was validated when it was indexed, so verifying its check suffices, which takes one hash. Returns
 * undefined if the check is wrong or the line is not written as memctl writes it.
 */
function readCheckedRecord(bytes: Buffer): MemoryRecord | undefined {
  const suffix = findCheckSuffix(bytes, 0, bytes.length)
  if (suffix < 0 || readCheck(bytes, suffix) !== computeCheck(bytes, 0, suffix)) return undefined
  const record = parseRecord(bytes)
  const isMemory = record.type === 'memory' && typeof record.text === 'string' && typeof record.at === 'string'
  return isMemory ? (record as MemoryRecord) : undefined
}

/**
 * Returns an empty object for invalid JSON: a program that changes a file while it is read may leave a matching check.
 */
function parseRecord(bytes: Buffer): Partial<MemoryRecord> {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return {}
  }
}

function readJudgedRecord(bytes: Buffer, end: number): MemoryRecord | undefined {
  const parsed = parseLine(bytes, 0, end)
  return typeof parsed === 'string' || parsed.kind !== 'memory' ? undefined : toMemory(parsed.view)
}

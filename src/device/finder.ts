import { Fault } from '../contract/faults.ts'
import { LIMIT_DEFAULT, LIMIT_MAX } from '../contract/groups.ts'
import type { MemoryRecord } from '../contract/snapshot.ts'
import { answerQuery, type SearchQuestion } from '../search/answer/answer-query.ts'
import { explainAbsence, reportForgotten } from '../search/answer/explain-absence.ts'
import { toSearchQuestion } from '../search/answer/to-search-question.ts'
import type { LineBytes } from '../search/rank/create-ranker.ts'
import { openSource, type Source } from '../snapshot/file/source.ts'
import { computeCheck, findCheckSuffix, readCheck } from '../snapshot/record/compute-check.ts'
import { parseLine, toMemory } from '../snapshot/record/parse-line.ts'
import type { SearchOptions, SearchOutcome, WhyNot } from './device.ts'
import { type Opened, withSystemFaults } from './device-world.ts'
import { parseIdDigits, pickOnlyId } from './find-id.ts'
import { createIndexKeeper, type IndexKeeper, type Noticed, type OpenedFile } from './index/index-keeper.ts'

/** Searches one file, with its index kept open from one search to the next. */
export type Finder = {
  search(query: string, options?: SearchOptions): Promise<SearchOutcome>
  whyNot(query: string, idOrPrefix: string, options?: SearchOptions): Promise<WhyNot>
  /** Brings the index up to date without asking it anything, where there is one. */
  refresh(): Promise<Noticed | undefined>
  /** Frees the index, after the searches that were begun before. */
  close(): Promise<void>
}

/** A finder for one file. It opens the index with the first search. */
export function createFinder(opened: Opened): Finder {
  const keeper = createIndexKeeper(opened.world)
  /** One at a time: they share the index. */
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
    : [`${count} of what was found could not be read: the file was changed meanwhile; search again`]
}

type Asked = SearchQuestion & { idOrPrefix: string; digits: string }

/** Ids are looked up in the index: the file is only read for what is compared. */
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

/** Runs works one after another, in the order in which they are given. */
export type RunInTurn = <T>(work: () => Promise<T>) => Promise<T>

/** Turns of which nobody has had one. A work that fails holds up none after it. */
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
  /** The memory whose line stands there; undefined where no sound one does. A line is read once. */
  read(place: LineBytes): MemoryRecord | undefined
  /** How many could not be read. */
  missed(): number
}

/** A reader of the file that the index was fitted to: what is shown is read from it, and its check tested. */
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
 * A line was parsed when the index took it in. That it is still whole its own check tells, which takes one hash. Undefined
 * where it does not, or the line is not written as we write.
 */
function readCheckedRecord(bytes: Buffer): MemoryRecord | undefined {
  const suffix = findCheckSuffix(bytes, 0, bytes.length)
  if (suffix < 0 || readCheck(bytes, suffix) !== computeCheck(bytes, 0, suffix)) return undefined
  const record = parseRecord(bytes)
  const isMemory = record.type === 'memory' && typeof record.text === 'string' && typeof record.at === 'string'
  return isMemory ? (record as MemoryRecord) : undefined
}

/** Nothing where it is no JSON: whoever changes a file while it is read may leave a check that fits. */
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

import { Fault } from '../contract/faults.ts'
import { GROUPS, LIMIT_DEFAULT, LIMIT_MAX } from '../contract/groups.ts'
import type { MemoryRecord } from '../contract/snapshot.ts'
import { isoTime } from '../memory/iso-time.ts'
import { answerQuery, type Question } from '../search/answer/answer-query.ts'
import type { Place } from '../search/rank/inquiry.ts'
import { judgeLine, memoryOf } from '../snapshot/judge.ts'
import { openSource, type Source } from '../snapshot/source.ts'
import { guarded } from './device-world.ts'
import { createIndexKeeper, type IndexKeeper, type Look, type Noticed } from './index-keeper.ts'
import type { Opened } from './opened.ts'
import { createTurns } from './turns.ts'
import type { SearchOptions, SearchOutcome } from './types.ts'

/** Searches one file, with its index kept open from one search to the next. */
export type Finder = {
  search(query: string, options?: SearchOptions): Promise<SearchOutcome>
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
  const looking = <T>(doing: string, work: (look: Look) => Promise<T>): Promise<T> =>
    inTurn(() => guarded(`${doing} ${opened.path}`, () => lookAt(opened, work)))
  return {
    async search(query, options = {}) {
      const asked = { query, ...testOptions(options) }
      return looking('search', (look) => search(keeper, look, asked))
    },
    refresh: () => looking('read', keeper.refresh),
    close: () => inTurn(async () => keeper.close())
  }
}

async function lookAt<T>({ world, path }: Opened, work: (look: Look) => Promise<T>): Promise<T> {
  const beforeMs = world.clock.now()
  const source = openSource(world.files, path)
  try {
    return await work({ source, beforeMs })
  } finally {
    source.close()
  }
}

function testOptions(options: SearchOptions): Omit<Question, 'query'> {
  const { limit = LIMIT_DEFAULT, groups = GROUPS, explain = false } = options
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
    throw new Fault('usage', `the limit must be a whole number from 1 to ${LIMIT_MAX}, not ${limit}`)
  }
  const asOf = options.as_of === undefined ? undefined : isoTime(options.as_of)
  if (options.as_of !== undefined && asOf === undefined) {
    throw new Fault('usage', `as_of '${options.as_of}' is no time`, { hint: 'a time is 2026-01-31T18:30:00.000Z' })
  }
  return { limit, groups, explain, asOf }
}

function search(keeper: IndexKeeper, look: Look, asked: Question): Promise<SearchOutcome> {
  return keeper.use(look, (index, { damaged, vanished, notes }) => {
    const reader = createRecordReader(look.source)
    const response = answerQuery(asked, { inquire: index.inquire, read: reader.read })
    const missed = reader.missed()
    if (missed > 0)
      notes.push(`${missed} of what was found could not be read: the file was changed meanwhile; search again`)
    return { response, damaged, vanished, notes }
  })
}

type RecordReader = { read(place: Place): MemoryRecord | undefined; missed(): number }

/**
 * Text that is shown is read from the file that the index was fitted to, and its check tested. Each line is read once
 * for one search.
 */
function createRecordReader(source: Source): RecordReader {
  const known = new Map<number, MemoryRecord | undefined>()
  return {
    read({ offset, length }) {
      if (known.has(offset)) return known.get(offset)
      const bytes = Buffer.allocUnsafe(length)
      const judged = judgeLine(bytes, 0, source.read(bytes, offset))
      const record = typeof judged === 'string' || judged.kind !== 'memory' ? undefined : memoryOf(judged.view)
      known.set(offset, record)
      return record
    },
    missed: () => [...known.values()].filter((record) => record === undefined).length
  }
}

import { Fault } from '../contract/faults.ts'
import { GROUPS, LIMIT_DEFAULT, LIMIT_MAX } from '../contract/groups.ts'
import { isoTime } from '../memory/iso-time.ts'
import { answerQuery, type Question } from '../search/answer/answer-query.ts'
import { forgottenAbsence, whyNot } from '../search/answer/why-not.ts'
import { openSource } from '../snapshot/file/source.ts'
import { guarded } from './device-world.ts'
import { idDigits, onlyId } from './find-id.ts'
import { createIndexKeeper, type IndexKeeper, type Look, type Noticed } from './index-keeper.ts'
import type { Opened } from './opened.ts'
import { createRecordReader, type RecordReader } from './read-record.ts'
import { createTurns } from './turns.ts'
import type { SearchOptions, SearchOutcome, WhyNot } from './types.ts'

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
  const looking = <T>(doing: string, work: (look: Look) => Promise<T>): Promise<T> =>
    inTurn(() => guarded(`${doing} ${opened.path}`, () => lookAt(opened, work)))
  return {
    async search(query, options = {}) {
      const asked = { query, ...testOptions(options) }
      return looking('search', (look) => search(keeper, look, asked))
    },
    async whyNot(query, idOrPrefix, options = {}) {
      const asked = { query, ...testOptions(options), digits: idDigits(idOrPrefix), idOrPrefix }
      return looking('search', (look) => examine(keeper, look, asked))
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
    const answer = answerQuery(asked, { inquire: index.inquire, read: reader.read })
    notes.push(...noteOfMissed(reader))
    return { ...answer, damaged, vanished, notes }
  })
}

function noteOfMissed({ missed }: RecordReader): string[] {
  const count = missed()
  return count === 0
    ? []
    : [`${count} of what was found could not be read: the file was changed meanwhile; search again`]
}

type Asked = Question & { idOrPrefix: string; digits: string }

/** Ids are looked up in the index: the file is only read for what is compared. */
function examine(keeper: IndexKeeper, look: Look, { idOrPrefix, digits, ...asked }: Asked): Promise<WhyNot> {
  return keeper.use(look, (index, { damaged, vanished, notes, forgotten }) => {
    const gone = [...forgotten()].filter((id) => id.startsWith(digits))
    const hex = onlyId(idOrPrefix, [...new Set([...index.idsFrom(digits), ...gone])], (id) => id)
    const reader = createRecordReader(look.source)
    const { inquire, examine } = index
    const id = `mem_${hex}`
    const absence = whyNot(asked, { inquire, examine, read: reader.read }, id) ?? forgottenAbsence(id)
    notes.push(...noteOfMissed(reader))
    return { absence, damaged, vanished, notes }
  })
}

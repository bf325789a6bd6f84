import { Fault } from '../contract/faults.ts'
import { GROUPS, type Group, LIMIT_DEFAULT, LIMIT_MAX } from '../contract/groups.ts'
import type { Hit } from '../search/rank/rank-documents.ts'
import { type AnsweringMemory, buildResponse } from '../search/response.ts'
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

type Asked = { query: string; limit: number; groups: readonly Group[]; explain: boolean }

function testOptions({ limit = LIMIT_DEFAULT, groups = GROUPS, explain = false }: SearchOptions): Omit<Asked, 'query'> {
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
    throw new Fault('usage', `the limit must be a whole number from 1 to ${LIMIT_MAX}, not ${limit}`)
  }
  return { limit, groups, explain }
}

function search(keeper: IndexKeeper, look: Look, asked: Asked): Promise<SearchOutcome> {
  return keeper.use(look, (index, { damaged, vanished, notes }) => {
    const hits = index.search(asked.query, { limit: asked.limit, explain: asked.explain })
    const memories = readHits(look.source, hits)
    const missed = hits.length - memories.length
    if (missed > 0)
      notes.push(`${missed} of what was found could not be read: the file was changed meanwhile; search again`)
    return { response: buildResponse(asked.query, memories, asked), damaged, vanished, notes }
  })
}

/** Text that is shown is read from the file that the index was fitted to, and its check tested. */
function readHits(source: Source, hits: readonly Hit[]): AnsweringMemory[] {
  return hits.flatMap(({ offset, length, score, explanation }) => {
    const bytes = Buffer.allocUnsafe(length)
    const judged = judgeLine(bytes, 0, source.read(bytes, offset))
    return typeof judged === 'string' || judged.kind !== 'memory'
      ? []
      : [{ record: memoryOf(judged.view), score, explanation }]
  })
}

import { Fault } from '../contract/faults.ts'
import { GROUPS, type Group, LIMIT_DEFAULT, LIMIT_MAX } from '../contract/groups.ts'
import type { SearchIndex } from '../search/index/search-index.ts'
import type { Hit } from '../search/rank/rank-documents.ts'
import { type AnsweringMemory, buildResponse } from '../search/response.ts'
import { judgeLine, memoryOf } from '../snapshot/judge.ts'
import { createRowReader } from '../snapshot/row-reader.ts'
import { openSource, type Source } from '../snapshot/source.ts'
import { guarded } from './device-world.ts'
import { type FittingIndex, fitIndex, nameCover } from './fitting-index.ts'
import type { IndexCover } from './index-cover.ts'
import { type IndexFiles, indexFiles } from './index-files.ts'
import type { Opened } from './opened.ts'
import { isStamped } from './stamp.ts'
import type { SearchOptions, SearchOutcome } from './types.ts'

/** Searches one file, with its index kept open from one search to the next. */
export type Finder = {
  search(query: string, options?: SearchOptions): Promise<SearchOutcome>
  /** Brings the index up to date without asking it anything: what was forgotten leaves it at once. */
  refresh(): Promise<void>
  close(): void
}

/** A finder for one file. It opens the index with the first search. */
export function createFinder(opened: Opened): Finder {
  const state: State = { opened, held: undefined }
  let last: Promise<unknown> = Promise.resolve()
  /** One at a time: they share the index. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work)
    last = turn.catch(() => undefined)
    return turn
  }
  return {
    search: (query, options = {}) =>
      inTurn(() => guarded(`search ${opened.path}`, () => search(state, query, testOptions(options)))),
    refresh: () => inTurn(() => guarded(`read ${opened.path}`, () => refresh(state))),
    close() {
      state.held?.index.close()
      state.held = undefined
    }
  }
}

type Held = { index: SearchIndex; cover: IndexCover }

type State = { opened: Opened; held: Held | undefined }

type Asked = { limit: number; groups: readonly Group[]; explain: boolean }

function testOptions({ limit = LIMIT_DEFAULT, groups = GROUPS, explain = false }: SearchOptions): Asked {
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
    throw new Fault('usage', `the limit must be a whole number from 1 to ${LIMIT_MAX}, not ${limit}`)
  }
  return { limit, groups, explain }
}

async function search(state: State, query: string, asked: Asked): Promise<SearchOutcome> {
  const { world, path } = state.opened
  const source = openSource(world.files, path)
  try {
    const { fitting, notes } = await fit(state, source)
    const hits = fitting.index.search(query, { limit: asked.limit, explain: asked.explain })
    const response = buildResponse(query, readHits(source, hits), asked)
    return { response, damaged: fitting.cover.damaged, vanished: fitting.vanished, notes }
  } finally {
    source.close()
  }
}

async function refresh(state: State): Promise<void> {
  const source = openSource(state.opened.world.files, state.opened.path)
  try {
    if (state.held !== undefined || indexFiles(state.opened.world, source.path).load() !== undefined)
      await fit(state, source)
  } finally {
    source.close()
  }
}

/** The index for the file as it is now; a changed one goes into the cache, where that is possible. */
async function fit(state: State, source: Source): Promise<{ fitting: FittingIndex; notes: string[] }> {
  const { world } = state.opened
  const files = indexFiles(world, source.path)
  const held = state.held?.cover.path === source.path ? state.held : undefined
  const fitting = await fitIndex({ world, source, files, held })
  const notes = fitting.rebuilt === undefined ? [] : [`the index was made anew: ${fitting.rebuilt}`]
  if (fitting.changed) {
    fitting.cover = nameCover(world, fitting.index, fitting.cover)
    const problem = await files.save(fitting.index.toBytes())
    if (problem !== undefined) notes.push(`the index was not kept: ${problem}`)
  }
  state.held = { index: fitting.index, cover: fitting.cover }
  stampIfProven(state, source, files)
  return { fitting, notes }
}

/** File systems count time in steps: a file changed so lately could be changed again without looking any different. */
const STAMP_AGE_MIN_MS = 20

function stampIfProven({ opened: { world }, held }: State, source: Source, files: IndexFiles): void {
  const { facts } = source
  if (held === undefined || isStamped(files.stamp(), held.cover.nonce, facts)) return
  const now = world.files.findEntry(source.path)
  const isSame =
    now !== undefined && now.ino === facts.ino && now.mtimeNs === facts.mtimeNs && now.ctimeNs === facts.ctimeNs
  const age = Math.abs(world.clock.now() - Number(facts.mtimeNs / 1_000_000n))
  if (isSame && age >= STAMP_AGE_MIN_MS) files.setStamp({ nonce: held.cover.nonce, facts })
}

/** Text that is shown is read from the file, and its check tested. */
function readHits(source: Source, hits: readonly Hit[]): AnsweringMemory[] {
  const reader = createRowReader(source)
  return hits.flatMap((hit) => {
    const bytes = reader.bytes(hit)
    const judged = judgeLine(bytes, 0, bytes.length)
    return typeof judged === 'string' || judged.kind !== 'memory'
      ? []
      : [{ record: memoryOf(judged.view), score: hit.score, explanation: hit.explanation }]
  })
}

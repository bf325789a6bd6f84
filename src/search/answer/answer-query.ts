import type { Group } from '../../contract/groups.ts'
import type { MemoryResponse } from '../../contract/memory-response.ts'
import type { MemoryRecord } from '../../contract/snapshot.ts'
import type { FactOverTime } from '../../memory/graph/fact-over-time.ts'
import { isCurrentAt, resolveFacts } from '../../memory/graph/resolve-facts.ts'
import type { LineBytes, RankOptions } from '../rank/create-ranker.ts'
import type { Inquiry } from '../rank/inquiry.ts'
import { createSourceGuard, type MemoryFilter } from '../rank/memory-filter.ts'
import { ANSWER } from './answer-constants.ts'
import type { Answering, Candidate } from './answering.ts'
import { buildEpisodeEntries } from './build-episode-entries.ts'
import { buildFactEntries } from './build-fact-entries.ts'
import { buildProcedureEntries } from './build-procedure-entries.ts'
import { addExchanges, buildSourceEntries } from './build-source-entries.ts'
import { createEntryExplainer, findRivals } from './create-entry-explainer.ts'
import { createFactWords } from './fact-score.ts'
import { readStatedFacts } from './find-relevant-facts.ts'
import { readQueryIntent } from './query-intent.ts'
import { createQueryWords } from './query-words.ts'
import { createSupersededFinder } from './superseded.ts'
import { createCoverage, createPlaceFinder, type TermPlace } from './term-place.ts'

/**
 * A search. `limit` is the number of entries per group. `asOf` is valid time as UTC text: what held then, as known
 * today.
 * `filter` restricts the memories; its `validAt` follows from `asOf`. With `explain`, each entry has an explanation.
 */
export type SearchQuestion = {
  query: string
  limit: number
  groups: readonly Group[]
  asOf?: string | undefined
  filter?: MemoryFilter | undefined
  explain?: boolean | undefined
}

/** Sources of an answer. `read` returns the memory whose line is at a place, or undefined if it cannot be read. */
export type Grounds = {
  inquire: (query: string, options: RankOptions) => Inquiry
  read: (place: LineBytes) => MemoryRecord | undefined
}

/**
 * An answer, with functions that locate the query's terms in a text (`createPlaceFinder`) and measure how many it has
 * (`createCoverage`).
 */
export type SearchAnswer = {
  response: MemoryResponse
  placesIn: (text: string) => TermPlace[]
  coverageOf: (text: string) => number
}

/**
 * Answers a query with all four groups, derived from the best sources: their texts, the entries extracted from them,
 * and the episodes they belong to. Reads a bounded number of memories, whatever the size of the index.
 */
export function answerQuery(question: SearchQuestion, grounds: Grounds): SearchAnswer {
  const { inquire } = grounds
  const read = guardRead(question.filter, grounds.read)
  const { query, limit, groups, asOf, explain = false } = question
  const asks = (group: Group): boolean => groups.includes(group)
  const inquiry = inquire(query, {
    limit: asks('sources') ? countFoldable(limit) : Math.max(limit, ANSWER.CANDIDATES),
    explain: explain && asks('sources'),
    filter: toRankFilter(question),
    textOf: (place) => read(place)?.text
  })
  const words = createQueryWords(inquiry.terms, inquiry.relationsOf)
  const supersededBy = createSupersededFinder({ inquiry, read, asOf })
  const answering = { words, intent: readQueryIntent(query), inquiry, read, supersededBy, asOf, limit, explain }
  const cut = <E>(group: Group, entries: () => E[]): E[] => (asks(group) ? entries().slice(0, limit) : [])
  const best = (): Candidate[] => [...readHits(answering, ANSWER.CANDIDATES)]
  const isWanted = createSourceTest(question, best)
  const placesIn = createPlaceFinder(inquiry.terms, inquiry.relationsOf)
  const why = explain ? createEntryExplainer({ query, answering, candidates: best(), placesIn }) : undefined
  const response = {
    semantics: cut('semantics', () => buildFactEntries(answering, best()).filter(isWanted)).map(
      (one) => why?.fact(one) ?? one
    ),
    procedures: cut('procedures', () => buildProcedureEntries(answering, best())).map(
      (one) => why?.procedure(one) ?? one
    ),
    episodes: cut('episodes', () => buildEpisodeEntries(answering)).map((one) => why?.episode(one) ?? one),
    sources: cut('sources', () => {
      const candidates = putNewerFirst(readCurrent(answering, countFoldable(limit)), answering)
      const entries = buildSourceEntries(candidates, { limit, placesIn, supersededBy })
      return explain ? addExchanges(entries, answering) : entries
    })
  }
  return { response, placesIn, coverageOf: createCoverage(inquiry.terms, inquiry.relationsOf) }
}

/** Reads nothing of a memory whose source the filter excludes, not even as evidence for another entry. */
export function guardRead(filter: MemoryFilter | undefined, read: Grounds['read']): Grounds['read'] {
  const isAllowed = createSourceGuard(filter ?? {})
  if (isAllowed === undefined) return read
  return (place) => {
    const record = read(place)
    return record !== undefined && isAllowed(record.metadata) ? record : undefined
  }
}

/** Returns how many sources may have to be read for `limit` entries, because some may be near-duplicates. */
export function countFoldable(limit: number): number {
  return ANSWER.FOLD_READS_PER_ENTRY * limit + ANSWER.FOLD_READS_MORE
}

/** Returns the filter by which memories are ranked. */
export function toRankFilter({ asOf, filter = {} }: Pick<SearchQuestion, 'asOf' | 'filter'>): MemoryFilter {
  return asOf === undefined ? filter : { ...filter, validAt: Date.parse(asOf) }
}

/**
 * Creates a test for entries of facts: with a filter, at least one of their memories must pass it. Others only tell
 * what ended or contradicted these facts.
 */
function createSourceTest(
  { filter = {} }: SearchQuestion,
  best: () => readonly Candidate[]
): (entry: { source_ids: readonly string[] }) => boolean {
  const { knownAt: _, ...conditions } = filter
  if (Object.values(conditions).every((condition) => condition === undefined)) return () => true
  const ids = new Set(best().map(({ record }) => record.id))
  return ({ source_ids }) => source_ids.some((id) => ids.has(id))
}

/** Yields the best memories without those that another one supersedes, unless the query asks about time. */
function* readCurrent(answering: Answering, limit: number): Generator<Candidate> {
  for (const candidate of readHits(answering, limit)) {
    if (answering.intent.asksByTime || answering.supersededBy(candidate.record) === undefined) yield candidate
  }
}

/** Yields the best memories; each is read on demand. */
function* readHits({ inquiry, read }: Answering, limit: number): Generator<Candidate> {
  for (const hit of inquiry.hits.slice(0, limit)) {
    const record = read(hit)
    if (record !== undefined) yield { record, score: hit.score, explanation: hit.explanation }
  }
}

/** Maximum number of memories that are compared, and of their facts. */
const COMPARED_MAX = 20
const COMPARED_FACTS_MAX = 300

/**
 * Yields memories, best first, with each one that states a replaced value behind the memory that states the current
 * one, which gets the score of the former if that is higher. Applies to values that have a term of the query, unless the
 * query asks about time.
 */
function* putNewerFirst(candidates: Iterable<Candidate>, answering: Answering): Generator<Candidate> {
  const rest = candidates[Symbol.iterator]()
  const best: Candidate[] = []
  const most = Math.min(COMPARED_MAX, answering.limit + ANSWER.FOLD_AHEAD)
  while (best.length < most) {
    const next = rest.next()
    if (next.done === true) break
    best.push(next.value)
  }
  yield* answering.intent.asksByTime ? best : reorder(best, answering)
  for (let next = rest.next(); next.done !== true; next = rest.next()) yield next.value
}

function reorder(best: readonly Candidate[], answering: Answering): Candidate[] {
  const ordered = [...best]
  for (const { earlier, later } of findReplacements(best, answering)) {
    const [before, after] = [later, earlier].map((id) => ordered.findIndex(({ record }) => record.id === id))
    const [newer] = before === undefined || after === undefined || before <= after ? [] : ordered.splice(before, 1)
    const older = ordered[after ?? 0]
    if (newer !== undefined && older !== undefined) ordered.splice(after ?? 0, 0, { ...newer, score: older.score })
  }
  return ordered
}

/** Ids of a memory that states a replaced value, and of the one that states the current value. */
type Replacement = { earlier: string; later: string }

function findReplacements(best: readonly Candidate[], answering: Answering): Replacement[] {
  const ids = new Set(best.map(({ record }) => record.id))
  const stated = best.flatMap(({ record }) => readStatedFacts(record, answering)).slice(0, COMPARED_FACTS_MAX)
  const facts = resolveFacts(stated)
  const over = facts.filter(({ isSingle, valid_to }) => isSingle && valid_to !== null)
  if (over.length === 0) return []
  const read = createFactWords(answering.words)
  const time = answering.asOf
  return over.flatMap((earlier) => {
    const later = findRivals(earlier, facts).find((rival) => rival.valid_from === earlier.valid_to)
    if (later === undefined || !isCurrentAt(later, time) || read(earlier).found.size === 0) return []
    const by = later.source_ids.find((id) => ids.has(id))
    return by === undefined ? [] : listEarlier(earlier, later).map((id) => ({ earlier: id, later: by }))
  })
}

/** Lists the memories that state only the earlier of two values. */
function listEarlier(earlier: FactOverTime, later: FactOverTime): string[] {
  return earlier.source_ids.filter((id) => !later.source_ids.includes(id))
}

import type { Group } from '../../contract/groups.ts'
import type { MemoryResponse } from '../../contract/memory-response.ts'
import type { MemoryRecord } from '../../contract/snapshot.ts'
import type { LineBytes, RankOptions } from '../rank/create-ranker.ts'
import type { Inquiry } from '../rank/inquiry.ts'
import type { MemoryFilter } from '../rank/memory-filter.ts'
import { ANSWER } from './answer-constants.ts'
import type { Answering, Candidate } from './answering.ts'
import { buildEpisodeEntries } from './build-episode-entries.ts'
import { buildFactEntries } from './build-fact-entries.ts'
import { buildProcedureEntries } from './build-procedure-entries.ts'
import { buildSourceEntries } from './build-source-entries.ts'
import { createEntryExplainer } from './create-entry-explainer.ts'
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
export function answerQuery(question: SearchQuestion, { inquire, read }: Grounds): SearchAnswer {
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
    sources: cut('sources', () =>
      buildSourceEntries(readCurrent(answering, countFoldable(limit)), { limit, placesIn, supersededBy })
    )
  }
  return { response, placesIn, coverageOf: createCoverage(inquiry.terms, inquiry.relationsOf) }
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

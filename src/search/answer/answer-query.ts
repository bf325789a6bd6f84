import type { Group } from '../../contract/groups.ts'
import type { MemoryResponse } from '../../contract/memory-response.ts'
import type { MemoryRecord } from '../../contract/snapshot.ts'
import type { LineBytes, RankOptions } from '../rank/create-ranker.ts'
import type { Inquiry } from '../rank/inquiry.ts'
import { ANSWER } from './answer-constants.ts'
import type { Answering, Candidate } from './answering.ts'
import { buildEpisodeEntries } from './build-episode-entries.ts'
import { buildFactEntries } from './build-fact-entries.ts'
import { buildProcedureEntries } from './build-procedure-entries.ts'
import { buildSourceEntries } from './build-source-entries.ts'
import { createEntryExplainer } from './create-entry-explainer.ts'
import { readQueryIntent } from './query-intent.ts'
import { createQueryWords } from './query-words.ts'
import { createCoverage, createPlaceFinder, type TermPlace } from './term-place.ts'

/**
 * A search request: entries per group, groups, the time as of which to answer (UTC text), and whether to explain each
 * entry.
 */
export type SearchQuestion = {
  query: string
  limit: number
  groups: readonly Group[]
  asOf?: string | undefined
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
    until: asOf === undefined ? undefined : Date.parse(asOf),
    textOf: (place) => read(place)?.text
  })
  const words = createQueryWords(inquiry.terms, inquiry.relationsOf)
  const answering = { words, intent: readQueryIntent(query), inquiry, read, asOf, limit, explain }
  const cut = <E>(group: Group, entries: () => E[]): E[] => (asks(group) ? entries().slice(0, limit) : [])
  const best = (): Candidate[] => [...readHits(answering, ANSWER.CANDIDATES)]
  const placesIn = createPlaceFinder(inquiry.terms, inquiry.relationsOf)
  const why = explain ? createEntryExplainer({ query, answering, candidates: best(), placesIn }) : undefined
  const response = {
    semantics: cut('semantics', () => buildFactEntries(answering, best())).map((one) => why?.fact(one) ?? one),
    procedures: cut('procedures', () => buildProcedureEntries(answering, best())).map(
      (one) => why?.procedure(one) ?? one
    ),
    episodes: cut('episodes', () => buildEpisodeEntries(answering)).map((one) => why?.episode(one) ?? one),
    sources: cut('sources', () => buildSourceEntries(readHits(answering, countFoldable(limit)), { limit, placesIn }))
  }
  return { response, placesIn, coverageOf: createCoverage(inquiry.terms, inquiry.relationsOf) }
}

/** Returns how many sources may have to be read for `limit` entries, because some may be near-duplicates. */
export function countFoldable(limit: number): number {
  return ANSWER.FOLD_READS_PER_ENTRY * limit + ANSWER.FOLD_READS_MORE
}

/** Yields the best memories; each is read on demand. */
function* readHits({ inquiry, read }: Answering, limit: number): Generator<Candidate> {
  for (const hit of inquiry.hits.slice(0, limit)) {
    const record = read(hit)
    if (record !== undefined) yield { record, score: hit.score, explanation: hit.explanation }
  }
}

import { ENDS_IN_QUESTION } from '../analyse/detect-traits.ts'
import { KEY_MARK } from '../index/collect-about-terms.ts'
import type { IndexReader } from '../index/index-reader.ts'
import { SUBJECT_MARK } from '../index/index-writer.ts'
import type { TermRelations } from '../related/related-terms-layout.ts'
import { type Hit, type LineBytes, locateMemory, type Ranked } from './create-ranker.ts'
import { createNewerFirst, createTopDocuments } from './create-top-documents.ts'
import { type AboutNames, findMemoriesAbout } from './find-memories-about.ts'
import type { MemoryFilter } from './memory-filter.ts'
import type { WeighedTerm } from './term-match.ts'

/** The response of an index to a query: the best hits, and lookups that stay valid until the index changes. */
export type Inquiry = {
  hits: Hit[]
  terms: WeighedTerm[]
  /** Returns other words for a term, as ranking uses them. */
  relationsOf(term: string): TermRelations
  /**
   * Returns memories with a fact of this key, newest first, at most `limit`. Some may only have a key with the same
   * beginning, because keys are cut.
   */
  keyed(key: string, limit: number): LineBytes[]
  /** Checks whether facts are about a subject whose name has this term. */
  isName(term: string): boolean
  /** Returns memories about a name: see `findMemoriesAbout`. */
  about(asked: AboutNames, limit: number): LineBytes[]
  /**
   * Returns the turns around a hit: those of its conversation without a pause of `pauseMs` or more. If there are more
   * than `limit`, they are divided into equal parts, and the part with the hit is returned, so that two hits of one
   * part get the same turns.
   */
  findSection(hit: number, bounds: SectionBounds): LineBytes[]
  /**
   * Returns the exchanges that a hit opens, as turns in order: itself with the next turn, if it ends in a question, and
   * itself with the next two turns, if the next one ends in a question. Pauses end them as they end sections.
   */
  findExchanges(hit: number, pauseMs: number): LineBytes[][]
}

export type SectionBounds = { limit: number; pauseMs: number }

/**
 * Creates the inquiry of an index after ranking. Memories that were not known at `knownAt` are left out, and sections of
 * conversations end at `validAt`.
 */
export function createInquiry(
  { index, relationsOf }: { index: IndexReader; relationsOf: Inquiry['relationsOf'] },
  { documents, hits, terms }: Ranked,
  { knownAt = Infinity, validAt = Infinity }: MemoryFilter = {}
): Inquiry {
  const until = Math.min(knownAt, validAt)
  return {
    relationsOf,
    hits,
    terms,
    keyed(key, limit) {
      const newest = createTopDocuments(limit, createNewerFirst(index))
      for (const document of findFirstDocuments(index, index.postings(KEY_MARK + key).documents)) {
        if (index.timeOf(document) <= knownAt) newest.offer(document)
      }
      return newest.best().map((document) => locateMemory(index, document))
    },
    isName: (term) => index.postings(SUBJECT_MARK + term).documents.length > 0,
    about: (asked, limit) =>
      findMemoriesAbout(index, { ...asked, until: knownAt, limit }).map((one) => locateMemory(index, one)),
    findSection: (hit, bounds) =>
      findSection(index, index.firstOf(documents[hit] ?? 0), { ...bounds, until }).map((document) =>
        locateMemory(index, document)
      ),
    findExchanges: (hit, pauseMs) =>
      findExchanges(index, index.firstOf(documents[hit] ?? 0), { pauseMs, until }).map((turns) =>
        turns.map((document) => locateMemory(index, document))
      )
  }
}

/** Maps documents to the first documents of their memories. */
function findFirstDocuments(index: IndexReader, documents: Uint32Array): Iterable<number> {
  if (index.passages() === undefined) return documents
  return new Set(Array.from(documents, (document) => index.firstOf(document)))
}

type Step = (document: number, way: (document: number) => number) => number

/** Creates a step to a neighbour: -1 after a pause, or at a turn later than `until`. */
function createSectionStep(index: IndexReader, { pauseMs, until }: { pauseMs: number; until: number }): Step {
  return (document, way) => {
    const other = way(document)
    if (other < 0 || index.timeOf(other) > until) return -1
    return Math.abs(index.timeOf(other) - index.timeOf(document)) > pauseMs ? -1 : other
  }
}

/** Walks columns that ranking has already read. Only the returned places are read from the file later. */
function findSection(
  index: IndexReader,
  here: number,
  { limit, ...bounds }: SectionBounds & { until: number }
): number[] {
  const { after, before } = index.neighbours()
  const stepInSection = createSectionStep(index, bounds)
  let from = here
  let place = 0
  for (let one = stepInSection(here, before); one >= 0; one = stepInSection(one, before)) {
    place++
    from = one
  }
  for (let skipped = place - (place % limit); skipped > 0; skipped--) from = stepInSection(from, after)
  const turns: number[] = []
  for (let one = from; one >= 0 && turns.length < limit; one = stepInSection(one, after)) turns.push(one)
  return turns
}

function findExchanges(index: IndexReader, here: number, bounds: { pauseMs: number; until: number }): number[][] {
  const asks = index.asks()
  const { after } = index.neighbours()
  const stepInSection = createSectionStep(index, bounds)
  const next = stepInSection(here, after)
  if (next < 0) return []
  const last = asks[next] === ENDS_IN_QUESTION ? stepInSection(next, after) : -1
  return [...(asks[here] === ENDS_IN_QUESTION ? [[here, next]] : []), ...(last < 0 ? [] : [[here, next, last]])]
}

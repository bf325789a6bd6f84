import { KEY_MARK } from '../index/fact-terms.ts'
import type { IndexReader } from '../index/index-reader.ts'
import type { Hit, Ranked, WeighedTerm } from './rank-documents.ts'
import { createTopDocuments } from './top-documents.ts'

/** Where a memory's line stands in the snapshot, in bytes. */
export type Place = { offset: number; length: number }

/** A memory near another in its conversation. `at` is ms since 1970. */
export type Turn = Place & { at: number }

/** What an index says to a query: the best hits, and what may be asked about them until the index changes. */
export type Inquiry = {
  hits: Hit[]
  terms: WeighedTerm[]
  /** What was extracted from the memory of the hit at this place of `hits`: see `YIELDS_FACTS`. */
  yieldsOf(hit: number): number
  /** Memories with a fact of this key, the newest so many, newest first. Some may only have a key that is cut alike. */
  keyed(key: string, limit: number): Place[]
  /**
   * The turns of a hit's conversation from the first to the last, as far as each follows the one before within `gapMs` and
   * `limit` turns lie between, on either side. A memory of no conversation is alone.
   */
  turnsAround(hit: number, bounds: { limit: number; gapMs: number }): Turn[]
}

/** What may be asked of `index` after it ranked. Nothing from after `until`, ms since 1970, is told. */
export function createInquiry(index: IndexReader, { documents, hits, terms }: Ranked, until = Infinity): Inquiry {
  const placeOf = (document: number): Place => ({
    offset: index.offsetOf(document),
    length: index.lengthOf(document)
  })
  return {
    hits,
    terms,
    yieldsOf: (hit) => index.yieldsOf(documents[hit] ?? 0),
    keyed(key, limit) {
      const newest = createTopDocuments(limit, newerFirst(index))
      for (const document of index.postings(KEY_MARK + key).documents) {
        if (index.timeOf(document) <= until) newest.offer(document)
      }
      return newest.best().map(placeOf)
    },
    turnsAround(hit, bounds) {
      const { after, before } = index.neighbours()
      const here = documents[hit] ?? 0
      const walk = (way: Int32Array): number[] => documentsAlong(way, here, { ...bounds, until, times: index.times() })
      return [...walk(before).reverse(), here, ...walk(after)].map((document) => ({
        ...placeOf(document),
        at: index.timeOf(document)
      }))
    }
  }
}

function newerFirst(index: IndexReader): (left: number, right: number) => number {
  return (left, right) =>
    index.timeOf(right) - index.timeOf(left) || Buffer.compare(index.idOf(left), index.idOf(right))
}

type Bounds = { limit: number; gapMs: number; until: number; times: Float64Array }

function documentsAlong(way: Int32Array, from: number, { limit, gapMs, until, times }: Bounds): number[] {
  const found: number[] = []
  let here = from
  while (found.length < limit) {
    const next = way[here] ?? -1
    if (next < 0 || Math.abs((times[next] ?? 0) - (times[here] ?? 0)) > gapMs || (times[next] ?? 0) > until) break
    found.push(next)
    here = next
  }
  return found
}

import { type ColumnName, COLUMNS } from './document-columns.ts'
import { ID_BYTES } from './document-table.ts'
import type { IndexStore, SegmentRow } from './index-store.ts'
import { type Neighbours, neighboursOf, unpackLinks } from './neighbours.ts'
import { findInBlock, type Postings } from './posting-block.ts'
import { unpackTexts } from './text-list.ts'

/** What ranking may ask of an index. Documents are numbers from 0; nothing is read before it is asked for. */
export type IndexReader = {
  count: number
  /** Terms of all documents, repeats counted. */
  terms: number
  /** Documents ascending within each segment, segment by segment. */
  postings(term: string): Postings
  termsOf(): Uint32Array
  times(): Float64Array
  dated(): Uint8Array
  asks(): Uint8Array
  ids(): Uint8Array
  neighbours(): Neighbours
  offsets(): Float64Array
  lengths(): Uint32Array
}

export function createIndexReader(store: IndexStore): IndexReader {
  const segments = store.segments()
  const count = segments.reduce((sum, { documents }) => sum + documents, 0)
  const numbers = <A extends Uint8Array | Uint32Array | Float64Array>(name: ColumnName, into: () => A): (() => A) =>
    once(() => readColumn(store, segments, name, into()))
  const conversation = numbers('conversation', () => new Uint32Array(count))
  return {
    count,
    terms: segments.reduce((sum, { terms }) => sum + terms, 0),
    postings: createPostingsReader(store, segments),
    termsOf: numbers('terms', () => new Uint32Array(count)),
    times: numbers('at', () => new Float64Array(count)),
    dated: numbers('dated', () => new Uint8Array(count)),
    asks: numbers('asks', () => new Uint8Array(count)),
    ids: once(() => readIds(store, segments, count)),
    neighbours: once(() => {
      const sizes = segments.map(({ documents }) => documents)
      return neighboursOf(conversation(), sizes, unpackLinks(store.column(-1, 'links')))
    }),
    offsets: numbers('offset', () => new Float64Array(count)),
    lengths: numbers('length', () => new Uint32Array(count))
  }
}

function once<V>(make: () => V): () => V {
  let made: { value: V } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function readColumn<A extends Uint8Array | Uint32Array | Float64Array>(
  store: IndexStore,
  segments: readonly SegmentRow[],
  name: ColumnName,
  into: A
): A {
  let at = 0
  for (const { segment, documents } of segments) {
    COLUMNS[name].unpack(store.column(segment, name), into, { at, count: documents })
    at += documents
  }
  return into
}

function readIds(store: IndexStore, segments: readonly SegmentRow[], count: number): Uint8Array {
  const ids = new Uint8Array(count * ID_BYTES)
  let at = 0
  for (const { segment, documents } of segments) {
    ids.set(store.column(segment, 'ids'), at * ID_BYTES)
    at += documents
  }
  return ids
}

/** Postings kept decoded between searches, at most: 5 MB. */
const KEPT_POSTINGS_MAX = 1_000_000

function createPostingsReader(store: IndexStore, segments: readonly SegmentRow[]): (term: string) => Postings {
  const directories = new Map<number, string[]>()
  const kept = new Map<string, Postings>()
  let keptPostings = 0
  const inSegment = (row: SegmentRow, base: number, term: string): Postings | undefined => {
    const firsts = directories.get(row.segment) ?? unpackTexts(row.directory)
    directories.set(row.segment, firsts)
    const block = lastAtMost(firsts, term)
    return block < 0 ? undefined : findInBlock(store.block(row.segment, block), Buffer.from(term, 'utf8'), base)
  }
  return (term) => {
    const known = kept.get(term)
    if (known !== undefined) return known
    const lists: Postings[] = []
    let base = 0
    for (const row of segments) {
      const list = inSegment(row, base, term)
      if (list !== undefined) lists.push(list)
      base += row.documents
    }
    const postings = joinLists(lists)
    if (keptPostings + postings.documents.length > KEPT_POSTINGS_MAX) {
      kept.clear()
      keptPostings = 0
    }
    kept.set(term, postings)
    keptPostings += postings.documents.length + 1
    return postings
  }
}

/** The last of sorted texts that is not over `text`; -1 where all are. */
function lastAtMost(texts: readonly string[], text: string): number {
  let low = 0
  let high = texts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((texts[middle] ?? '') <= text) low = middle + 1
    else high = middle
  }
  return low - 1
}

function joinLists(lists: readonly Postings[]): Postings {
  const [first, ...rest] = lists
  if (first !== undefined && rest.length === 0) return first
  const size = lists.reduce((sum, { documents }) => sum + documents.length, 0)
  const joined = { documents: new Uint32Array(size), counts: new Uint8Array(size) }
  let at = 0
  for (const { documents, counts } of lists) {
    joined.documents.set(documents, at)
    joined.counts.set(counts, at)
    at += documents.length
  }
  return joined
}

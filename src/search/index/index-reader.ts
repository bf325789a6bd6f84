import { unpackTexts } from './byte-writer.ts'
import { keepList, openDecodedPart } from './decoded.ts'
import { LINKS, type SegmentRow } from './index-store.ts'
import { readMemoryRows } from './memory-rows.ts'
import { createNeighbours, type Neighbours, unpackLinks } from './neighbours.ts'
import type { ColumnName, NumberColumn } from './number-column.ts'
import { findInBlock, type Postings } from './postings.ts'
import { createByteCellReader, createCellReader, readColumn, readIdHeads, type StoredSegments } from './read-column.ts'

/**
 * What ranking reads from an index. Documents, which are memories and passages of long ones, are numbers from 0.
 * Everything is read on demand.
 */
export type IndexReader = {
  count: number
  /** Documents ascending within each segment, segment by segment. */
  postings(term: string): Postings
  /** Whole columns, by document. */
  terms(): Uint32Array
  times(): Float64Array
  earlier(): Float64Array
  dated(): Uint8Array
  asks(): Uint8Array
  traits(): Uint8Array
  /** By document; 0 is none. */
  conversations(): Uint32Array
  neighbours(): Neighbours
  /** By document: the index of its passage; undefined if every memory is one document. */
  passages(): Uint32Array | undefined
  /** Returns the first passage of a document's memory, which is the one with neighbours. */
  firstOf(document: number): number
  /** Returns the first four bytes of every id, as a little-endian number. */
  idHeads(): Uint32Array
  /** Single cells, for a few documents. */
  timeOf(document: number): number
  idOf(document: number): Uint8Array
  meaningOf(document: number): Uint8Array
  offsetOf(document: number): number
  lengthOf(document: number): number
}

/** Creates a reader of the current segments; it does not see later ones. */
export function createIndexReader(from: StoredSegments): IndexReader {
  const { store, segments } = from
  const count = segments.reduce((sum, { documents }) => sum + documents, 0)
  const column = <A extends NumberColumn>(name: ColumnName, into: A): A => {
    readColumn(from, name, into)
    from.decoded.columns.set(name, into)
    return into
  }
  const conversations = memoize(() => column('conversation', new Uint32Array(count)))
  const postings = createPostingsReader(from)
  const rows = memoize(() => readMemoryRows(from))
  return {
    count,
    postings,
    terms: memoize(() => column('terms', new Uint32Array(count))),
    times: memoize(() => column('at', new Float64Array(count))),
    earlier: memoize(() => column('earlier', new Float64Array(count))),
    dated: memoize(() => column('dated', new Uint8Array(count))),
    asks: memoize(() => column('asks', new Uint8Array(count))),
    traits: memoize(() => column('traits', new Uint8Array(count))),
    conversations,
    neighbours: memoize(() => createNeighbours(conversations(), unpackLinks(store.chunk(LINKS)))),
    passages: () => rows().passages,
    firstOf: (document) => rows().firstOf(document),
    idHeads: memoize(() => readIdHeads(from)),
    timeOf: createCellReader(from, 'at'),
    idOf: createByteCellReader(from, 'ids'),
    meaningOf: createByteCellReader(from, 'meanings'),
    offsetOf: createCellReader(from, 'offset'),
    lengthOf: createCellReader(from, 'length')
  }
}

function memoize<V>(make: () => V): () => V {
  let made: { value: V } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Creates a reader of the documents that contain a term: ascending within each segment, segment by segment. */
function createPostingsReader({ store, segments, decoded }: StoredSegments): (term: string) => Postings {
  const joined = new Map<string, Postings>()
  let joinedPostings = 0
  const findInSegment = (row: SegmentRow, base: number, term: string): Postings | undefined => {
    const part = openDecodedPart(decoded, row.segment)
    if (part.lists.has(term)) return part.lists.get(term)
    part.directory ??= unpackTexts(row.directory)
    const block = findLastAtMost(part.directory, term)
    const bytes = block < 0 ? undefined : store.block(row.segment, block)
    const list = bytes && findInBlock(bytes, Buffer.from(term, 'utf8'), base)
    keepList(decoded, row.segment, { term, list })
    return list
  }
  return (term) => {
    const known = joined.get(term)
    if (known !== undefined) return known
    const lists: Postings[] = []
    let base = 0
    for (const row of segments) {
      const list = findInSegment(row, base, term)
      if (list !== undefined) lists.push(list)
      base += row.documents
    }
    const postings = joinLists(lists)
    joinedPostings += 1 + (lists.length > 1 ? postings.documents.length : 0)
    if (joinedPostings > JOINED_POSTINGS_MAX) {
      joined.clear()
      joinedPostings = 0
    }
    joined.set(term, postings)
    return postings
  }
}

/** Maximum number of cached postings joined from several segments: 20 MB. */
const JOINED_POSTINGS_MAX = 4_000_000

/** Returns the index of the last of sorted texts that is not greater than `text`; -1 if all are. */
function findLastAtMost(texts: readonly string[], text: string): number {
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
  const joined = { documents: new Uint32Array(size), counts: new Uint8Array(size), most: 0 }
  let at = 0
  for (const { documents, counts, most } of lists) {
    joined.most = Math.max(joined.most, most)
    joined.documents.set(documents, at)
    joined.counts.set(counts, at)
    at += documents.length
  }
  return joined
}

/** Hex digits of the head of an id, and the part of a head that 6 digits determine. */
const WHOLE_HEAD_DIGITS = 8
const HEAD_MASK = 0xff_ffff

/**
 * Returns the documents whose id begins with the given 6 or more hex digits, ascending. Scans four bytes of each id,
 * which takes some milliseconds per million; with 8 or more digits, a tenth of that.
 */
export function findDocumentsWithId(index: Pick<IndexReader, 'idHeads' | 'idOf'>, digits: string): number[] {
  const [first = 0, second = 0, third = 0, fourth = 0] = Buffer.from(digits.slice(0, WHOLE_HEAD_DIGITS), 'hex')
  const wanted = first | (second << 8) | (third << 16)
  const heads = index.idHeads()
  const found: number[] = []
  const check = (document: number): void => {
    if (Buffer.from(index.idOf(document)).toString('hex').startsWith(digits)) found.push(document)
  }
  if (digits.length >= WHOLE_HEAD_DIGITS) {
    const head = (wanted | (fourth << 24)) >>> 0
    for (let at = heads.indexOf(head); at >= 0; at = heads.indexOf(head, at + 1)) check(at)
    return found
  }
  for (let document = 0; document < heads.length; document++)
    if (((heads[document] ?? 0) & HEAD_MASK) === wanted) check(document)
  return found
}

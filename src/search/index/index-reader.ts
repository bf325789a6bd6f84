import type { NumberColumn } from './column-codec.ts'
import {
  createByteCellReader,
  createCellReader,
  readColumn,
  readIdHeads,
  type StoredSegments
} from './column-reader.ts'
import type { ColumnName } from './document-columns.ts'
import { LINKS } from './index-store.ts'
import { readMemoryRows } from './memory-rows.ts'
import { createNeighbours, type Neighbours, unpackLinks } from './neighbours.ts'
import type { Postings } from './posting-block.ts'
import { createPostingsReader } from './postings-reader.ts'

/**
 * What ranking may ask of an index. Documents, which are memories and passages of long ones, are numbers from 0; nothing
 * is read before it is asked for.
 */
export type IndexReader = {
  count: number
  /** Documents ascending within each segment, segment by segment. */
  postings(term: string): Postings
  /** Whole columns, by document. */
  terms(): Uint32Array
  times(): Float64Array
  dated(): Uint8Array
  asks(): Uint8Array
  traits(): Uint8Array
  /** By document; 0 is none. */
  conversations(): Uint32Array
  neighbours(): Neighbours
  /** By document: which passage of its memory it is; undefined where every memory is one document. */
  passages(): Uint32Array | undefined
  /** The first passage of the memory that a document is of: the one with neighbours. */
  firstOf(document: number): number
  /** The first four bytes of every id, as a little-endian number. */
  idHeads(): Uint32Array
  /** Single cells, for a few documents. */
  timeOf(document: number): number
  idOf(document: number): Uint8Array
  offsetOf(document: number): number
  lengthOf(document: number): number
}

/** A reader of segments as they are now; it does not see later ones. */
export function createIndexReader(from: StoredSegments): IndexReader {
  const { store, segments } = from
  const count = segments.reduce((sum, { documents }) => sum + documents, 0)
  const column = <A extends NumberColumn>(name: ColumnName, into: A): A => {
    readColumn(from, name, into)
    from.decoded.columns.set(name, into)
    return into
  }
  const conversations = once(() => column('conversation', new Uint32Array(count)))
  const postings = createPostingsReader(from)
  const rows = once(() => readMemoryRows(from))
  return {
    count,
    postings,
    terms: once(() => column('terms', new Uint32Array(count))),
    times: once(() => column('at', new Float64Array(count))),
    dated: once(() => column('dated', new Uint8Array(count))),
    asks: once(() => column('asks', new Uint8Array(count))),
    traits: once(() => column('traits', new Uint8Array(count))),
    conversations,
    neighbours: once(() => createNeighbours(conversations(), unpackLinks(store.chunk(LINKS)))),
    passages: () => rows().passages,
    firstOf: (document) => rows().firstOf(document),
    idHeads: once(() => readIdHeads(from)),
    timeOf: createCellReader(from, 'at'),
    idOf: createByteCellReader(from, 'ids'),
    offsetOf: createCellReader(from, 'offset'),
    lengthOf: createCellReader(from, 'length')
  }
}

function once<V>(make: () => V): () => V {
  let made: { value: V } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

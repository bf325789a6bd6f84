import { type Decoded, openDecodedPart } from './decoded.ts'
import { createDocumentTable, type DocumentTable, ID_BYTES } from './document-table.ts'
import type { IndexStore, SegmentRow } from './index-store.ts'
import {
  BYTE_COLUMN_NAMES,
  BYTE_COLUMNS,
  type ByteColumnName,
  CHUNK_ROWS,
  COLUMN_NAMES,
  COLUMNS,
  type ColumnName,
  type NumberColumn
} from './number-column.ts'

/** A stored index: its store, its segments, and their decoded parts. */
export type StoredSegments = { store: IndexStore; segments: readonly SegmentRow[]; decoded: Decoded }

/** Reads a whole column of all segments into `into`. Decoded parts are not read again. */
export function readColumn<A extends NumberColumn>(
  { store, segments, decoded }: StoredSegments,
  name: ColumnName,
  into: A
): A {
  const known = decoded.columns.get(name)
  if (known !== undefined) into.set(known)
  for (const { segment, chunk, at, count } of listChunks(segments)) {
    if (at >= (known?.length ?? 0)) COLUMNS[name].unpack(store.chunk({ segment, name, chunk }), into, { at, count })
  }
  return into
}

function readByteColumn({ store, segments }: StoredSegments, name: ByteColumnName, into: Uint8Array): void {
  for (const { segment, chunk, at } of listChunks(segments)) {
    into.set(store.chunk({ segment, name, chunk }), at * BYTE_COLUMNS[name])
  }
}

/** Reads all columns of all segments. */
export function readDocumentTable(from: StoredSegments): DocumentTable {
  const { segments } = from
  const count = segments.reduce((sum, { documents }) => sum + documents, 0)
  const table = createDocumentTable(count)
  for (const name of COLUMN_NAMES) readColumn(from, name, table[name])
  for (const name of BYTE_COLUMN_NAMES) readByteColumn(from, name, table[name])
  table.count = count
  return table
}

/** Reads the first four bytes of every id, as numbers. */
export function readIdHeads({ store, segments, decoded }: StoredSegments): Uint32Array {
  const known = decoded.heads.length
  const heads = new Uint32Array(segments.reduce((sum, { documents }) => sum + documents, 0))
  heads.set(decoded.heads)
  decoded.heads = heads
  for (const { segment, chunk, at, count } of listChunks(segments)) {
    if (at < known) continue
    const ids = store.chunk({ segment, name: 'ids', chunk })
    const view = new DataView(ids.buffer, ids.byteOffset, ids.byteLength)
    for (let row = 0; row < count; row++) heads[at + row] = view.getUint32(row * ID_BYTES, true)
  }
  return heads
}

/** Yields the documents whose cell in a column is marked, ascending, with that cell. */
export function* findMarkedRows(
  { store, segments }: StoredSegments,
  name: ColumnName,
  marked: Uint8Array
): Generator<{ row: number; cell: number }> {
  const cells = new Uint32Array(CHUNK_ROWS)
  for (const { segment, chunk, at, count } of listChunks(segments)) {
    COLUMNS[name].unpack(store.chunk({ segment, name, chunk }), cells, { at: 0, count })
    for (let row = 0; row < count; row++) {
      const cell = cells[row] ?? 0
      if (marked[cell] === 1) yield { row: at + row, cell }
    }
  }
}

/** Creates a function that returns single cells of a column by document. Reads only their chunks, and caches them. */
export function createCellReader(
  { store, segments, decoded }: StoredSegments,
  name: ColumnName
): (document: number) => number {
  const chunks = listChunks(segments)
  return (document) => {
    const chunk = findChunk(chunks, document)
    if (chunk === undefined) return 0
    const { cells: known } = openDecodedPart(decoded, chunk.segment)
    const place = `${name} ${chunk.chunk}`
    const kept = known.get(place)
    if (kept !== undefined) return kept[document - chunk.at] ?? 0
    const cells = new Float64Array(chunk.count)
    COLUMNS[name].unpack(store.chunk({ ...chunk, name }), cells, { at: 0, count: chunk.count })
    known.set(place, cells)
    return cells[document - chunk.at] ?? 0
  }
}

/** Creates a function that returns single cells of a byte column, like `createCellReader`. */
export function createByteCellReader(
  { store, segments, decoded }: StoredSegments,
  name: ByteColumnName
): (document: number) => Uint8Array {
  const chunks = listChunks(segments)
  const width = BYTE_COLUMNS[name]
  return (document) => {
    const chunk = findChunk(chunks, document)
    if (chunk === undefined) return new Uint8Array(width)
    const { bytes: known } = openDecodedPart(decoded, chunk.segment)
    const place = `${name} ${chunk.chunk}`
    const cells = known.get(place) ?? store.chunk({ ...chunk, name })
    known.set(place, cells)
    return cells.subarray((document - chunk.at) * width, (document - chunk.at + 1) * width)
  }
}

/** A chunk of one segment: `count` rows, of which the first is document `at` of the index. */
type Chunk = { segment: number; chunk: number; at: number; count: number }

function listChunks(segments: readonly SegmentRow[]): Chunk[] {
  const chunks: Chunk[] = []
  let base = 0
  for (const { segment, documents } of segments) {
    for (let row = 0; row < documents; row += CHUNK_ROWS) {
      chunks.push({ segment, chunk: row / CHUNK_ROWS, at: base + row, count: Math.min(CHUNK_ROWS, documents - row) })
    }
    base += documents
  }
  return chunks
}

function findChunk(chunks: readonly Chunk[], document: number): Chunk | undefined {
  let low = 0
  let high = chunks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const { at, count } = chunks[middle] ?? { at: 0, count: 0 }
    if (at + count <= document) low = middle + 1
    else high = middle
  }
  return chunks[low]
}

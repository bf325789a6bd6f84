import { createByteCellReader, createCellReader, readTable, rowsMarked, type StoredSegments } from './column-reader.ts'
import { readConversations } from './conversation-numbers.ts'
import { createDecoded } from './decoded.ts'
import { addRow, createDocumentTable, type DocumentTable, growDocumentTable, ID_BYTES } from './document-table.ts'
import { type IndexStore, LINKS } from './index-store.ts'
import type { IndexWriter } from './index-writer.ts'
import { invertTerms } from './inverted-terms.ts'
import { type Links, packLinks, unpackLinks } from './neighbours.ts'
import { updateLinks } from './segment-links.ts'
import { readStream } from './segment-reader.ts'
import { writeSegment } from './segment-writer.ts'
import { orderTurns } from './turn-order.ts'

/**
 * Adds the documents that are not stored yet as a further segment, after the first `kept`: the others are joined with them.
 * Stored documents must all be alive.
 */
export function appendSegment({ store, segments, decoded }: StoredSegments, writer: IndexWriter, kept: number): void {
  const before = { store, segments: segments.slice(0, kept), decoded }
  const joined = { store, segments: segments.slice(kept), decoded: createDecoded() }
  const { vocabulary } = writer
  const table = joinedTable(joined, writer)
  const order = orderTurns(table, liveRows(table, writer.removed, writer.stored + writer.table.count - table.count))
  const links = unpackLinks(store.chunk(LINKS))
  linkAppended(links, before, { table, order })
  const streams = [...joined.segments.map((row) => readStream(store, row, vocabulary)), writer.collector.stream]
  store.transaction(() => {
    for (const { segment } of joined.segments) store.removeSegment(segment)
    writeSegment(store, {
      segment: 1 + Math.max(-1, ...segments.map(({ segment }) => segment)),
      table,
      order,
      vocabulary,
      inverted: invertTerms(streams, order, vocabulary.names.length),
      conversations: [...readConversations(joined.segments), ...writer.conversations.added]
    })
    store.setChunk(LINKS, packLinks(links))
  })
}

/**
 * Writes everything that is alive into `fresh`, an empty store, as one segment. What was removed is in none of its
 * bytes: postings, conversation names and ids are all written anew.
 */
export function rewriteSegments(from: StoredSegments, writer: IndexWriter, fresh: IndexStore): void {
  const { vocabulary } = writer
  const table = joinedTable(from, writer)
  const live = liveRows(table, writer.removed, 0)
  const names = [...readConversations(from.segments), ...writer.conversations.added]
  const conversations = renumberConversations(table, live, names)
  const order = orderTurns(table, live)
  const streams = [...from.segments.map((row) => readStream(from.store, row, vocabulary)), writer.collector.stream]
  fresh.transaction(() => {
    for (const { key, value } of from.store.metas()) fresh.setMeta(key, value)
    if (order.length === 0) return
    const inverted = invertTerms(streams, order, vocabulary.names.length)
    writeSegment(fresh, { segment: 0, table, order, vocabulary, inverted, conversations })
  })
}

/** The rows of these segments, and after them those that are not stored yet. */
function joinedTable(from: StoredSegments, writer: IndexWriter): DocumentTable {
  if (from.segments.length === 0) return writer.table
  const table = readTable(from)
  for (let row = 0; row < writer.table.count; row++) addRow(table, writer.table, row)
  return table
}

/** Rows of a table whose first is document `first`, less what was removed. */
function liveRows(table: DocumentTable, removed: ReadonlySet<number>, first: number): Uint32Array {
  const rows = new Uint32Array(table.count)
  let live = 0
  for (let row = 0; row < table.count; row++) if (!removed.has(first + row)) rows[live++] = row
  return rows.subarray(0, live)
}

/** Brings links up to date with rows that come, in this order, after the segments `before`. */
function linkAppended(
  links: Links,
  before: StoredSegments,
  { table, order }: { table: DocumentTable; order: Uint32Array }
): void {
  const starts: number[] = []
  let base = 0
  for (const { documents } of before.segments) {
    starts.push(base)
    base += documents
  }
  starts.push(base)
  for (const document of [...links.keys()]) if (document >= base) links.delete(document)
  const touched = createDocumentTable()
  const numbers: number[] = []
  for (const document of storedTurns(before, conversationsOf(table, order), touched)) numbers.push(document)
  order.forEach((row, place) => {
    if (table.conversation[row] === 0) return
    addRow(touched, table, row)
    numbers.push(base + place)
  })
  updateLinks(links, { table: touched, numbers: Uint32Array.from(numbers), starts })
}

/** By number of a conversation: 1 where one of the rows belongs to it. */
function conversationsOf(table: DocumentTable, rows: Uint32Array): Uint8Array {
  const marked = new Uint8Array(1 + rows.reduce((most, row) => Math.max(most, table.conversation[row] ?? 0), 0))
  for (const row of rows) marked[table.conversation[row] ?? 0] = 1
  marked[0] = 0
  return marked
}

/** Puts the stored turns of marked conversations into a table, as far as their order needs it, and gives their numbers. */
function* storedTurns(from: StoredSegments, marked: Uint8Array, into: DocumentTable): Generator<number> {
  const at = createCellReader(from, 'at')
  const position = createCellReader(from, 'position')
  const idOf = createByteCellReader(from, 'ids')
  for (const { row, cell } of rowsMarked(from, 'conversation', marked)) {
    const to = into.count++
    growDocumentTable(into, into.count)
    into.ids.set(idOf(row), to * ID_BYTES)
    into.at[to] = at(row)
    into.position[to] = position(row)
    into.conversation[to] = cell
    yield row
  }
}

/** Numbers conversations by first appearance among the rows, and gives the names of those that remain. */
function renumberConversations(table: DocumentTable, rows: Uint32Array, names: readonly string[]): string[] {
  const numbers = new Uint32Array(names.length + 1)
  const remaining: string[] = []
  for (const row of rows) {
    const old = table.conversation[row] ?? 0
    if (old === 0) continue
    if (numbers[old] === 0) numbers[old] = remaining.push(names[old - 1] ?? '')
    table.conversation[row] = numbers[old] ?? 0
  }
  return remaining
}

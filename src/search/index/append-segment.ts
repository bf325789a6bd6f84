import { createByteWriter, packTexts, unpackTexts } from './byte-writer.ts'
import { readConversations } from './conversation-numbers.ts'
import { createDecoded } from './decoded.ts'
import {
  addRow,
  compareTurns,
  createDocumentTable,
  type DocumentTable,
  growDocumentTable,
  ID_BYTES
} from './document-table.ts'
import { type IndexStore, LINKS, locateLongTurns, type SegmentRow } from './index-store.ts'
import type { IndexWriter } from './index-writer.ts'
import { countMemories, packLongTurns } from './memory-rows.ts'
import { type Links, packLinks, unpackLinks } from './neighbours.ts'
import { BYTE_COLUMN_NAMES, CHUNK_ROWS, COLUMN_NAMES, packByteColumn, packColumn } from './number-column.ts'
import { readEntries, writeEntry, writePostings } from './postings.ts'
import {
  createByteCellReader,
  createCellReader,
  findMarkedRows,
  readDocumentTable,
  type StoredSegments
} from './read-column.ts'
import { type InvertedTerms, invertTerms, numberTerm, type TermStream, type Vocabulary } from './term-collector.ts'

/**
 * Adds the documents that are not stored yet as a further segment, after the first `kept`; the other segments are
 * merged into it. No stored document may have been removed.
 */
export function appendSegment({ store, segments, decoded }: StoredSegments, writer: IndexWriter, kept: number): void {
  const before = { store, segments: segments.slice(0, kept), decoded }
  const joined = { store, segments: segments.slice(kept), decoded: createDecoded() }
  const { vocabulary } = writer
  const table = joinTables(joined, writer)
  const order = orderTurns(table, listLiveRows(table, writer.removed, writer.stored + writer.table.count - table.count))
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
 * Writes all live documents into `fresh`, an empty store, as one segment. Postings, conversation names and ids are all
 * rewritten, so that no byte of a removed document remains.
 */
export function rewriteSegments(from: StoredSegments, writer: IndexWriter, fresh: IndexStore): void {
  const { vocabulary } = writer
  const table = joinTables(from, writer)
  const live = listLiveRows(table, writer.removed, 0)
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

/** Joins the rows of these segments and those that are not stored yet. */
function joinTables(from: StoredSegments, writer: IndexWriter): DocumentTable {
  if (from.segments.length === 0) return writer.table
  const table = readDocumentTable(from)
  for (let row = 0; row < writer.table.count; row++) addRow(table, writer.table, row)
  return table
}

/** Lists the rows of a table without the removed ones; `first` is the number of the first row's document. */
function listLiveRows(table: DocumentTable, removed: ReadonlySet<number>, first: number): Uint32Array {
  const rows = new Uint32Array(table.count)
  let live = 0
  for (let row = 0; row < table.count; row++) if (!removed.has(first + row)) rows[live++] = row
  return rows.subarray(0, live)
}

/** Updates links for rows that follow the segments `before`, in this order. */
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
  for (const document of readStoredTurns(before, markConversations(table, order), touched)) numbers.push(document)
  order.forEach((row, place) => {
    if (table.conversation[row] === 0) return
    addRow(touched, table, row)
    numbers.push(base + place)
  })
  updateLinks(links, { table: touched, numbers: Uint32Array.from(numbers), starts })
}

/** Marks the conversations of the rows with 1, by conversation number. */
function markConversations(table: DocumentTable, rows: Uint32Array): Uint8Array {
  const marked = new Uint8Array(1 + rows.reduce((most, row) => Math.max(most, table.conversation[row] ?? 0), 0))
  for (const row of rows) marked[table.conversation[row] ?? 0] = 1
  marked[0] = 0
  return marked
}

/**
 * Copies the stored turns of marked conversations into a table, as far as their order requires, and yields their
 * numbers.
 */
function* readStoredTurns(from: StoredSegments, marked: Uint8Array, into: DocumentTable): Generator<number> {
  const at = createCellReader(from, 'at')
  const position = createCellReader(from, 'position')
  const idOf = createByteCellReader(from, 'ids')
  for (const { row, cell } of findMarkedRows(from, 'conversation', marked)) {
    const to = into.count++
    growDocumentTable(into, into.count)
    into.ids.set(idOf(row), to * ID_BYTES)
    into.at[to] = at(row)
    into.position[to] = position(row)
    into.conversation[to] = cell
    yield row
  }
}

/** Renumbers conversations by first appearance among the rows, and returns the remaining names. */
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

type NewSegment = {
  segment: number
  table: DocumentTable
  /** Rows of the table in the order of their numbers in the segment. */
  order: Uint32Array
  vocabulary: Vocabulary
  inverted: InvertedTerms
  conversations: readonly string[]
}

/** Writes a segment: its columns, its posting blocks and their directory. */
function writeSegment(store: IndexStore, segment: NewSegment): void {
  writeColumns(store, segment)
  const { table, order } = segment
  const memories = countMemories(table, order)
  if (memories < order.length) store.setChunk(locateLongTurns(segment.segment), packLongTurns(table, order))
  store.addSegment({
    segment: segment.segment,
    documents: order.length,
    memories,
    directory: packTexts(writeBlocks(store, segment)),
    conversations: packTexts(segment.conversations)
  })
}

function writeColumns(store: IndexStore, { segment, table, order }: NewSegment): void {
  for (let row = 0; row < order.length; row += CHUNK_ROWS) {
    const chunk = row / CHUNK_ROWS
    const rows = order.subarray(row, row + CHUNK_ROWS)
    for (const name of COLUMN_NAMES) store.setChunk({ segment, name, chunk }, packColumn(table, name, rows))
    for (const name of BYTE_COLUMN_NAMES) store.setChunk({ segment, name, chunk }, packByteColumn(table, name, rows))
  }
}

/** Target size of a block in bytes. Two blocks fill a page; a search reads one for each of its terms. */
const BLOCK_BYTES = 1900

/** Writes the blocks of all terms in order and returns the first term of each. */
function writeBlocks(store: IndexStore, segment: NewSegment): string[] {
  const { inverted, vocabulary } = segment
  const firsts: string[] = []
  const block = createByteWriter(4 * BLOCK_BYTES)
  const list = createByteWriter()
  let before = NOTHING
  const close = (): void => {
    if (block.length > 0) store.addBlock(segment.segment, firsts.length - 1, block.view())
    block.clear()
    before = NOTHING
  }
  for (const name of [...vocabulary.names].sort()) {
    const term = vocabulary.numbers.get(name) ?? 0
    const from = inverted.starts[term] ?? 0
    const to = inverted.starts[term + 1] ?? 0
    if (from === to) continue
    list.clear()
    writePostings(list, inverted.documents.subarray(from, to), inverted.counts.subarray(from, to))
    if (block.length + list.length > BLOCK_BYTES) close()
    if (block.length === 0) firsts.push(name)
    const bytes = Buffer.from(name, 'utf8')
    writeEntry(block, { name: bytes, before, list: list.view(), documents: to - from })
    before = bytes
  }
  close()
  return firsts
}

const NOTHING: Uint8Array = new Uint8Array(0)

/** Reads a segment's postings back into the terms of each document. */
function readStream(store: IndexStore, row: SegmentRow, vocabulary: Vocabulary): TermStream {
  const lists = readLists(store, row, vocabulary)
  const starts = new Uint32Array(row.documents + 1)
  for (const { documents } of lists)
    for (const document of documents) starts[document + 1] = (starts[document + 1] ?? 0) + 1
  for (let document = 0; document < row.documents; document++) {
    starts[document + 1] = (starts[document + 1] ?? 0) + (starts[document] ?? 0)
  }
  const entries = starts[row.documents] ?? 0
  const stream = { documents: row.documents, starts, terms: new Uint32Array(entries), counts: new Uint8Array(entries) }
  const next = starts.slice()
  for (const { term, documents, counts } of lists) {
    for (let entry = 0; entry < documents.length; entry++) {
      const document = documents[entry] ?? 0
      const into = next[document] ?? 0
      next[document] = into + 1
      stream.terms[into] = term
      stream.counts[into] = counts[entry] ?? 0
    }
  }
  return stream
}

type NumberedList = { term: number; documents: Uint32Array; counts: Uint8Array }

function readLists(store: IndexStore, row: SegmentRow, vocabulary: Vocabulary): NumberedList[] {
  const lists: NumberedList[] = []
  const blocks = unpackTexts(row.directory).length
  for (let block = 0; block < blocks; block++) {
    for (const { name, documents, counts } of readEntries(store.block(row.segment, block))) {
      lists.push({ term: numberTerm(vocabulary, Buffer.from(name).toString('utf8')), documents, counts })
    }
  }
  return lists
}

/**
 * Orders the rows of a segment by number: conversation by conversation, with the turns in order, so that neighbours
 * have adjacent numbers. Rows without a conversation keep their order.
 */
function orderTurns(table: DocumentTable, rows: Uint32Array): Uint32Array {
  const order = groupByConversation(table, rows)
  for (let start = 0; start < order.length; ) {
    const conversation = table.conversation[order[start] ?? 0] ?? 0
    let end = start + 1
    let sorted = true
    while (end < order.length && (table.conversation[order[end] ?? 0] ?? 0) === conversation) {
      sorted &&= compareTurns(table, order[end - 1] ?? 0, order[end] ?? 0) <= 0
      end++
    }
    if (!sorted && conversation !== 0)
      order.subarray(start, end).sort((left, right) => compareTurns(table, left, right))
    start = end
  }
  return order
}

function groupByConversation(table: DocumentTable, rows: Uint32Array): Uint32Array {
  let conversations = 0
  for (const row of rows) conversations = Math.max(conversations, table.conversation[row] ?? 0)
  const next = new Uint32Array(conversations + 2)
  for (const row of rows) {
    const after = (table.conversation[row] ?? 0) + 1
    next[after] = (next[after] ?? 0) + 1
  }
  for (let at = 1; at < next.length; at++) next[at] = (next[at] ?? 0) + (next[at - 1] ?? 0)
  const order = new Uint32Array(rows.length)
  for (const row of rows) {
    const conversation = table.conversation[row] ?? 0
    const place = next[conversation] ?? 0
    order[place] = row
    next[conversation] = place + 1
  }
  return order
}

/** A segment to be written after others, with every row of its conversations, in it and before it. */
type AppendedRows = {
  table: DocumentTable
  /** By row: the current or future number of the document. */
  numbers: Uint32Array
  /** First document numbers of all segments. */
  starts: readonly number[]
}

/** Updates links for a segment that is written after others; turns may fall between those of old segments. */
function updateLinks(links: Links, { table, numbers, starts }: AppendedRows): void {
  const first = new Set(starts)
  const rows = Uint32Array.from({ length: table.count }, (_, row) => row)
  const turns = orderTurns(table, rows)
  for (let at = 0; at < turns.length; at++) {
    const row = turns[at] ?? 0
    if (table.conversation[row] === 0) continue
    const follower = turns[at + 1]
    const follows = follower !== undefined && table.conversation[follower] === table.conversation[row]
    const after = follows ? (numbers[follower] ?? 0) : -1
    const number = numbers[row] ?? 0
    if (after === number + 1 && !first.has(after)) links.delete(number)
    else links.set(number, after)
  }
}

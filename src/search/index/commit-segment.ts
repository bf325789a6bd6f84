import type { StoredSegments } from './column-reader.ts'
import { type IndexStore, LINKS, type SegmentRow } from './index-store.ts'
import type { IndexWriter } from './index-writer.ts'
import { invertTerms } from './inverted-terms.ts'
import { packLinks, unpackLinks } from './neighbours.ts'
import { updateLinks } from './segment-links.ts'
import { readStream } from './segment-reader.ts'
import { writeSegment } from './segment-writer.ts'
import { orderTurns } from './turn-order.ts'

/** Adds the documents that are not stored yet as a further segment. Stored ones must all be alive. */
export function appendSegment({ store, segments }: StoredSegments, writer: IndexWriter): void {
  const { table, stored, vocabulary } = writer
  const order = orderTurns(table, liveRows(writer, stored))
  const segment = 1 + Math.max(-1, ...segments.map((row) => row.segment))
  const links = unpackLinks(store.chunk(LINKS))
  updateLinks(links, { table, order, stored, starts: [...segmentStarts(segments), stored] })
  const pending = order.map((row) => row - stored)
  store.transaction(() => {
    writeSegment(store, {
      segment,
      table,
      order,
      vocabulary,
      inverted: invertTerms([writer.collector.stream], pending, vocabulary.names.length),
      conversations: [...writer.conversations.keys()].slice(writer.storedConversations)
    })
    store.setChunk(LINKS, packLinks(links))
  })
}

/**
 * Writes everything that is alive into `fresh`, an empty store, as one segment. What was removed is in none of its
 * bytes: postings, conversation names and ids are all written anew.
 */
export function rewriteSegments(from: StoredSegments, writer: IndexWriter, fresh: IndexStore): void {
  const { table, vocabulary } = writer
  const live = liveRows(writer, 0)
  const conversations = renumberConversations(writer, live)
  const order = orderTurns(table, live)
  const streams = [...from.segments.map((row) => readStream(from.store, row, vocabulary)), writer.collector.stream]
  fresh.transaction(() => {
    for (const { key, value } of from.store.metas()) fresh.setMeta(key, value)
    if (order.length === 0) return
    const inverted = invertTerms(streams, order, vocabulary.names.length)
    writeSegment(fresh, { segment: 0, table, order, vocabulary, inverted, conversations })
  })
}

function liveRows(writer: IndexWriter, from: number): Uint32Array {
  const rows = new Uint32Array(writer.table.count - from)
  let live = 0
  for (let row = from; row < writer.table.count; row++) if (!writer.removed.has(row)) rows[live++] = row
  return rows.subarray(0, live)
}

function segmentStarts(segments: readonly SegmentRow[]): number[] {
  let start = 0
  return segments.map(({ documents }) => {
    start += documents
    return start - documents
  })
}

/** Numbers conversations by first appearance among the rows, and gives the names of those that remain. */
function renumberConversations(writer: IndexWriter, rows: Uint32Array): string[] {
  const { table } = writer
  const names = [...writer.conversations.keys()]
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

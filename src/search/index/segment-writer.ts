import { createByteWriter } from './byte-writer.ts'
import { BYTE_COLUMN_NAMES, CHUNK_ROWS, COLUMN_NAMES, packByteColumn, packColumn } from './document-columns.ts'
import type { DocumentTable } from './document-table.ts'
import { type IndexStore, longTurnsPlace } from './index-store.ts'
import type { InvertedTerms } from './inverted-terms.ts'
import { countMemories, packLongTurns } from './memory-rows.ts'
import { writeEntry, writeList } from './posting-block.ts'
import type { Vocabulary } from './term-collector.ts'
import { packTexts } from './text-list.ts'

export type NewSegment = {
  segment: number
  table: DocumentTable
  /** Rows of the table in the order of their numbers in the segment. */
  order: Uint32Array
  vocabulary: Vocabulary
  inverted: InvertedTerms
  conversations: readonly string[]
}

/** Writes a segment: its columns, its posting blocks and their directory. */
export function writeSegment(store: IndexStore, segment: NewSegment): void {
  writeColumns(store, segment)
  const { table, order } = segment
  const memories = countMemories(table, order)
  if (memories < order.length) store.setChunk(longTurnsPlace(segment.segment), packLongTurns(table, order))
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

/** Bytes at which a block is full. Two such blocks fill a page; a search reads one for each of its terms. */
const BLOCK_BYTES = 1900

/** Writes the blocks of all terms in order and gives the first term of each. */
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
    writeList(list, inverted.documents.subarray(from, to), inverted.counts.subarray(from, to))
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

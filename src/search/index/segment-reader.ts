import type { IndexStore, SegmentRow } from './index-store.ts'
import { entriesOfBlock } from './posting-block.ts'
import { numberOfTerm, type TermStream, type Vocabulary } from './term-collector.ts'
import { unpackTexts } from './text-list.ts'

/** A segment's postings turned back into the terms of each document. */
export function readStream(store: IndexStore, row: SegmentRow, vocabulary: Vocabulary): TermStream {
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
    for (const { name, documents, counts } of entriesOfBlock(store.block(row.segment, block))) {
      lists.push({ term: numberOfTerm(vocabulary, Buffer.from(name).toString('utf8')), documents, counts })
    }
  }
  return lists
}

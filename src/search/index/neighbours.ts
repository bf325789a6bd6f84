import { readNumber, readSigned } from './byte-reader.ts'
import { createByteWriter } from './byte-writer.ts'

/** Documents before and after each in its conversation, by number; -1 where there is none. */
export type Neighbours = { next: Int32Array; previous: Int32Array }

/** What follows a document in its conversation where that is not what the numbering says; -1 for the last. */
export type Links = Map<number, number>

/** The numbering says: within a segment, the next number follows if it is of the same conversation. */
export function neighboursOf(conversation: Uint32Array, segments: readonly number[], links: Links): Neighbours {
  const next = new Int32Array(conversation.length).fill(-1)
  const previous = new Int32Array(conversation.length).fill(-1)
  let start = 0
  for (const documents of segments) {
    for (let document = start; document < start + documents - 1; document++) {
      const here = conversation[document] ?? 0
      if (here !== 0 && conversation[document + 1] === here) next[document] = document + 1
    }
    start += documents
  }
  for (const [document, after] of links) next[document] = after
  for (let document = 0; document < next.length; document++) {
    const after = next[document] ?? -1
    if (after >= 0) previous[after] = document
  }
  return { next, previous }
}

export function packLinks(links: Links): Uint8Array {
  const writer = createByteWriter()
  let before = 0
  for (const [document, after] of [...links].sort(([left], [right]) => left - right)) {
    writer.number(document - before)
    writer.signed(after - document)
    before = document
  }
  return writer.view()
}

export function unpackLinks(bytes: Uint8Array): Links {
  const reader = { bytes, at: 0 }
  const links: Links = new Map()
  let document = 0
  while (reader.at < bytes.length) {
    document += readNumber(reader)
    links.set(document, document + readSigned(reader))
  }
  return links
}

import { readNumber, readSigned } from './byte-reader.ts'
import { createByteWriter } from './byte-writer.ts'

/** The documents after and before each in its conversation, by number; -1 where there is none. */
export type Neighbours = { after: Int32Array; before: Int32Array }

/** What follows a document in its conversation where that is not what the numbering says; -1 for the last. */
export type Links = Map<number, number>

/**
 * The numbering says: the next number follows, if it is of the same conversation. Links tell where turns of one
 * conversation lie in several segments, which have each their own range of numbers.
 */
export function createNeighbours(conversation: Uint32Array, links: Links): Neighbours {
  const after = new Int32Array(conversation.length)
  const before = new Int32Array(conversation.length)
  let left = 0
  for (let document = 0; document < conversation.length; document++) {
    const here = conversation[document] ?? 0
    const follows = here !== 0 && here === left
    before[document] = follows ? document - 1 : -1
    after[document] = -1
    if (follows) after[document - 1] = document
    left = here
  }
  for (const document of links.keys()) {
    if (after[document] === document + 1) before[document + 1] = -1
    after[document] = -1
  }
  for (const [document, next] of links) {
    after[document] = next
    if (next >= 0) before[next] = document
  }
  return { after, before }
}

/** Links as bytes, by document. */
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

/** Links from bytes. */
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

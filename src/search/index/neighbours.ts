import { createByteWriter, readNumber, readSigned } from './byte-writer.ts'

/**
 * The previous and next turn of each document. Most turns of a conversation have consecutive numbers, so one byte
 * describes the neighbourhood of a document; the few neighbours in other segments are looked up.
 */
export type Neighbours = {
  /** By document: see `countTurnsBefore`, `countTurnsAfter` and `LINKED`. 0 means no neighbours. */
  reach: Uint8Array
  /** -1 if there is none. */
  before(document: number): number
  after(document: number): number
}

/** Set if a neighbour, or its neighbour, does not have the consecutive number. */
export const LINKED = 16

/** Returns how many of the two turns before have consecutive numbers, from a document's reach byte. */
export function countTurnsBefore(reach: number): number {
  return reach & 3
}

/** Returns how many of the two turns after have consecutive numbers. */
export function countTurnsAfter(reach: number): number {
  return (reach >> 2) & 3
}

/** The next turn of a document where it is not the consecutive number; -1 for the last. */
export type Links = Map<number, number>

/**
 * Creates neighbours. By default, the next number follows if it is of the same conversation. Links describe
 * conversations whose turns are in several segments, which have separate number ranges.
 */
export function createNeighbours(conversation: Uint32Array, links: Links): Neighbours {
  const follows = new Uint8Array(conversation.length + 2)
  for (let document = 1; document < conversation.length; document++) {
    const here = conversation[document] ?? 0
    if (here !== 0 && here === conversation[document - 1]) follows[document] = 1
  }
  const far = takeFarLinks(follows, links)
  const reach = computeReach(follows, conversation.length)
  const before = (document: number): number => {
    const around = reach[document] ?? 0
    if (countTurnsBefore(around) > 0) return document - 1
    return (around & LINKED) === 0 ? -1 : (far.before.get(document) ?? -1)
  }
  const after = (document: number): number => {
    const around = reach[document] ?? 0
    if (countTurnsAfter(around) > 0) return document + 1
    return (around & LINKED) === 0 ? -1 : (far.after.get(document) ?? -1)
  }
  const mark = (document: number): void => {
    if (document >= 0) reach[document] = (reach[document] ?? 0) | LINKED
  }
  for (const [document, next] of far.after) for (const one of [document, next]) mark(one)
  for (const [document, next] of far.after) for (const one of [before(document), after(next)]) mark(one)
  return { reach, before, after }
}

/** Removes from `follows` what links contradict, and returns the links that lead elsewhere. */
function takeFarLinks(follows: Uint8Array, links: Links): { after: Links; before: Links } {
  const far = { after: new Map<number, number>(), before: new Map<number, number>() }
  for (const document of links.keys()) follows[document + 1] = 0
  for (const [document, next] of links) {
    if (next === document + 1) follows[next] = 1
    else if (next >= 0) {
      far.after.set(document, next)
      far.before.set(next, document)
    }
  }
  return far
}

function computeReach(follows: Uint8Array, count: number): Uint8Array {
  const reach = new Uint8Array(count)
  for (let document = 0; document < count; document++) {
    const before = follows[document] === 0 ? 0 : 1 + (follows[document - 1] ?? 0)
    const after = follows[document + 1] === 0 ? 0 : 1 + (follows[document + 2] ?? 0)
    reach[document] = before | (after << 2)
  }
  return reach
}

/** Packs links by document. */
export function packLinks(links: Links): Uint8Array {
  const writer = createByteWriter()
  let before = 0
  for (const [document, after] of [...links].sort(([left], [right]) => left - right)) {
    writer.writeNumber(document - before)
    writer.writeSigned(after - document)
    before = document
  }
  return writer.view()
}

/** Unpacks links. */
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

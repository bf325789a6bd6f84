import { type ByteReader, type ByteWriter, readNumber } from './byte-writer.ts'

/**
 * The posting list of a term. A block contains terms in order, each with its list: number of bytes shared with the
 * previous term, number and content of its other bytes, document count, and list length. A list has the differences
 * between document numbers, doubled, and odd if a count other than 1 follows.
 */
export type Postings = {
  documents: Uint32Array
  counts: Uint8Array
  /** The highest count. */
  most: number
}

export type BlockEntry = { name: Uint8Array; before: Uint8Array; list: Uint8Array; documents: number }

/** Writes a term with its list to a block. `before` is the previous term, empty for the first. */
export function writeEntry(writer: ByteWriter, entry: BlockEntry): void {
  const shared = countSharedBytes(entry.before, entry.name)
  writer.writeNumber(shared)
  writer.writeNumber(entry.name.length - shared)
  writer.bytes(entry.name.subarray(shared))
  writer.writeNumber(entry.documents)
  writer.writeNumber(entry.list.length)
  writer.bytes(entry.list)
}

/** Writes the posting list of ascending documents. */
export function writePostings(writer: ByteWriter, documents: Uint32Array, counts: Uint8Array): void {
  let before = -1
  for (let entry = 0; entry < documents.length; entry++) {
    const document = documents[entry] ?? 0
    const count = counts[entry] ?? 1
    writer.writeNumber((document - before - 1) * 2 + (count === 1 ? 0 : 1))
    if (count !== 1) writer.writeNumber(count)
    before = document
  }
}

/**
 * Returns the posting list of a term in its block, with documents counted from `base`; undefined if the block lacks the
 * term.
 */
export function findInBlock(block: Uint8Array, term: Uint8Array, base: number): Postings | undefined {
  const reader: ByteReader = { bytes: block, at: 0 }
  let matched = 0
  while (reader.at < block.length) {
    const shared = readNumber(reader)
    const own = readNumber(reader)
    if (shared <= matched) matched = shared + countSameBytes(reader, own, term.subarray(shared))
    reader.at += own
    const documents = readNumber(reader)
    const length = readNumber(reader)
    if (matched === term.length && shared + own === term.length) return readList(reader, documents, base)
    reader.at += length
  }
  return undefined
}

/** Yields every term of a block with its list, in order. The name is a view that the next step overwrites. */
export function* readEntries(block: Uint8Array): Generator<{ name: Uint8Array } & Postings> {
  const reader: ByteReader = { bytes: block, at: 0 }
  const name = new Uint8Array(NAME_BYTES_MAX)
  while (reader.at < block.length) {
    const shared = readNumber(reader)
    const own = readNumber(reader)
    name.set(block.subarray(reader.at, reader.at + own), shared)
    reader.at += own
    const documents = readNumber(reader)
    readNumber(reader)
    yield { name: name.subarray(0, shared + own), ...readList(reader, documents, 0) }
  }
}

/** Four bytes for each of the 64 code points of a term, and its prefix. */
const NAME_BYTES_MAX = 4 * 64 + 16

function readList(reader: ByteReader, size: number, base: number): Postings {
  const documents = new Uint32Array(size)
  const counts = new Uint8Array(size)
  let document = base - 1
  let most = size > 0 ? 1 : 0
  for (let entry = 0; entry < size; entry++) {
    const step = readNumber(reader)
    document += 1 + (step >>> 1)
    const count = (step & 1) === 0 ? 1 : readNumber(reader)
    if (count > most) most = count
    documents[entry] = document
    counts[entry] = count
  }
  return { documents, counts, most }
}

function countSharedBytes(left: Uint8Array, right: Uint8Array): number {
  const limit = Math.min(left.length, right.length)
  let shared = 0
  while (shared < limit && left[shared] === right[shared]) shared++
  return shared
}

/** Returns how many of the next `size` bytes equal the beginning of `wanted`. */
function countSameBytes(reader: ByteReader, size: number, wanted: Uint8Array): number {
  const limit = Math.min(size, wanted.length)
  let same = 0
  while (same < limit && reader.bytes[reader.at + same] === wanted[same]) same++
  return same
}

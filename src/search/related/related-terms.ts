import type { Assets } from '../../ports.ts'
import { LAYOUT, type RelatedTerm, type TermRelations } from './related-terms-layout.ts'

/** Words with the same or a similar meaning, by term of the analyser. */
export type RelatedTerms = {
  /**
   * Returns the relations of a term; both lists are empty for an unknown one. Takes about 10 µs; results are not
   * cached.
   */
  of(term: string): TermRelations
}

/**
 * Reads related terms directly from the bytes of their file (see `related-terms-layout.ts`), which are not copied.
 * Throws an `Error` if the bytes are not such a file or are truncated. A flipped bit may give wrong related terms, but
 * does no other harm.
 */
export function createRelatedTerms(bytes: Uint8Array): RelatedTerms {
  const file = openFile(bytes)
  return {
    of(term) {
      const found = findTerm(file, term)
      return found === undefined ? NOTHING : readRelations(file, found)
    }
  }
}

/** Opens the related terms that come with the program, once, at first use. */
export function openRelatedTerms(assets: Assets): RelatedTerms {
  opened ??= createRelatedTerms(assets.relatedTerms())
  return opened
}

let opened: RelatedTerms | undefined

const NOTHING: TermRelations = { forms: [], related: [] }

type RelatedFile = { bytes: Uint8Array; view: DataView; terms: number; blocks: number }

function openFile(bytes: Uint8Array): RelatedFile {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < LAYOUT.HEADER_BYTES || view.getUint32(0, true) !== LAYOUT.MAGIC) {
    throw new Error('not a file of related terms: expected it to start with the magic number of the format')
  }
  const version = view.getUint32(4, true)
  if (version !== LAYOUT.VERSION)
    throw new Error(`unsupported version ${version} of the file of related terms: expected ${LAYOUT.VERSION}`)
  const terms = view.getUint32(12, true)
  const blocks = Math.ceil(terms / LAYOUT.BLOCK_TERMS)
  if (view.getUint32(8, true) !== bytes.length || LAYOUT.HEADER_BYTES + 4 * blocks > bytes.length) {
    throw new Error(`the file of related terms is truncated: received ${bytes.length} bytes`)
  }
  return { bytes, view, terms, blocks }
}

/**
 * The read position in the file, and the characters of the last term read. Beyond the end of the file, all bytes read
 * as 0.
 */
type Cursor = { at: number; characters: Uint8Array; length: number }

/** Returns a cursor after the term, at its relations; undefined if the file lacks the term. */
function findTerm(file: RelatedFile, term: string): Cursor | undefined {
  if (file.blocks === 0 || term.length > LAYOUT.TERM_CHARACTERS_MAX) return undefined
  const cursor = createCursor()
  let low = 0
  let high = file.blocks - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    enterBlock(file, cursor, middle)
    if (readTerm(file, cursor, term) <= 0) low = middle
    else high = middle - 1
  }
  enterBlock(file, cursor, low)
  const count = Math.min(LAYOUT.BLOCK_TERMS, file.terms - low * LAYOUT.BLOCK_TERMS)
  for (let nth = 0; nth < count; nth++) {
    const order = readTerm(file, cursor, term)
    if (order >= 0) return order === 0 ? cursor : undefined
    skipRelations(file, cursor)
  }
  return undefined
}

function createCursor(): Cursor {
  return { at: 0, characters: new Uint8Array(2 * LAYOUT.TERM_CHARACTERS_MAX), length: 0 }
}

function enterBlock(file: RelatedFile, cursor: Cursor, block: number): void {
  cursor.at = file.view.getUint32(LAYOUT.HEADER_BYTES + 4 * block, true)
  cursor.length = 0
}

/**
 * Moves the cursor from the start of a record past its term. Returns a negative number if that sorts before `other`, a
 * positive one if after.
 */
function readTerm(file: RelatedFile, cursor: Cursor, other = ''): number {
  const { characters } = cursor
  const shared = readByte(file, cursor.at++)
  const length = shared + readByte(file, cursor.at++)
  for (let nth = shared; nth < length; nth++) characters[nth] = readByte(file, cursor.at++)
  cursor.length = length
  for (let nth = 0; nth < length && nth < other.length; nth++) {
    const difference = (characters[nth] ?? 0) - other.charCodeAt(nth)
    if (difference !== 0) return difference
  }
  return length - other.length
}

function readByte(file: RelatedFile, at: number): number {
  return file.bytes[at] ?? 0
}

/** Moves the cursor past a term's relations. */
function skipRelations(file: RelatedFile, cursor: Cursor): void {
  let entries = 0
  for (let kinds = readByte(file, cursor.at++); kinds > 0; kinds >>= 1) {
    if ((kinds & 1) === 1) entries += readByte(file, cursor.at++)
  }
  cursor.at += 2 * entries
}

function readRelations(file: RelatedFile, cursor: Cursor): TermRelations {
  const forms: RelatedTerm[] = []
  const related: RelatedTerm[] = []
  const kinds = readByte(file, cursor.at++)
  const counts = Array.from({ length: LAYOUT.KINDS }, (_, kind) =>
    (kinds >> kind) & 1 ? readByte(file, cursor.at++) : 0
  )
  for (const [kind, count] of counts.entries()) {
    const weight = (LAYOUT.WEIGHTS - (kind % LAYOUT.WEIGHTS)) / LAYOUT.WEIGHTS
    for (let nth = 0; nth < count; nth++, cursor.at += 2) {
      const number = readByte(file, cursor.at) | (readByte(file, cursor.at + 1) << 8)
      if (number < file.terms)
        (kind < LAYOUT.WEIGHTS ? forms : related).push({ term: readTermAt(file, number), weight })
    }
  }
  return { forms, related }
}

function readTermAt(file: RelatedFile, number: number): string {
  const cursor = createCursor()
  enterBlock(file, cursor, Math.floor(number / LAYOUT.BLOCK_TERMS))
  for (let left = number % LAYOUT.BLOCK_TERMS; left > 0; left--) {
    readTerm(file, cursor)
    skipRelations(file, cursor)
  }
  readTerm(file, cursor)
  return String.fromCharCode(...cursor.characters.subarray(0, cursor.length))
}

import type { Assets } from '../../ports.ts'
import { LAYOUT, type RelatedTerm, type TermRelations } from './related-terms-layout.ts'

/** Words that say the same or nearly so, by term of the analyser. */
export type RelatedTerms = {
  /** Takes about 10 µs; nothing is kept. Both lists are empty where the term is not known. */
  of(term: string): TermRelations
}

/**
 * Reads related terms straight out of the bytes of their file (see `related-terms-layout.ts`), which it keeps and does not
 * copy. Throws an `Error` where they are not such a file or have been cut; a bit that has turned may make an answer
 * wrong, and does no other harm.
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

/** The related terms that come with the program, opened at first use and once. */
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
    throw new Error('these are not the bytes of related terms')
  }
  const version = view.getUint32(4, true)
  if (version !== LAYOUT.VERSION) throw new Error(`related terms of version ${version}, expected ${LAYOUT.VERSION}`)
  const terms = view.getUint32(12, true)
  const blocks = Math.ceil(terms / LAYOUT.BLOCK_TERMS)
  if (view.getUint32(8, true) !== bytes.length || LAYOUT.HEADER_BYTES + 4 * blocks > bytes.length) {
    throw new Error(`related terms are cut short: ${bytes.length} bytes`)
  }
  return { bytes, view, terms, blocks }
}

/** Where in the file reading stands, and the characters of the term read last. Beyond the end of the file all is zero. */
type Cursor = { at: number; characters: Uint8Array; length: number }

/** A cursor behind the term, on what is said of it; undefined where it is not in the file. */
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

/** Takes the cursor from the beginning of a record to behind its term; below 0 where that stands before `other`, above 0 after it. */
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

/** Takes the cursor behind what is said of a term. */
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

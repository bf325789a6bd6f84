import type { EventRecord, FactRecord } from '../../contract/snapshot.ts'
import { isJudgement } from '../../memory/clauses/clause.ts'
import { analyse } from '../analyse/analyse.ts'
import { detectTraits, gradeQuestion } from '../analyse/detect-traits.ts'
import type { WordVectors } from '../related/word-vectors.ts'
import {
  buildSupersedingKey,
  collectAboutTerms,
  collectEventTerms,
  collectSubjectTerms,
  createKeyReader,
  findEarliestTime,
  KEY_MARK,
  type KeyReader,
  readKeys,
  SUPERSEDING_KEY
} from './collect-about-terms.ts'
import { type ConversationNumbers, createConversationNumbers } from './conversation-numbers.ts'
import {
  CHECK_HEAD_BYTES,
  createDocumentTable,
  type DocumentTable,
  growDocumentTable,
  ID_BYTES,
  POSITION_ABSENT,
  POSITION_BOUND,
  readRowId
} from './document-table.ts'
import { collectFilterTerms, type Filtered } from './filter-terms.ts'
import { createIdLookup, createStoredIds, type IdLookup, type StoredIds } from './id-lookup.ts'
import { createMeaningWriter, type MeaningWriter, shareMeaning } from './meaning.ts'
import { createByteCellReader, createCellReader, type StoredSegments } from './read-column.ts'
import { type MemoryPart, splitMemory } from './split-memory.ts'
import { createTermCollector, createVocabulary, type TermCollector, type Vocabulary } from './term-collector.ts'

/** A memory to be indexed. `offset` and `length` locate its line in the snapshot, in bytes. */
export type IndexDocument = {
  /** The 16 bytes of the memory's id. */
  id: Uint8Array
  text: string
  title?: string | undefined
  speaker?: string | undefined
  conversation?: string | undefined
  /** ms since 1970, may be negative. */
  at: number
  /** True if the source gave no time and `at` is the time of storing. */
  undated?: boolean | undefined
  position?: number | undefined
  offset: number
  length: number
  extractor: number
  /** The line's check; its first 8 bytes are kept. */
  check: Uint8Array
  facts?: readonly FactRecord[] | undefined
  events?: readonly EventRecord[] | undefined
  /** Ids of memories that this one supersedes. */
  supersedes?: readonly string[] | undefined
} & Filtered

/** An index opened for writing: the stored documents, and the new ones, which are numbered after them. */
export type IndexWriter = {
  /** Number of stored documents: a document is a row, and a long memory has several. */
  stored: number
  /** Number of memories, stored or not. */
  memories: number
  ids: StoredIds
  cells: StoredCells
  /** Rows that are not stored yet. */
  table: DocumentTable
  lookup: IdLookup
  /** Numbers of removed documents, stored or not. */
  removed: Set<number>
  conversations: ConversationNumbers
  vocabulary: Vocabulary
  collector: TermCollector
  writeMeaning: MeaningWriter
  keys: KeyReader
}

/** Access to single cells of stored documents. */
type StoredCells = Record<'offset' | 'length' | 'extractor' | 'at', (document: number) => number> & {
  checks: (document: number) => Uint8Array
}

/** Opens an index for writing. Reads on demand: a few new documents cost little, however many are stored. */
export function createIndexWriter(from: StoredSegments, vectors: () => WordVectors): IndexWriter {
  const { segments } = from
  const table = createDocumentTable()
  const vocabulary = createVocabulary()
  return {
    stored: segments.reduce((sum, { documents }) => sum + documents, 0),
    memories: segments.reduce((sum, { memories }) => sum + memories, 0),
    ids: createStoredIds(from),
    cells: {
      offset: createCellReader(from, 'offset'),
      length: createCellReader(from, 'length'),
      extractor: createCellReader(from, 'extractor'),
      at: createCellReader(from, 'at'),
      checks: createByteCellReader(from, 'checks')
    },
    table,
    lookup: createIdLookup(table),
    removed: new Set(),
    conversations: createConversationNumbers(segments),
    vocabulary,
    collector: createTermCollector(vocabulary),
    writeMeaning: createMeaningWriter(vectors, vocabulary.names),
    keys: createKeyReader()
  }
}

/** Returns the number of the first document of an existing memory. */
export function findDocument({ stored, lookup, ids, removed }: IndexWriter, id: Uint8Array): number | undefined {
  const row = lookup.find(id)
  if (row !== undefined) return stored + row
  const document = ids.find(id)
  return document === undefined || removed.has(document) ? undefined : document
}

/** What decides which of two lines with one id wins. */
export type KnownDocument = {
  offset: number
  length: number
  extractor: number
  at: number
  /** The first 8 bytes of the line's check. */
  check: Uint8Array
}

/** Reads the known data of a document by its number. */
export function readKnownDocument({ stored, table, cells }: IndexWriter, document: number): KnownDocument {
  const row = document - stored
  if (row < 0) {
    const { offset, length, extractor, at, checks } = cells
    return {
      offset: offset(document),
      length: length(document),
      extractor: extractor(document),
      at: at(document),
      check: checks(document).slice()
    }
  }
  return {
    offset: table.offset[row] ?? 0,
    length: table.length[row] ?? 0,
    extractor: table.extractor[row] ?? 0,
    at: table.at[row] ?? 0,
    check: table.checks.slice(row * CHECK_HEAD_BYTES, (row + 1) * CHECK_HEAD_BYTES)
  }
}

/** Lists the ids of all existing memories; each is a view that is valid until the next change. */
export function* listLiveIds({ stored, ids, table, removed }: IndexWriter): Generator<Uint8Array> {
  const { passages } = ids.rows()
  for (let document = 0; document < stored; document++) {
    if ((passages?.[document] ?? 0) === 0 && !removed.has(document)) yield ids.idOf(document)
  }
  for (let row = 0; row < table.count; row++) {
    if (table.passage[row] === 0 && !removed.has(stored + row)) yield readRowId(table, row)
  }
}

/** Prefix of terms of the speaker's name. No other term begins with a space. */
export const SPEAKER_MARK = ' '

/** Prefix of terms that given facts have but the text lacks. Only a term of white space begins with a tab. */
export const ABOUT_MARK = '\t'

/** Prefix of terms of the names that facts are about. Only a term of white space begins with a form feed. */
export const SUBJECT_MARK = '\f'

/**
 * Prefix of terms of the names of which facts tell more than an opinion. Only a term of white space begins with a
 * vertical tab.
 */
export const TOLD_MARK = '\v'

/** Adds a memory as one row per part of its text. Its id must be new. */
export function addDocument(writer: IndexWriter, document: IndexDocument): void {
  const first = writer.table.count
  for (const part of splitMemory(document)) addRow(writer, document, part)
  if (writer.table.count > first + 1) shareMeaning(writer.table.meanings, { from: first, to: writer.table.count })
  writer.lookup.add(first)
  writer.memories++
}

/**
 * Adds one row. Each row has the title, which describes the whole text. Rows after the first belong to no conversation.
 */
function addRow(writer: IndexWriter, document: IndexDocument, part: MemoryPart): void {
  const { table } = writer
  const { text, passage } = part
  const row = table.count
  growDocumentTable(table, row + 1)
  const terms = analyse(text)
  if (document.title !== undefined) for (const term of analyse(document.title)) terms.push(term)
  table.terms[row] = terms.length
  addMarks(terms, { whole: document, part }, writer.keys)
  writer.collector.add(terms)
  writer.writeMeaning(writer.collector.stream, table.meanings, row)
  for (let byte = 0; byte < ID_BYTES; byte++) table.ids[row * ID_BYTES + byte] = document.id[byte] ?? 0
  for (let byte = 0; byte < CHECK_HEAD_BYTES; byte++)
    table.checks[row * CHECK_HEAD_BYTES + byte] = document.check[byte] ?? 0
  table.offset[row] = document.offset
  table.length[row] = document.length
  table.at[row] = document.at
  table.earlier[row] = document.at - findEarliestTime(document)
  table.dated[row] = document.undated === true ? 0 : 1
  table.passage[row] = passage
  table.asks[row] = gradeQuestion(text)
  table.traits[row] = detectTraits(text)
  table.position[row] = boundPosition(passage === 0 ? document.position : undefined)
  table.extractor[row] = document.extractor
  table.conversation[row] =
    document.conversation === undefined || passage > 0 ? 0 : writer.conversations.numberOf(document.conversation)
  table.count = row + 1
}

/** Adds terms that are not words of the text: they have postings but do not count for the document's length. */
function addMarks(
  terms: string[],
  { whole, part: { facts, events } }: { whole: IndexDocument; part: MemoryPart },
  keys: KeyReader
): void {
  const { text, speaker, supersedes = [] } = whole
  const said = terms.length
  const speakers = speaker === undefined ? [] : analyse(speaker)
  const about = collectAboutTerms(facts, text).filter((term) => !speakers.includes(term))
  const known = about.length === 0 ? undefined : new Set(terms.slice(0, said))
  for (const term of speakers) terms.push(SPEAKER_MARK + term)
  for (const term of about) if (known?.has(term) !== true) terms.push(ABOUT_MARK + term)
  const subjects = collectSubjectTerms(facts)
  // What a subject thinks of something tells little about the subject.
  const told = facts.filter(({ rule }) => !isJudgement(rule))
  for (const term of subjects) terms.push(SUBJECT_MARK + term)
  for (const term of told.length === facts.length ? subjects : collectSubjectTerms(told)) terms.push(TOLD_MARK + term)
  for (const key of readKeys(facts, keys)) terms.push(KEY_MARK + key)
  for (const id of supersedes) terms.push(KEY_MARK + buildSupersedingKey(id))
  if (supersedes.length > 0) terms.push(KEY_MARK + SUPERSEDING_KEY)
  for (const term of collectEventTerms(events)) terms.push(term)
  for (const term of collectFilterTerms(whole)) terms.push(term)
}

/** Removes the memory with this first document; its document numbers stay in use until the index is rewritten. */
export function removeDocument(writer: IndexWriter, first: number): void {
  const { stored, lookup, removed, table, ids } = writer
  writer.memories--
  if (first < stored) {
    for (const document of ids.rows().rowsOf(first)) removed.add(document)
    return
  }
  lookup.remove(first - stored)
  let row = first - stored
  do removed.add(stored + row++)
  while (row < table.count && table.passage[row] !== 0)
}

function boundPosition(position: number | undefined): number {
  if (position === undefined) return POSITION_ABSENT
  return Math.min(Math.max(position, -POSITION_BOUND), POSITION_BOUND)
}

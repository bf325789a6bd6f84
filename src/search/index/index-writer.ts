import type { FactRecord } from '../../contract/snapshot.ts'
import { analyse } from '../analyse/analyse.ts'
import { questionGrade } from '../analyse/question-grade.ts'
import { textTraits } from '../analyse/text-traits.ts'
import { readTable, type StoredSegments } from './column-reader.ts'
import {
  CHECK_BYTES,
  createDocumentTable,
  type DocumentTable,
  growDocumentTable,
  ID_BYTES,
  POSITION_ABSENT,
  POSITION_BOUND
} from './document-table.ts'
import { aboutTerms, createKeyReader, KEY_MARK, type KeyReader, keysOf, subjectTerms } from './fact-terms.ts'
import { createIdLookup, type IdLookup } from './id-lookup.ts'
import { readConversations } from './segment-reader.ts'
import { createTermCollector, createVocabulary, type TermCollector, type Vocabulary } from './term-collector.ts'

/** A memory as the index takes it in. `offset` and `length` are where its line stands in the snapshot, in bytes. */
export type IndexDocument = {
  /** The 16 bytes of the memory's id. */
  id: Uint8Array
  text: string
  title?: string | undefined
  speaker?: string | undefined
  conversation?: string | undefined
  /** ms since 1970, may be negative. */
  at: number
  /** True where the source gave no time and `at` is that of storing. */
  undated?: boolean | undefined
  position?: number | undefined
  offset: number
  length: number
  extractor: number
  /** The line's check; its first 8 bytes are kept. */
  check: Uint8Array
  facts?: readonly FactRecord[] | undefined
}

/** An index opened for writing: all rows as columns, stored ones first, and the terms of those not yet stored. */
export type IndexWriter = {
  table: DocumentTable
  stored: number
  lookup: IdLookup
  removed: Set<number>
  conversations: Map<string, number>
  /** How many conversations stored segments name. */
  storedConversations: number
  vocabulary: Vocabulary
  collector: TermCollector
  keys: KeyReader
}

/** Reads all rows, and none of the postings. */
export function createIndexWriter(from: StoredSegments): IndexWriter {
  const { segments } = from
  const table = segments.length === 0 ? createDocumentTable() : readTable(from)
  const names = readConversations(segments)
  const vocabulary = createVocabulary()
  return {
    table,
    stored: table.count,
    lookup: createIdLookup(table),
    removed: new Set(),
    conversations: new Map(names.map((name, at) => [name, at + 1])),
    storedConversations: names.length,
    vocabulary,
    collector: createTermCollector(vocabulary),
    keys: createKeyReader()
  }
}

/** Terms of the speaker's name stand in the same lists as those of texts, after a space, which no other term begins with. */
export const SPEAKER_MARK = ' '

/** Terms that facts are about and nobody says. Of terms only one of nothing but spaces begins with a tab. */
export const ABOUT_MARK = '\t'

/** Terms of the names that facts are about, said or not. Of terms only one of nothing but spaces begins with a form feed. */
export const SUBJECT_MARK = '\f'

/** Takes a document in as a new row. Its id must not be there. */
export function addDocument(writer: IndexWriter, document: IndexDocument): void {
  const { table } = writer
  const row = table.count
  growDocumentTable(table, row + 1)
  const terms = termsOf(document)
  table.terms[row] = terms.length
  addMarks(terms, document, writer.keys)
  writer.collector.add(terms)
  for (let byte = 0; byte < ID_BYTES; byte++) table.ids[row * ID_BYTES + byte] = document.id[byte] ?? 0
  for (let byte = 0; byte < CHECK_BYTES; byte++) table.checks[row * CHECK_BYTES + byte] = document.check[byte] ?? 0
  table.offset[row] = document.offset
  table.length[row] = document.length
  table.at[row] = document.at
  table.dated[row] = document.undated === true ? 0 : 1
  table.asks[row] = questionGrade(document.text)
  table.traits[row] = textTraits(document.text)
  table.position[row] = boundedPosition(document.position)
  table.extractor[row] = document.extractor
  table.conversation[row] =
    document.conversation === undefined ? 0 : numberOfConversation(writer, document.conversation)
  table.count = row + 1
  writer.lookup.add(row)
}

function termsOf({ text, title }: IndexDocument): string[] {
  const terms = analyse(text)
  if (title !== undefined) for (const term of analyse(title)) terms.push(term)
  return terms
}

/** Adds what is no word of the text: it has a place in the lists and none in the document's length. */
function addMarks(terms: string[], { text, speaker, facts = [] }: IndexDocument, keys: KeyReader): void {
  const said = terms.length
  const speakers = speaker === undefined ? [] : analyse(speaker)
  const about = aboutTerms(facts, text).filter((term) => !speakers.includes(term))
  const known = about.length === 0 ? undefined : new Set(terms.slice(0, said))
  for (const term of speakers) terms.push(SPEAKER_MARK + term)
  for (const term of about) if (known?.has(term) !== true) terms.push(ABOUT_MARK + term)
  for (const term of subjectTerms(facts)) terms.push(SUBJECT_MARK + term)
  for (const key of keysOf(facts, keys)) terms.push(KEY_MARK + key)
}

/** Takes a row out; its place stays until the index is rewritten. */
export function removeRow(writer: IndexWriter, row: number): void {
  writer.lookup.remove(row)
  writer.removed.add(row)
}

function boundedPosition(position: number | undefined): number {
  if (position === undefined) return POSITION_ABSENT
  return Math.min(Math.max(position, -POSITION_BOUND), POSITION_BOUND)
}

function numberOfConversation(writer: IndexWriter, name: string): number {
  const known = writer.conversations.get(name)
  if (known !== undefined) return known
  const number = writer.conversations.size + 1
  writer.conversations.set(name, number)
  return number
}

import type { IndexReader } from '../index/index-reader.ts'
import { SUBJECT_MARK } from '../index/index-writer.ts'
import { createNewerFirst, createTopDocuments } from './create-top-documents.ts'
import { seekDocument } from './match-list.ts'

/**
 * The subject of the memories to find: the terms of one name, and terms of which each memory must have at least one.
 */
export type AboutNames = {
  name: readonly string[]
  saying: readonly string[]
  /** `subject`: a fact must be about the name. `anything`: the memory may also just mention it. */
  as: 'subject' | 'anything'
}

/**
 * Returns the best memories, at most `limit`, that concern a name and have one of several terms: first those with most
 * of these, then the newest. If name and terms are all very frequent, only memories with the rarest terms are examined,
 * so the time is bounded.
 */
export function findMemoriesAbout(
  index: IndexReader,
  { name, saying, as, until, limit }: AboutNames & { until: number; limit: number }
): number[] {
  const said = readLists(index, saying)
  const ways = MARKS[as].map((mark) => name.map((term) => index.postings(mark + term).documents))
  const rarest = ways.flatMap((lists) => sortByLength(lists).slice(0, 1))
  const isAbout = ways.map(createMembershipTest)
  const counters = said.map((documents) => createMembershipTest([documents]))
  const told = new Map<number, number>()
  const newer = createNewerFirst(index)
  const best = createTopDocuments(
    limit,
    (left, right) => (told.get(right) ?? 0) - (told.get(left) ?? 0) || newer(left, right)
  )
  for (const document of sumLengths(rarest) <= LOOKED_MAX ? uniteLists(rarest) : uniteLists(limitLists(said))) {
    if (!isAbout.some((has) => has(document))) continue
    const count = counters.reduce((sum, has) => sum + (has(document) ? 1 : 0), 0)
    if (count === 0 || index.timeOf(document) > until) continue
    const memory = index.firstOf(document)
    told.set(memory, Math.max(count, told.get(memory) ?? 0))
  }
  for (const memory of told.keys()) best.offer(memory)
  return best.best()
}

const MARKS = { subject: [SUBJECT_MARK], anything: [SUBJECT_MARK, ''] } as const

/** Maximum number of mentions examined, which takes about a tenth of a millisecond. */
const LOOKED_MAX = 1500

type Documents = Uint32Array

/** Reads the documents of each term, rarest term first; terms without documents are left out. */
function readLists(index: IndexReader, terms: readonly string[]): Documents[] {
  const lists = [...new Set(terms)].map((term) => index.postings(term).documents)
  return sortByLength(lists.filter(({ length }) => length > 0))
}

function sortByLength(lists: readonly Documents[]): Documents[] {
  return [...lists].sort((left, right) => left.length - right.length)
}

function sumLengths(lists: readonly Documents[]): number {
  return lists.reduce((sum, { length }) => sum + length, 0)
}

function limitLists(lists: readonly Documents[]): Documents[] {
  let looked = 0
  return lists.filter(({ length }) => {
    looked += length
    return looked <= LOOKED_MAX
  })
}

/** Merges lists of documents; the result is ascending and without repeats. */
function uniteLists(lists: readonly Documents[]): Documents {
  const [only] = lists
  if (only !== undefined && lists.length === 1) return only
  const all = new Set<number>()
  for (const documents of lists) for (const document of documents) all.add(document)
  return Uint32Array.from(all).sort()
}

/**
 * Creates a function that checks whether a document is in all lists, of which there must be at least one. Its arguments
 * must ascend.
 */
function createMembershipTest(lists: readonly Documents[]): (document: number) => boolean {
  const places = lists.map((documents) => ({ documents, at: 0 }))
  return (document) =>
    places.length > 0 &&
    places.every((place) => {
      place.at = seekDocument(place.documents, document, place.at)
      return place.documents[place.at] === document
    })
}

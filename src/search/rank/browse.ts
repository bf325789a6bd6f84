import { Fault } from '../../contract/faults.ts'
import { findDocumentsWithId, type IndexReader } from '../index/index-reader.ts'
import { type LineBytes, locateMemory } from './create-ranker.ts'
import { createNewerFirst, createTopDocuments } from './create-top-documents.ts'
import { excludeDocuments, type MemoryFilter } from './memory-filter.ts'

/** The place of a memory in the order of lists: newest first, then by id. `at` is in ms since 1970, `id` is hex. */
export type ListPlace = { at: number; id: string }

/** Writes a place as text, such as `1767225600000-ebb0248e…`. */
export function formatListPlace({ at, id }: ListPlace): string {
  return `${at}-${id}`
}

/** Parses a place. Throws a `usage` fault for any other text. */
export function parseListPlace(text: string): ListPlace {
  const [, at, id] = /^(-?\d{1,16})-([0-9a-f]{32})$/.exec(text) ?? []
  if (at !== undefined && id !== undefined) return { at: Number(at), id }
  throw new Fault('usage', 'Invalid `after`: expected the `next` of an earlier page', {
    hint: 'omit it to start again'
  })
}

export type ListRequest = { limit: number; filter?: MemoryFilter | undefined; after?: ListPlace | undefined }

/** A part of the list. `total`, `firstMs` and `lastMs` describe all memories that pass the filter. */
export type Listed = {
  places: LineBytes[]
  /** The place of the last listed memory; undefined if none follows. */
  next: ListPlace | undefined
  total: number
  firstMs: number | undefined
  lastMs: number | undefined
}

/** Lists the memories that pass the filter, newest first. */
export function listNewest(index: IndexReader, { limit, filter = {}, after }: ListRequest): Listed {
  const top = createTopDocuments(limit + 1, createNewerFirst(index))
  let [total, firstMs, lastMs] = [0, Infinity, -Infinity]
  for (const document of listFirstDocuments(index, filter)) {
    const at = index.timeOf(document)
    total++
    firstMs = Math.min(firstMs, at)
    lastMs = Math.max(lastMs, at)
    if (after === undefined || isAfter(index, document, after)) top.offer(document)
  }
  const best = top.best()
  const shown = best.slice(0, limit)
  const last = shown.at(-1)
  const next =
    last === undefined || best.length <= limit ? undefined : { at: index.timeOf(last), id: hexId(index, last) }
  const places = shown.map((document) => locateMemory(index, document))
  return { places, next, total, firstMs: total > 0 ? firstMs : undefined, lastMs: total > 0 ? lastMs : undefined }
}

/** Yields the first document of each memory that passes the filter. */
function* listFirstDocuments(index: IndexReader, filter: MemoryFilter): Generator<number> {
  const excluded = excludeDocuments(index, filter)
  const passages = index.passages()
  for (let document = 0; document < index.count; document++) {
    if ((passages?.[document] ?? 0) === 0 && excluded?.[document] !== 1) yield document
  }
}

function isAfter(index: IndexReader, document: number, { at, id }: ListPlace): boolean {
  const time = index.timeOf(document)
  return time < at || (time === at && hexId(index, document) > id)
}

function hexId(index: IndexReader, document: number): string {
  return Buffer.from(index.idOf(document)).toString('hex')
}

/**
 * Returns the places of a memory and of up to `around` turns of its conversation before and after it, in the order of
 * the conversation; undefined if no memory has the id.
 */
export function listTurns(index: IndexReader, id: Uint8Array, around: number): LineBytes[] | undefined {
  const [document] = findDocumentsWithId(index, Buffer.from(id).toString('hex'))
  if (document === undefined) return undefined
  const first = index.firstOf(document)
  const { before, after } = index.neighbours()
  const walk = (step: (document: number) => number): number[] => {
    const turns: number[] = []
    for (let one = step(first); one >= 0 && turns.length < around; one = step(one)) turns.push(one)
    return turns
  }
  return [...walk(before).reverse(), first, ...walk(after)].map((one) => locateMemory(index, one))
}

import type { MemoryKind } from '../../contract/groups.ts'
import type { Metadata } from '../../contract/snapshot.ts'
import { analyse } from '../analyse/analyse.ts'
import { buildFilterTerm, foldFilterValue, listSources } from '../index/filter-terms.ts'
import type { IndexReader } from '../index/index-reader.ts'
import { SPEAKER_MARK } from '../index/index-writer.ts'

/** Conditions that a memory must meet, all of them. Times are in ms since 1970. */
export type MemoryFilter = {
  /** Transaction time: the memory was stored by then. Later memories do not end or contradict facts either. */
  knownAt?: number | undefined
  /** Valid time: the memory says what held by then. One without a time of its own may say so for any time. */
  validAt?: number | undefined
  /** Said at this time or later, and before that one. */
  since?: number | undefined
  until?: number | undefined
  /** One or more words of the speaker's name, in any case. */
  speaker?: string | undefined
  /** The whole name, in any case. */
  conversation?: string | undefined
  /** The format, provider, path or a folder of the source: see `listSources`. */
  source?: string | undefined
  /** At least one, or none, of the names in `listSources` is one of these. */
  onlySources?: readonly string[] | undefined
  exceptSources?: readonly string[] | undefined
  /** Something of this kind was extracted from the memory. */
  kind?: MemoryKind | undefined
}

/** Returns 1 for each document that does not pass the filter; undefined if the filter is empty. */
export function excludeDocuments(index: IndexReader, filter: MemoryFilter): Uint8Array | undefined {
  const lists = listRequired(index, filter)
  const isInTime = createTimeTest(index, filter)
  const banned = (filter.exceptSources ?? []).map((source) => listFromSource(index, source))
  if (lists.length === 0 && isInTime === undefined && banned.length === 0) return undefined
  const missing = new Uint8Array(index.count).fill(lists.length === 0 ? 0 : 1)
  const [first, ...others] = lists
  const rest = others.map((documents) => new Set(documents))
  for (const document of first ?? []) if (rest.every((has) => has.has(document))) missing[document] = 0
  for (const documents of banned) for (const document of documents) missing[document] = 1
  if (isInTime === undefined) return missing
  for (let document = 0; document < missing.length; document++) {
    if (missing[document] === 0 && !isInTime(document)) missing[document] = 1
  }
  return missing
}

/** Lists the documents that each condition on words lets pass. */
function listRequired(index: IndexReader, filter: MemoryFilter): Uint32Array[] {
  const { speaker, conversation, source, kind } = filter
  const terms = [
    ...(speaker === undefined ? [] : toSpeakerTerms(speaker)),
    ...(conversation === undefined ? [] : [buildFilterTerm('conversation', foldFilterValue(conversation))]),
    ...(source === undefined ? [] : [buildFilterTerm('source', foldFilterValue(source))]),
    ...(kind === undefined ? [] : [buildFilterTerm('kind', kind)])
  ]
  const required = terms.map((term) => index.postings(term).documents)
  if (filter.onlySources === undefined) return required
  return [...required, joinDocuments(filter.onlySources.map((one) => listFromSource(index, one)))]
}

function listFromSource(index: IndexReader, source: string): Uint32Array {
  return index.postings(buildFilterTerm('source', foldFilterValue(source))).documents
}

function joinDocuments(lists: readonly Uint32Array[]): Uint32Array {
  return new Uint32Array(new Set(lists.flatMap((documents) => [...documents])))
}

/**
 * Creates the test of `onlySources` and `exceptSources` for a memory that was read; undefined without either. Facts and
 * episodes also read memories that ranking has not filtered.
 */
export function createSourceGuard({
  onlySources,
  exceptSources = []
}: MemoryFilter): ((metadata: Metadata | undefined) => boolean) | undefined {
  if (onlySources === undefined && exceptSources.length === 0) return undefined
  const only = onlySources === undefined ? undefined : new Set(onlySources.map(foldFilterValue))
  const except = new Set(exceptSources.map(foldFilterValue))
  return (metadata) => {
    const names = listSources(metadata).map(foldFilterValue)
    return (only === undefined || names.some((name) => only.has(name))) && !names.some((name) => except.has(name))
  }
}

function toSpeakerTerms(speaker: string): string[] {
  const terms = analyse(speaker)
  // A name without a word matches nothing.
  return terms.length === 0 ? [SPEAKER_MARK] : terms.map((term) => SPEAKER_MARK + term)
}

function createTimeTest(index: IndexReader, filter: MemoryFilter): ((document: number) => boolean) | undefined {
  const { knownAt = Infinity, validAt, since = -Infinity, until = Infinity } = filter
  if (validAt === undefined && knownAt === Infinity && since === -Infinity && until === Infinity) return undefined
  const times = index.times()
  const isKnown = (time: number): boolean => time <= knownAt && time >= since && time < until
  if (validAt === undefined) return (document) => isKnown(times[document] ?? 0)
  const [earlier, dated] = [index.earlier(), index.dated()]
  return (document) => {
    const time = times[document] ?? 0
    return isKnown(time) && (dated[document] === 0 || time - (earlier[document] ?? 0) <= validAt)
  }
}

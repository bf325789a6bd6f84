import type { Group } from '../contract/groups.ts'
import type { MemoryResponse, ProcedureEntry, SemanticEntry, SourceEntry } from '../contract/memory-response.ts'
import type { FactRecord, MemoryRecord, ProcedureRecord } from '../contract/snapshot.ts'
import { factsOf, proceduresOf } from '../memory/extracted.ts'
import { derivedId } from './derived-id.ts'
import { createCoverage } from './query-coverage.ts'
import type { Explanation } from './rank/rank-documents.ts'

/** A memory that answers, with its record as the snapshot has it. */
export type AnsweringMemory = { record: MemoryRecord; score: number; explanation?: Explanation | undefined }

export type ResponseOptions = { limit: number; groups?: readonly Group[] | undefined }

/**
 * The answer to a query: sources in the order they are given, best first, and what was extracted from them. What
 * several memories say alike is one entry that rests on all of them.
 */
export function buildResponse(
  query: string,
  memories: readonly AnsweringMemory[],
  options: ResponseOptions
): MemoryResponse {
  const asked = (group: Group): boolean => options.groups === undefined || options.groups.includes(group)
  const cut = <E>(group: Group, entries: () => E[]): E[] => (asked(group) ? entries().slice(0, options.limit) : [])
  return {
    semantics: cut('semantics', () => semanticEntries(query, memories)),
    procedures: cut('procedures', () => procedureEntries(query, memories)),
    episodes: [],
    sources: cut('sources', () => memories.map(sourceEntry))
  }
}

function sourceEntry({ record, score, explanation }: AnsweringMemory): SourceEntry {
  const metadata = record.metadata ?? {}
  return {
    id: record.id,
    score,
    source_ids: [record.id],
    text: record.text,
    speaker: record.speaker ?? null,
    timestamp: timeOf(record),
    title: typeof metadata.title === 'string' ? metadata.title : null,
    url: typeof metadata.url === 'string' ? metadata.url : null,
    metadata,
    ...(explanation === undefined ? {} : { explanation })
  }
}

/** When the source said it; null where it gave no time and the record holds that of storing. */
function timeOf(record: MemoryRecord): string | null {
  return record.undated === true ? null : record.at
}

/** Confidence of what states none: a rule found it, and nobody has said how sure it is. */
const CONFIDENCE_UNSTATED = 0.5

function semanticEntries(query: string, memories: readonly AnsweringMemory[]): SemanticEntry[] {
  const coverage = createCoverage(query)
  const entries = memories.flatMap(({ record, score }) =>
    factsOf(record).map((fact) => semanticEntry(record, fact, score * coverage(factText(fact))))
  )
  return mergeEntries(entries)
}

function factText(fact: FactRecord): string {
  return `${fact.subject} ${fact.predicate} ${fact.value}`
}

function semanticEntry(record: MemoryRecord, fact: FactRecord, score: number): SemanticEntry {
  const { subject, predicate, value } = fact
  return {
    id: derivedId('fact', [subject, predicate, value]),
    score,
    source_ids: [record.id],
    subject,
    predicate,
    value,
    confidence: fact.confidence ?? CONFIDENCE_UNSTATED,
    valid_from: timeOf(record),
    valid_to: null,
    span: fact.span
  }
}

function procedureEntries(query: string, memories: readonly AnsweringMemory[]): ProcedureEntry[] {
  const coverage = createCoverage(query)
  const entries = memories.flatMap(({ record, score }) =>
    proceduresOf(record).map((found) => procedureEntry(record, found, score * coverage(procedureText(found))))
  )
  return mergeEntries(entries)
}

function procedureText(found: ProcedureRecord): string {
  return [found.statement, ...(found.steps ?? [])].join(' ')
}

function procedureEntry(record: MemoryRecord, found: ProcedureRecord, score: number): ProcedureEntry {
  const { statement, kind, steps } = found
  return {
    id: derivedId('procedure', [kind, statement, ...(steps ?? [])]),
    score,
    source_ids: [record.id],
    statement,
    kind,
    ...(steps === undefined ? {} : { steps }),
    confidence: found.confidence ?? CONFIDENCE_UNSTATED
  }
}

type Entry = { id: string; score: number; source_ids: string[] }

/** One entry an id: that of the best score, with the sources of all. Those without a score say nothing of the query. */
function mergeEntries<E extends Entry>(entries: readonly E[]): E[] {
  const merged = new Map<string, E>()
  for (const entry of entries) {
    if (entry.score === 0) continue
    const known = merged.get(entry.id)
    const source_ids = [...new Set([...(known?.source_ids ?? []), ...entry.source_ids])]
    merged.set(entry.id, { ...(known === undefined || entry.score > known.score ? entry : known), source_ids })
  }
  return [...merged.values()].sort((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1))
}

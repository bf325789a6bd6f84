import type { EventRecord, FactRecord, MemoryRecord, ProcedureRecord } from '../contract/snapshot.ts'

/**
 * Returns the facts of a memory as its line holds them. Entries that lack a field or have one of another type, which a
 * later version or another program may write, stay in the file but are skipped here.
 */
export function readFacts(record: Pick<MemoryRecord, 'facts'>): FactRecord[] {
  return filterEntries(record.facts, ['subject', 'predicate', 'value', 'rule']) as FactRecord[]
}

/** Returns the procedures of a memory, by the same rule. */
export function readProcedures(record: Pick<MemoryRecord, 'procedures'>): ProcedureRecord[] {
  const procedures = filterEntries(record.procedures, ['statement', 'kind', 'rule']) as ProcedureRecord[]
  return procedures.filter(({ kind, steps }) => KINDS.has(kind) && (steps === undefined || isTexts(steps)))
}

/** Returns the events of a memory, by the same rule. */
export function readEvents(record: Pick<MemoryRecord, 'events'>): EventRecord[] {
  const events = filterEntries(record.events, ['statement', 'rule']) as EventRecord[]
  return events.filter(({ started_at }) => started_at === undefined || typeof started_at === 'string')
}

const KINDS: ReadonlySet<string> = new Set(['how_to', 'preference', 'rule'])

type Entry = Record<string, unknown>

function filterEntries(list: unknown[] | undefined, texts: readonly string[]): unknown[] {
  return (list ?? []).filter((entry) => {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return false
    const { span, confidence } = entry as Entry
    return texts.every((name) => typeof (entry as Entry)[name] === 'string') && isSpan(span) && isShare(confidence)
  })
}

function isSpan(span: unknown): boolean {
  return Array.isArray(span) && span.length === 2 && span.every((end) => Number.isSafeInteger(end) && end >= 0)
}

function isShare(share: unknown): boolean {
  return share === undefined || (typeof share === 'number' && share >= 0 && share <= 1)
}

function isTexts(texts: unknown): boolean {
  return Array.isArray(texts) && texts.every((text) => typeof text === 'string')
}

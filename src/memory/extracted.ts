import type { EventRecord, FactRecord, GivenFact, MemoryRecord, ProcedureRecord } from '../contract/snapshot.ts'
import { TIME_TEXT } from './parse-iso-time.ts'

/**
 * Returns the facts of a memory as its line holds them. Entries that lack a field or have one of another type, which a
 * later version or another program may write, stay in the file but are skipped here.
 */
export function readFacts(record: Pick<MemoryRecord, 'facts' | 'given' | 'text'>): ReadFact[] {
  const facts = filterEntries(record.facts, ['subject', 'predicate', 'value', 'rule']) as FactRecord[]
  return record.given === undefined ? facts : [...facts, ...readGivenFacts(record)]
}

/** A fact of a memory. For one that came with the text, also the period for which its source says that it holds. */
export type ReadFact = FactRecord & Pick<GivenFact, 'valid_from' | 'valid_to'>

/** The rule of facts that came with the text, and their confidence: the other tool is believed as a person would be. */
const GIVEN = { rule: 'given', confidence: 0.9 }

function readGivenFacts({ given = [], text }: Pick<MemoryRecord, 'given' | 'text'>): ReadFact[] {
  return given.flatMap((entry) => {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return []
    const { subject, predicate, value, valid_from, valid_to } = entry
    if (typeof subject !== 'string' || typeof predicate !== 'string' || typeof value !== 'string') return []
    return {
      subject,
      predicate,
      value,
      ...GIVEN,
      span: [0, text.length],
      ...(isTime(valid_from) && { valid_from }),
      ...(isTime(valid_to) && { valid_to })
    }
  })
}

function isTime(time: unknown): time is string {
  return typeof time === 'string' && TIME_TEXT.test(time)
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

import type { EventRecord, FactRecord, MemoryRecord, ProcedureRecord } from '../../contract/snapshot.ts'
import { hangingLines } from '../output/card-lines.ts'
import type { Page, StyledLine } from '../output/styled-line.ts'
import { toPlainLine } from '../output/to-plain-text.ts'

/**
 * Renders the facts, procedures and events of a text: each entry, and below it the source words, the rule and the confidence.
 * Facts that came with the text have the rule `given`. Skips entries of an unknown shape. `remarks` has lines to show below
 * each fact.
 */
export function understoodLines(
  record: MemoryRecord,
  page: Page,
  remarks: readonly (readonly string[])[] = []
): StyledLine[] {
  const { text } = record
  const [facts, given] = [record.facts, record.given].map((list) =>
    entries<FactRecord>(list, ['subject', 'predicate', 'value']).map(factPart)
  )
  const all = [...(facts ?? []), ...(given ?? []).map(({ said }) => ({ said, from: { rule: 'given' } }))]
  const stated = all.map((part, at) => ({ ...part, remarks: remarks[at] }))
  return [
    ...section('facts', stated, { text, page }),
    ...section('procedures', entries<ProcedureRecord>(record.procedures, ['statement', 'kind']).map(procedurePart), {
      text,
      page
    }),
    ...section('events', entries<EventRecord>(record.events, ['statement']).map(eventPart), { text, page })
  ]
}

/** The lines of an entry and its origin in the text. */
type Part = {
  said: string[]
  from: { span?: unknown; rule?: unknown; confidence?: unknown }
  remarks?: readonly string[] | undefined
}

function factPart(fact: FactRecord): Part {
  const { subject, predicate, value, negated, modality } = fact
  const marks = [negated ? 'denied' : undefined, modality].filter((mark) => mark !== undefined)
  const claim = [subject, predicate, value].join(' · ')
  return { said: [marks.length === 0 ? claim : `${claim}  (${marks.join(', ')})`], from: fact }
}

function procedurePart(procedure: ProcedureRecord): Part {
  const steps = Array.isArray(procedure.steps) ? procedure.steps : []
  return {
    said: [
      `${procedure.kind.replace('_', ' ')}: ${procedure.statement}`,
      ...steps.map((step, i) => `  ${i + 1}. ${step}`)
    ],
    from: procedure
  }
}

function eventPart(event: EventRecord): Part {
  const { statement, started_at, precision, aspect } = event
  const when = typeof started_at === 'string' ? timeTo(started_at, precision) : undefined
  const details = [when, aspect === 'past' ? undefined : aspect].filter((part) => part !== undefined)
  return { said: [details.length === 0 ? statement : `${statement}  (${details.join(', ')})`], from: event }
}

/** Formats a time with its stated precision. */
function timeTo(time: string, precision: EventRecord['precision']): string {
  if (precision === 'year') return time.slice(0, 4)
  if (precision === 'month') return time.slice(0, 7)
  if (precision === 'hour' || precision === 'minute') return time.slice(0, 16).replace('T', ' ')
  return time.slice(0, 10)
}

function entries<T>(list: readonly unknown[] | undefined, names: readonly string[]): T[] {
  return (list ?? []).filter((entry): entry is T => {
    if (typeof entry !== 'object' || entry === null) return false
    return names.every((name) => typeof Reflect.get(entry, name) === 'string')
  })
}

type Place = { text: string; page: Page }

function section(title: string, parts: readonly Part[], { text, page }: Place): StyledLine[] {
  if (parts.length === 0) return []
  const lines = parts.flatMap(({ said, from, remarks = [] }) => [
    ...said.flatMap((statement) => hangingLines(toPlainLine(statement), page, 2)),
    ...hangingLines(origin(from, text), page, 4).map((line) => line.map((piece) => dim(piece))),
    ...remarks.flatMap((remark) => hangingLines(toPlainLine(remark), page, 4))
  ])
  return [[''], [{ text: title, look: 'bold' }], ...lines]
}

function dim(piece: StyledLine[number]): StyledLine[number] {
  return typeof piece === 'string' ? { text: piece, look: 'dim' } : piece
}

/** Longer text is shortened to its start and end, in UTF-16 code units. */
const WORDS_MAX = 120

function origin({ span, rule, confidence }: Part['from'], text: string): string {
  const parts: string[] = []
  if (Array.isArray(span)) parts.push(`“${shorten(text.slice(Number(span[0]), Number(span[1])))}”`)
  if (typeof rule === 'string') parts.push(rule)
  if (typeof confidence === 'number') parts.push(confidence.toFixed(2))
  return parts.join('  ')
}

function shorten(words: string): string {
  const flat = words.replace(/\s+/g, ' ')
  if (flat.length <= WORDS_MAX) return flat
  return `${flat.slice(0, WORDS_MAX / 2).toWellFormed()} … ${flat.slice(-WORDS_MAX / 2).toWellFormed()}`
}

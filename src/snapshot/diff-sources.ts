import type { FactRecord, MemoryRecord } from '../contract/snapshot.ts'
import { readFacts } from '../memory/extracted.ts'
import type { Source } from './file/source.ts'
import { type Survey, surveySnapshot } from './survey.ts'
import type { RecordTable } from './table/record-table.ts'
import { createRowReader } from './table/row-reader.ts'

/**
 * The difference of two snapshots, A (before) and B (after), by content: memories by id, facts by subject, predicate
 * and value.
 */
export type Difference = {
  added: MemoryRecord[]
  /** Memories that are live in A and unknown to B, which has no forget line for them. */
  gone: MemoryRecord[]
  forgotten: MemoryRecord[]
  /** Memories with a different winning line for the same id. The record is B's. */
  changed: MemoryRecord[]
  facts: FactDifference
  /** The surveys of A and B. */
  surveys: [Survey, Survey]
}

export type SourcedFact = Pick<FactRecord, 'subject' | 'predicate' | 'value'> & { source_ids: string[] }

export type FactDifference = {
  added: SourcedFact[]
  gone: SourcedFact[]
  /** Facts with the same subject and predicate, and other values. */
  revalued: { subject: string; predicate: string; from: string[]; to: string[] }[]
}

/** Compares two files. Each is read once, and its differing records once more. */
export function diffSources(a: Source, b: Source): Difference {
  const before = readSide(a)
  const after = readSide(b)
  const difference: Difference = {
    added: [],
    gone: [],
    forgotten: [],
    changed: [],
    facts: diffFacts(before, after),
    surveys: [before.survey, after.survey]
  }
  for (const row of after.table.listKept()) {
    const id = after.table.row(row).id
    if (id === undefined || after.table.row(row).kind !== 'memory') continue
    const known = findLiveRow(before.table, id)
    if (known === undefined) difference.added.push(after.record(row))
    else if (before.check(known) !== after.check(row)) difference.changed.push(after.record(row))
  }
  for (const row of before.table.listKept()) {
    const id = before.table.row(row).id
    if (id === undefined || before.table.row(row).kind !== 'memory' || findLiveRow(after.table, id) !== undefined)
      continue
    const place = after.table.ids.find(id, 0)
    const isForgotten = place >= 0 && after.table.forget(place) >= 0
    difference[isForgotten ? 'forgotten' : 'gone'].push(before.record(row))
  }
  return difference
}

type LiveSide = { survey: Survey; table: RecordTable; record(row: number): MemoryRecord; check(row: number): string }

function readSide(source: Source): LiveSide {
  const reader = createRowReader(source)
  const survey = surveySnapshot(source)
  const { table } = survey
  return {
    survey,
    table,
    record: (row) => reader.record(table.row(row)) as MemoryRecord,
    check: (row) => table.check(row)
  }
}

/** Returns the winning row of a live id. */
function findLiveRow(table: RecordTable, id: Buffer): number | undefined {
  const place = table.ids.find(id, 0)
  return place >= 0 && table.forget(place) < 0 && table.winner(place) >= 0 ? table.winner(place) : undefined
}

/** Facts by a string of subject, predicate and value. */
type FactMap = Map<string, SourcedFact>

/** A fact counts once, however many memories state it. What superseded memories state does not count. */
function collectFacts(side: LiveSide): FactMap {
  const facts: FactMap = new Map()
  const superseded = new Set<unknown>()
  for (const row of side.table.listKept()) {
    if (side.table.row(row).kind !== 'memory') continue
    const record = side.record(row)
    for (const id of record.supersedes ?? []) if (id !== record.id) superseded.add(id)
    for (const { subject, predicate, value } of readFacts(record)) {
      const key = JSON.stringify([subject, predicate, value])
      const known = facts.get(key)
      if (known === undefined) facts.set(key, { subject, predicate, value, source_ids: [record.id] })
      else if (!known.source_ids.includes(record.id)) known.source_ids.push(record.id)
    }
  }
  return superseded.size === 0 ? facts : leaveOut(facts, superseded)
}

/** Removes memories from the sources of facts, and facts without any other source. */
function leaveOut(facts: FactMap, ids: ReadonlySet<unknown>): FactMap {
  return new Map(
    [...facts].flatMap(([key, fact]) => {
      const source_ids = fact.source_ids.filter((id) => !ids.has(id))
      return source_ids.length === 0 ? [] : [[key, { ...fact, source_ids }] as const]
    })
  )
}

function diffFacts(before: LiveSide, after: LiveSide): FactDifference {
  const old = collectFacts(before)
  const now = collectFacts(after)
  const added = listMissing(old, now)
  const gone = listMissing(now, old)
  const from = groupValuesByTopic(gone)
  const to = groupValuesByTopic(added)
  const topics = [...to.keys()].filter((topic) => from.has(topic))
  const isRevalued = new Set(topics)
  return {
    added: added.filter((fact) => !isRevalued.has(toTopicKey(fact))),
    gone: gone.filter((fact) => !isRevalued.has(toTopicKey(fact))),
    revalued: topics.map((topic) => {
      const [subject, predicate] = JSON.parse(topic) as [string, string]
      return { subject, predicate, from: from.get(topic) ?? [], to: to.get(topic) ?? [] }
    })
  }
}

/** Returns the facts of `all` that are not in `known`, in an order that does not depend on the order of the files. */
function listMissing(known: FactMap, all: FactMap): SourcedFact[] {
  const keys = [...all.keys()].filter((key) => !known.has(key)).sort()
  return keys.flatMap((key) => all.get(key) ?? [])
}

function groupValuesByTopic(facts: readonly SourcedFact[]): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const fact of facts) values.set(toTopicKey(fact), [...(values.get(toTopicKey(fact)) ?? []), fact.value])
  return values
}

function toTopicKey({ subject, predicate }: SourcedFact): string {
  return JSON.stringify([subject, predicate])
}

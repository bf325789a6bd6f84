import type { SemanticEntry } from '../../contract/memory-response.ts'
import type { FactRecord, MemoryRecord } from '../../contract/snapshot.ts'
import { factsOf } from '../../memory/extracted.ts'
import type { FactOverTime } from '../../memory/graph/fact-over-time.ts'
import { factsOverTime } from '../../memory/graph/facts-over-time.ts'
import { createKeyReader } from '../index/fact-terms.ts'
import { ANSWER } from './answer-constants.ts'
import type { Answering } from './answering.ts'
import type { Candidate } from './candidate.ts'

/** By which way a fact was found, and what it stands against. */
export type FactPath = {
  /**
   * `source`: one of the best memories says it. `key`: one of these says something else of the same attribute, and by that
   * key this was looked up; `from` names it. `name`: it is about somebody whom the query names.
   */
  found_by: { way: 'source'; from: string } | { way: 'key'; from: string } | { way: 'name'; from: null }
  /** Whose attribute, and which, it speaks of, where that takes one value at a time. */
  key: string | null
  supersedes: OtherValue[]
  superseded_by: OtherValue[]
  /** The memory that says it best; undefined where it is not at hand. */
  record: MemoryRecord | undefined
}

/** What another memory says of the same attribute, for another time. */
export type OtherValue = {
  value: string
  valid_from: string | null
  valid_to: string | null
  source_ids: string[]
}

/** Reads what the snapshot says of the fact's attribute: a bounded number of memories, mostly read before. */
export function factPath(entry: SemanticEntry, answering: Answering, candidates: readonly Candidate[]): FactPath {
  const { subject, predicate, value, source_ids } = entry
  const keys = createKeyReader()({ subject, predicate, value, rule: '', span: [0, 0] })
  const best = candidates.map(({ record }) => record)
  const keyed = keys.flatMap((key) => memoriesOf(key, answering))
  const all = [...new Map([...best, ...keyed].map((record) => [record.id, record])).values()]
  const facts = factsOverTime(all.flatMap(statedWith(keys)))
  const own = facts.find((fact) => fact.value === value && fact.valid_from === entry.valid_from)
  const rivals = facts.filter((fact) => own?.isSingle === true && fact !== own && sameAttribute(fact, own))
  const said = source_ids.find((id) => best.some((record) => record.id === id))
  const near = best.find((record) => rivals.some((fact) => fact.source_ids.includes(record.id)))
  return {
    found_by: foundBy(said, near?.id),
    key: keys[0] ?? null,
    supersedes: rivals
      .filter(({ valid_to }) => valid_to !== null && entry.valid_from !== null && valid_to <= entry.valid_from)
      .map(otherValue),
    superseded_by: rivals
      .filter(({ valid_from }) => valid_from !== null && entry.valid_to !== null && valid_from >= entry.valid_to)
      .map(otherValue),
    record: all.find(({ id }) => id === source_ids[0])
  }
}

function foundBy(said: string | undefined, near: string | undefined): FactPath['found_by'] {
  if (said !== undefined) return { way: 'source', from: said }
  return near === undefined ? { way: 'name', from: null } : { way: 'key', from: near }
}

function memoriesOf(key: string, { inquiry, read }: Answering): MemoryRecord[] {
  return inquiry.keyed(key, ANSWER.KEY_MEMORIES_MAX).flatMap((place) => read(place) ?? [])
}

/** What a memory says of any of these attributes. */
function statedWith(keys: readonly string[]): (record: MemoryRecord) => { fact: FactRecord; source: MemoryRecord }[] {
  const keysOf = createKeyReader()
  return (record) =>
    factsOf(record)
      .filter((fact) => keysOf(fact).some((key) => keys.includes(key)))
      .map((fact) => ({ fact, source: record }))
}

function sameAttribute(left: FactOverTime, right: FactOverTime): boolean {
  return left.keys.predicate === right.keys.predicate && left.keys.subject === right.keys.subject
}

function otherValue({ value, valid_from, valid_to, source_ids }: FactOverTime): OtherValue {
  return { value, valid_from, valid_to, source_ids }
}

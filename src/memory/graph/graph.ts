import type { MemoryRecord } from '../../contract/snapshot.ts'
import { readFacts } from '../extracted.ts'
import { compareText } from './claim.ts'
import { type Entity, findEntities } from './entities.ts'
import { type FactOverTime, isCorrection } from './fact-over-time.ts'
import type { MemoryFacts } from './mentions.ts'
import { resolveFacts } from './resolve-facts.ts'

/** Entities and facts derived from a set of memories. */
export type Graph = {
  /** Most mentioned first. */
  entities: Entity[]
  /** By subject, predicate and time. */
  facts: FactOverTime[]
  /** Facts whose value is also an entity. */
  relations: FactOverTime[]
  /** Most frequent first. */
  predicates: { key: string; facts: number; isSingle: boolean }[]
  /** Facts that other memories contradict. */
  contradictions: FactOverTime[]
}

/**
 * Builds the graph of a set of memories, given each one's winning line. Neither order nor repetition matters. Keeps
 * what was extracted but no texts; time and memory grow with the number of facts.
 */
export function buildGraph(records: Iterable<MemoryRecord>): Graph {
  return buildGraphOfRemembered(listRemembered(records))
}

/** Builds the graph from memories without their texts. Each memory must occur once. */
export function buildGraphOfRemembered(memories: readonly MemoryFacts[]): Graph {
  const remembered = markSuperseded(memories)
  const { list, keyOf } = findEntities(remembered)
  const stated = remembered.flatMap(({ source, facts }) => facts.map((fact) => ({ fact, source })))
  const facts = resolveFacts(stated, keyOf)
  const named = new Set(list.map(({ key }) => key))
  return {
    entities: list,
    facts,
    relations: facts.filter(({ keys }) => named.has(keys.value)),
    predicates: countPredicates(facts),
    contradictions: facts.filter(({ contradicted_by }) => contradicted_by.length > 0)
  }
}

/** Returns what the graph needs of a memory: its speaker, its time and its facts. */
export function toRemembered(record: MemoryRecord): MemoryFacts {
  const { id, at, undated, conversation, speaker } = record
  return {
    source: { id, at, undated, conversation, speaker, isCorrection: isCorrection(record.text) },
    facts: readFacts(record),
    ...(record.supersedes !== undefined && { supersedes: record.supersedes })
  }
}

/** Adds to each memory the earliest one that supersedes it, if there is any. */
function markSuperseded(memories: readonly MemoryFacts[]): readonly MemoryFacts[] {
  const endings = new Map<unknown, { by: string; at: string }>()
  for (const { source, supersedes = [] } of memories) {
    for (const id of supersedes) {
      const known = endings.get(id)
      const later = known === undefined ? -1 : compareText(source.at, known.at) || compareText(source.id, known.by)
      if (id !== source.id && later < 0) endings.set(id, { by: source.id, at: source.at })
    }
  }
  if (endings.size === 0) return memories
  return memories.map((memory) => {
    const superseded = endings.get(memory.source.id)
    return superseded === undefined ? memory : { ...memory, source: { ...memory.source, superseded } }
  })
}

function listRemembered(records: Iterable<MemoryRecord>): MemoryFacts[] {
  const byId = new Map<string, MemoryFacts>()
  for (const record of records) if (!byId.has(record.id)) byId.set(record.id, toRemembered(record))
  return [...byId.values()]
}

function countPredicates(facts: readonly FactOverTime[]): Graph['predicates'] {
  const predicates = new Map<string, Graph['predicates'][number]>()
  for (const { keys, isSingle } of facts) {
    const found = predicates.get(keys.predicate)
    if (found === undefined) predicates.set(keys.predicate, { key: keys.predicate, facts: 1, isSingle })
    else found.facts++
  }
  return [...predicates.values()].sort((a, b) => b.facts - a.facts || compareText(a.key, b.key))
}

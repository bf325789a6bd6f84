import type { MemoryRecord } from '../../contract/snapshot.ts'
import { type ReadFact, readEvents, readFacts, readProcedures } from '../../memory/extracted.ts'
import type { FactOverTime, StatedFact } from '../../memory/graph/fact-over-time.ts'
import { resolveFacts } from '../../memory/graph/resolve-facts.ts'
import { analyse } from '../analyse/analyse.ts'
import { ANSWER } from './answer-constants.ts'
import type { Grounds } from './answer-query.ts'
import { findRivals, listOtherValues } from './create-entry-explainer.ts'
import { createFoundMemories } from './find-named-memories.ts'
import { findSameAttributes, readStatedFacts, type StatementGrounds } from './find-relevant-facts.ts'
import type { ExplainedFact, MemoryReport } from './memory-report.ts'
import { createSupersededFinder } from './superseded.ts'

/**
 * Explains a memory: its entries with their rules, and how the memories about the same attributes and subjects confirm,
 * end or contradict its facts. Reads a bounded number of memories.
 */
export function explainMemory(record: MemoryRecord, { inquire, read }: Grounds): MemoryReport {
  const inquiry = inquire('', { limit: 1 })
  const supersededBy = createSupersededFinder({ inquiry, read, asOf: undefined })
  const grounds = { inquiry, read, supersededBy }
  const own = readStatedFacts(record, grounds).slice(0, FACTS_MAX)
  const others = readOthers(own, grounds).filter(({ source }) => source.id !== record.id)
  const facts = resolveFacts([...own, ...others])
  const later = supersededBy(record)
  return {
    id: record.id,
    superseded_by: later === undefined ? null : { id: later.by, at: later.at },
    supersedes: (record.supersedes ?? []).filter((id) => typeof id === 'string'),
    facts: [
      ...own.map((stated) => explainFact(stated, facts)),
      ...readFacts(record).slice(FACTS_MAX).map(withoutOthers)
    ],
    procedures: readProcedures(record),
    events: readEvents(record)
  }
}

/** Maximum number of facts of a memory that are compared with others. */
const FACTS_MAX = 100

/** Returns the facts about the same attributes, and for attributes with many values, those about the same subjects. */
function readOthers(own: readonly StatedFact[], grounds: StatementGrounds): StatedFact[] {
  const found = createFoundMemories(grounds, { known: [], limit: ANSWER.KEYED_MEMORIES_MAX })
  for (const { fact } of own) {
    const saying = analyse(`${fact.predicate} ${fact.value}`)
    found.take(grounds.inquiry.about({ name: analyse(fact.subject), saying, as: 'subject' }, ANSWER.KEY_MEMORIES_MAX))
  }
  const keyed = findSameAttributes(own, grounds)
  const known = new Set(keyed.map(({ source }) => source.id))
  const about = found.records().filter(({ id }) => !known.has(id))
  return [...keyed, ...about.flatMap((record) => readStatedFacts(record, grounds))]
}

function explainFact(stated: StatedFact, facts: readonly FactOverTime[]): ExplainedFact {
  const { fact, source } = stated
  const [alone] = resolveFacts([stated])
  const same = facts.find(
    (other) => alone !== undefined && other.source_ids.includes(source.id) && isEqual(other, alone)
  )
  if (same === undefined) return withoutOthers(fact)
  const { valid_from, valid_to, source_ids, contradicted_by } = same
  return {
    ...fact,
    valid_from,
    valid_to,
    corroborated_by: source_ids.filter((id) => id !== source.id),
    contradicted_by,
    ...listOtherValues(same, findRivals(same, facts))
  }
}

function isEqual(left: FactOverTime, right: FactOverTime): boolean {
  const toText = ({ keys, negated, modality }: FactOverTime): string =>
    [keys.subject, keys.predicate, keys.value, negated, modality].join('\u0000')
  return toText(left) === toText(right)
}

function withoutOthers(fact: ReadFact): ExplainedFact {
  const { valid_from = null, valid_to = null } = fact
  return { ...fact, valid_from, valid_to, corroborated_by: [], contradicted_by: [], supersedes: [], superseded_by: [] }
}

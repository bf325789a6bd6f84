import type { SemanticEntry } from '../../contract/memory-response.ts'
import type { FactOverTime } from '../../memory/graph/fact-over-time.ts'
import { factsOverTime } from '../../memory/graph/facts-over-time.ts'
import { derivedId } from '../derived-id.ts'
import { ANSWER } from './answer-constants.ts'
import type { Answering } from './answering.ts'
import type { Candidate } from './candidate.ts'
import { bestFirst } from './entry.ts'
import { createFactScorer, type FactScore } from './fact-score.ts'
import { createFactWords } from './fact-words.ts'
import { joinedEntry } from './joined-entry.ts'
import { joinedFacts } from './joined-facts.ts'
import { namedMemories } from './named-memories.ts'
import { relevantFacts } from './relevant-facts.ts'
import { createSourceScorer } from './source-scorer.ts'
import { varied } from './varied.ts'

/**
 * Facts that answer, best first: those of the candidates and of others about whom the query names, held against what the
 * whole snapshot says of the same attributes, so that an entry is what all its sources say and when it held. What no
 * longer holds is left out unless the query asks by time. Where two facts answer together what none does alone, the
 * second is an entry that rests on the memories of both.
 */
export function factEntries(answering: Answering, candidates: readonly Candidate[]): SemanticEntry[] {
  const read = createFactWords(answering.words)
  const scoreOf = createFactScorer(answering, read)
  const best = candidates.map(({ record }) => record)
  const named = namedMemories(answering, best)
  const told = [...candidates, ...named.map((record) => ({ record, score: 0 }))]
  const stated = relevantFacts(answering, told, scoreOf)
  const ground = { stated, facts: factsOverTime(stated), records: [...best, ...named] }
  const { facts, joined } = joinedFacts(ground, answering, read)
  const idOf = createIdentifier()
  const ids = new Map(facts.map((fact) => [fact, idOf(fact)]))
  const scores = new Map(candidates.map(({ record, score }) => [record.id, score]))
  const score = createSourceScorer(facts, scores, scoreOf)
  const entryOf = (fact: FactOverTime): SemanticEntry =>
    factEntry({ id: ids.get(fact) ?? idOf(fact), fact }, score(fact), answering)
  const steps = new Set(joined.map(({ first }) => first))
  const heldBack = (fact: FactOverTime, entry: SemanticEntry): SemanticEntry =>
    steps.has(fact) ? { ...entry, score: entry.score * ANSWER.STEP } : entry
  const direct = facts.filter((fact) => isAsked(fact, answering)).map((fact) => heldBack(fact, entryOf(fact)))
  const joins = joined.map((two) => joinedEntry(two, { answering, score, entryOf }))
  return varied(bestFirst(eachOnce([...direct, ...joins]).filter(({ score }) => score > 0)))
}

/** Of a fact that answers alone and joined the better entry. */
function eachOnce(entries: readonly SemanticEntry[]): SemanticEntry[] {
  const best = new Map<string, SemanticEntry>()
  for (const entry of entries) if (entry.score > (best.get(entry.id)?.score ?? -1)) best.set(entry.id, entry)
  return [...best.values()]
}

/** What holds now, or at the time asked for: later memories are not among the sources then. */
function isAsked({ valid_from, valid_to }: FactOverTime, { intent, asOf }: Answering): boolean {
  if (asOf !== undefined) {
    return (valid_from === null || valid_from <= asOf) && (valid_to === null || valid_to > asOf)
  }
  return valid_to === null || intent.asksByTime
}

function factEntry(
  { id, fact }: { id: string; fact: FactOverTime },
  parts: FactScore,
  answering: Answering
): SemanticEntry {
  const { subject, predicate, value, confidence, source_ids, valid_from, valid_to, span, contradicted_by } = fact
  return {
    id,
    score: parts.score * timeliness(fact, answering),
    source_ids,
    subject,
    predicate,
    value,
    confidence,
    valid_from,
    valid_to,
    span,
    ...(answering.explain ? { explanation: { ...parts, contradicted_by } } : {})
  }
}

/**
 * Gives facts their ids: equal wherever and in whatever words the claim is made, and whether or not it still holds. One
 * that holds for a second time, after an end, is another fact.
 */
function createIdentifier(): (fact: FactOverTime) => string {
  const times = new Map<string, number>()
  return ({ keys: { subject, predicate, value }, negated, modality }) => {
    const claim = [subject, predicate, value, negated === true ? 'not' : '', modality ?? '']
    const id = derivedId('fact', claim)
    const time = (times.get(id) ?? 0) + 1
    times.set(id, time)
    return time === 1 ? id : derivedId('fact', [...claim, String(time)])
  }
}

function timeliness({ valid_from, valid_to }: FactOverTime, { intent, asOf }: Answering): number {
  const { period } = intent
  if (asOf !== undefined) return 1
  if (period === undefined) return valid_to === null ? 1 : ANSWER.SUPERSEDED
  const overlaps = (valid_from ?? '') < period.to && (valid_to === null || valid_to > period.from)
  return overlaps ? 1 : ANSWER.OTHER_TIME
}

import type { SemanticEntry } from '../../contract/memory-response.ts'
import type { FactOverTime } from '../../memory/graph/fact-over-time.ts'
import { factsOverTime } from '../../memory/graph/facts-over-time.ts'
import { derivedId } from '../derived-id.ts'
import { ANSWER } from './answer-constants.ts'
import type { Answering } from './answering.ts'
import type { Candidate } from './candidate.ts'
import { bestFirst } from './entry.ts'
import { createFactScorer, type FactScore, type ScoredFact } from './fact-score.ts'
import { relevantFacts } from './relevant-facts.ts'
import { varied } from './varied.ts'

/**
 * Facts that answer, best first: those of the candidates, held against what the whole snapshot says of the same
 * attributes, so that an entry is what all its sources say and when it held. What no longer holds is left out unless the
 * query asks by time.
 */
export function factEntries(answering: Answering, candidates: readonly Candidate[]): SemanticEntry[] {
  const scoreOf = createFactScorer(answering.words, answering.intent)
  const scores = new Map(candidates.map(({ record, score }) => [record.id, score]))
  const idOf = createIdentifier()
  const facts = factsOverTime(relevantFacts(answering, candidates, scoreOf)).map((fact) => ({ id: idOf(fact), fact }))
  const score = createSourceScorer(
    facts.map(({ fact }) => fact),
    scores,
    scoreOf
  )
  const asked = facts.filter(({ fact }) => isAsked(fact, answering))
  const entries = asked.map(({ id, fact }) => factEntry({ id, fact }, score(fact), answering))
  return varied(bestFirst(entries.filter(({ score }) => score > 0)))
}

/**
 * Scores facts with the best of their memories. What the query found of an attribute speaks for its other values too, for
 * as much as these have of the query's words: the memory that tells where somebody lives now may say it in other words.
 */
function createSourceScorer(
  facts: readonly FactOverTime[],
  scores: ReadonlyMap<string, number>,
  scoreOf: (fact: ScoredFact) => FactScore
): (fact: FactOverTime) => FactScore {
  const own = (fact: FactOverTime): FactScore => {
    const source = fact.source_ids.reduce((best, id) => Math.max(best, scores.get(id) ?? 0), 0)
    return scoreOf({ ...fact, source })
  }
  const found = new Map<string, FactScore>()
  for (const fact of facts) {
    if (!fact.isSingle) continue
    const parts = own(fact)
    const key = attributeOf(fact)
    if (parts.source > (found.get(key)?.source ?? 0)) found.set(key, parts)
  }
  return (fact) => {
    const parts = own(fact)
    const best = fact.isSingle ? found.get(attributeOf(fact)) : undefined
    if (best === undefined || best.words === 0) return parts
    const lent = best.source * Math.min(1, parts.words / best.words)
    return lent > parts.source ? scoreOf({ ...fact, source: lent }) : parts
  }
}

function attributeOf({ keys }: FactOverTime): string {
  return `${keys.predicate}|${keys.subject}`
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

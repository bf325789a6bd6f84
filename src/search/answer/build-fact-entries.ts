import type { SemanticEntry } from '../../contract/memory-response.ts'
import type { FactOverTime } from '../../memory/graph/fact-over-time.ts'
import { resolveFacts } from '../../memory/graph/resolve-facts.ts'
import { ANSWER } from './answer-constants.ts'
import { type Answering, type Candidate, deriveId, sortBestFirst } from './answering.ts'
import {
  blendScore,
  createFactScorer,
  createFactWords,
  type FactScore,
  rateTraitsFit,
  type ScoreFact
} from './fact-score.ts'
import { findNamedMemories } from './find-named-memories.ts'
import { findRelevantFacts } from './find-relevant-facts.ts'
import { type JoinedFacts, joinFacts } from './joined-facts.ts'

/**
 * Builds facts, best first: those of the candidates, and those about subjects that the query names. They are compared
 * with everything the snapshot says about the same attributes, so that each entry combines all its sources and the
 * period for which it held. Facts that no longer hold are left out unless the query asks about time. If two facts
 * together answer what neither answers alone, the second becomes an entry with the memories of both as sources.
 */
export function buildFactEntries(answering: Answering, candidates: readonly Candidate[]): SemanticEntry[] {
  const read = createFactWords(answering.words)
  const scoreOf = createFactScorer(answering, read)
  const best = candidates.map(({ record }) => record)
  const named = findNamedMemories(answering, best)
  const told = [...candidates, ...named.map((record) => ({ record, score: 0 }))]
  const stated = findRelevantFacts(answering, told, scoreOf)
  const ground = { stated, facts: resolveFacts(stated), records: [...best, ...named] }
  const { facts, joined } = joinFacts(ground, answering, read)
  const idOf = createIdentifier()
  const ids = new Map(facts.map((fact) => [fact, idOf(fact)]))
  const scores = new Map(candidates.map(({ record, score }) => [record.id, score]))
  const score = createSourceScorer(facts, scores, scoreOf)
  const toEntry = (fact: FactOverTime): SemanticEntry =>
    toFactEntry({ id: ids.get(fact) ?? idOf(fact), fact }, score(fact), answering)
  const steps = new Set(joined.map(({ first }) => first))
  const holdBack = (fact: FactOverTime, entry: SemanticEntry): SemanticEntry =>
    steps.has(fact) ? { ...entry, score: entry.score * ANSWER.STEP } : entry
  const direct = facts.filter((fact) => isAsked(fact, answering)).map((fact) => holdBack(fact, toEntry(fact)))
  const joins = joined.map((two) => joinEntry(two, { answering, score, toEntry }))
  return varySources(sortBestFirst(dropRepeats([...direct, ...joins]).filter(({ score }) => score > 0)))
}

/** Keeps the better entry of a fact that answers both alone and joined. */
function dropRepeats(entries: readonly SemanticEntry[]): SemanticEntry[] {
  const best = new Map<string, SemanticEntry>()
  for (const entry of entries) if (entry.score > (best.get(entry.id)?.score ?? -1)) best.set(entry.id, entry)
  return [...best.values()]
}

/**
 * Checks whether a fact holds now or at the requested time; in the second case, later memories are not among the
 * sources.
 */
function isAsked({ valid_from, valid_to }: FactOverTime, { intent, asOf }: Answering): boolean {
  if (asOf !== undefined) {
    return (valid_from === null || valid_from <= asOf) && (valid_to === null || valid_to > asOf)
  }
  return valid_to === null || intent.asksByTime
}

function toFactEntry(
  { id, fact }: { id: string; fact: FactOverTime },
  parts: FactScore,
  answering: Answering
): SemanticEntry {
  const { subject, predicate, value, confidence, source_ids, valid_from, valid_to, span, contradicted_by } = fact
  return {
    id,
    score: parts.score * rateTimeliness(fact, answering),
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
 * Creates a function that gives facts their ids. A claim has the same id in any wording and any place, whether or not
 * it still holds. A fact that holds again after an end gets another id.
 */
function createIdentifier(): (fact: FactOverTime) => string {
  const times = new Map<string, number>()
  return ({ keys: { subject, predicate, value }, negated, modality }) => {
    const claim = [subject, predicate, value, negated === true ? 'not' : '', modality ?? '']
    const id = deriveId('fact', claim)
    const time = (times.get(id) ?? 0) + 1
    times.set(id, time)
    return time === 1 ? id : deriveId('fact', [...claim, String(time)])
  }
}

function rateTimeliness({ valid_from, valid_to }: FactOverTime, { intent, asOf }: Answering): number {
  const { period } = intent
  if (asOf !== undefined) return 1
  if (period === undefined) return valid_to === null ? 1 : ANSWER.SUPERSEDED
  const overlaps = (valid_from ?? '') < period.to && (valid_to === null || valid_to > period.from)
  return overlaps ? 1 : ANSWER.OTHER_TIME
}

type Making = {
  answering: Answering
  score: (fact: FactOverTime) => FactScore
  toEntry: (fact: FactOverTime) => SemanticEntry
}

/**
 * Builds the entry of two facts that answer together: the second fact, with the memories of both as sources, its own
 * first. Its confidence combines both; its score comes from the better memory.
 */
function joinEntry(
  { first, second, covered, answer }: JoinedFacts,
  { answering, score, toEntry }: Making
): SemanticEntry {
  const [before, after] = [score(first), score(second)]
  const [step, entry] = [toEntry(first), toEntry(second)]
  const lent = ANSWER.LENT * (answering.inquiry.hits[0]?.score ?? 0) * covered
  const parts = {
    words: covered,
    subject: Math.max(before.subject, after.subject),
    source: Math.max(before.source, after.source, lent),
    confidence: first.confidence * second.confidence,
    fit: rateTraitsFit(`${second.predicate} ${answer}`, answering.intent.traits)
  }
  const source_ids = [...new Set([...entry.source_ids, ...step.source_ids])]
  const joined = { ...entry, score: blendScore(parts) * ANSWER.JOINED, source_ids }
  if (!answering.explain) return joined
  const path = [step, entry].map(({ id, subject, predicate, value, source_ids }) => ({
    id,
    subject,
    predicate,
    value,
    source_ids
  }))
  return { ...joined, explanation: { ...entry.explanation, ...parts, path } }
}

/**
 * Creates a function that scores facts by the best of their memories. A match for one value of an attribute also
 * supports its other values, to the extent that these share terms with the query: the memory with the current address
 * may use other words.
 */
function createSourceScorer(
  facts: readonly FactOverTime[],
  scores: ReadonlyMap<string, number>,
  scoreOf: ScoreFact
): (fact: FactOverTime) => FactScore {
  const scoreOwn = (fact: FactOverTime): FactScore => {
    const source = fact.source_ids.reduce((best, id) => Math.max(best, scores.get(id) ?? 0), 0)
    return scoreOf({ ...fact, source })
  }
  const found = new Map<string, FactScore>()
  for (const fact of facts) {
    if (!fact.isSingle) continue
    const parts = scoreOwn(fact)
    const key = toAttributeKey(fact)
    if (parts.source > (found.get(key)?.source ?? 0)) found.set(key, parts)
  }
  return (fact) => {
    const parts = scoreOwn(fact)
    const best = fact.isSingle ? found.get(toAttributeKey(fact)) : undefined
    if (best === undefined || best.words === 0) return parts
    const lent = best.source * Math.min(1, parts.words / best.words)
    return lent > parts.source ? scoreOf({ ...fact, source: lent }) : parts
  }
}

function toAttributeKey({ keys }: FactOverTime): string {
  return `${keys.predicate}|${keys.subject}`
}

/**
 * Lowers the score of facts, given best first, that come from the same memory as a better one. One memory may contain a
 * dozen facts.
 */
function varySources(entries: readonly SemanticEntry[]): SemanticEntry[] {
  const told = new Set<string>()
  const weighed = entries.map((entry) => {
    const [memory = ''] = entry.source_ids
    const isFurther = told.has(memory)
    for (const id of entry.source_ids) told.add(id)
    return isFurther ? { ...entry, score: entry.score * ANSWER.SAME_MEMORY } : entry
  })
  return sortBestFirst(weighed)
}

import type { MemoryRecord } from '../../contract/snapshot.ts'
import { readFacts } from '../../memory/extracted.ts'
import { isCorrection, type StatedFact } from '../../memory/graph/fact-over-time.ts'
import { createKeyReader } from '../index/collect-about-terms.ts'
import { ANSWER } from './answer-constants.ts'
import type { Answering, Candidate } from './answering.ts'
import type { FactScore, ScoredFact } from './fact-score.ts'
import { createFoundMemories } from './find-named-memories.ts'

/** What is needed to look up what memories state. */
export type StatementGrounds = Pick<Answering, 'inquiry' | 'read' | 'supersededBy'>

/** A memory whose facts may answer, with its score as a source; 0 if it was not found as one. */
export type ScoredMemory = Pick<Candidate, 'record' | 'score'>

/**
 * Returns the candidates' facts that share a term with the query, and all facts of any memory about the same attributes
 * as the best of them, because those may end or contradict them.
 */
export function findRelevantFacts(
  answering: Answering,
  candidates: readonly ScoredMemory[],
  scoreOf: (fact: ScoredFact) => FactScore
): StatedFact[] {
  const stated = candidates.flatMap(({ record, score }) =>
    readStatedFacts(record, answering).map((one) => ({ one, source: score }))
  )
  const looked = stated.slice(0, ANSWER.FACTS_MAX).map(({ one, source }) => {
    const confidence = one.fact.confidence ?? ANSWER.CONFIDENCE_UNSTATED
    return { one, score: scoreOf({ ...one.fact, confidence, source }).score }
  })
  const best = looked
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score)
    .slice(0, Math.max(ANSWER.BEST_FACTS, 2 * answering.limit))
    .map(({ one }) => one)
  return [...best, ...findSameAttributes(best, answering)]
}

/**
 * Returns the facts with the same keys as the best ones, from memories that the index lists. Repeated facts are counted
 * once later.
 */
export function findSameAttributes(best: readonly StatedFact[], answering: StatementGrounds): StatedFact[] {
  const keysOf = createKeyReader()
  const keys = new Set<string>()
  for (const { fact } of best) {
    if (keys.size >= ANSWER.KEYS_MAX) break
    for (const key of keysOf(fact)) keys.add(key)
  }
  const shares = ({ fact }: StatedFact): boolean => keysOf(fact).some((key) => keys.has(key))
  return readMemoriesWith(keys, answering).flatMap((record) => readStatedFacts(record, answering).filter(shares))
}

/** Returns the facts of a memory with their speaker and time. */
export function readStatedFacts(record: MemoryRecord, { supersededBy }: Pick<Answering, 'supersededBy'>): StatedFact[] {
  const facts = readFacts(record)
  if (facts.length === 0) return []
  const { id, at, undated, conversation, speaker } = record
  const superseded = supersededBy(record)
  const source = { id, at, undated, conversation, speaker, superseded, isCorrection: isCorrection(record.text) }
  return facts.map((fact) => ({ fact, source }))
}

function readMemoriesWith(keys: ReadonlySet<string>, answering: StatementGrounds): MemoryRecord[] {
  const found = createFoundMemories(answering, { known: [], limit: ANSWER.KEYED_MEMORIES_MAX })
  for (const key of keys) found.take(answering.inquiry.keyed(key, ANSWER.KEY_MEMORIES_MAX))
  return found.records()
}

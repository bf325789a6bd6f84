import type { MemoryRecord } from '../../contract/snapshot.ts'
import { factsOf } from '../../memory/extracted.ts'
import type { StatedFact } from '../../memory/graph/fact-over-time.ts'
import { createKeyReader, type KeyReader } from '../index/fact-terms.ts'
import { ANSWER } from './answer-constants.ts'
import type { Answering } from './answering.ts'
import type { Candidate } from './candidate.ts'
import type { FactScore, ScoredFact } from './fact-score.ts'

/**
 * The facts of the candidates that share a word with the query, and all others, of any memory, that speak of the same
 * attribute of the same thing as the best of them: those may end or contradict them.
 */
export function relevantFacts(
  answering: Answering,
  candidates: readonly Candidate[],
  scoreOf: (fact: ScoredFact) => FactScore
): StatedFact[] {
  const keysOf = createKeyReader()
  const stated = candidates.flatMap(({ record, score }) => statedIn(record).map((one) => ({ one, source: score })))
  const looked = stated.slice(0, ANSWER.FACTS_MAX).map(({ one, source }) => {
    const confidence = one.fact.confidence ?? ANSWER.CONFIDENCE_UNSTATED
    return { one, score: scoreOf({ ...one.fact, confidence, source }).score }
  })
  const ranked = looked.filter(({ score }) => score > 0).sort((left, right) => right.score - left.score)
  const best = ranked.slice(0, Math.max(ANSWER.BEST_FACTS, 3 * answering.limit))
  const keys = new Set<string>()
  for (const { one } of best) {
    if (keys.size >= ANSWER.KEYS_MAX) break
    for (const key of keysOf(one.fact)) keys.add(key)
  }
  const taken = new Set(best)
  const rest = looked.filter((each) => !taken.has(each) && hasKey(each.one, keys, keysOf)).map(({ one }) => one)
  const elsewhere = memoriesWith(keys, answering, new Set(candidates.map(({ record }) => record.id)))
  const others = elsewhere.flatMap(statedIn).filter((one) => hasKey(one, keys, keysOf))
  return [...best.map(({ one }) => one), ...rest, ...others]
}

function statedIn(record: MemoryRecord): StatedFact[] {
  const { id, at, undated, conversation, speaker } = record
  return factsOf(record).map((fact) => ({ fact, source: { id, at, undated, conversation, speaker } }))
}

function hasKey({ fact }: StatedFact, keys: ReadonlySet<string>, keysOf: KeyReader): boolean {
  return keys.size > 0 && keysOf(fact).some((key) => keys.has(key))
}

/** Memories with facts of these keys, those that are known already left out. */
function memoriesWith(keys: ReadonlySet<string>, { inquiry, read }: Answering, known: Set<string>): MemoryRecord[] {
  const found: MemoryRecord[] = []
  for (const key of keys) {
    for (const place of inquiry.keyed(key, ANSWER.KEY_MEMORIES_MAX)) {
      if (found.length >= ANSWER.KEYED_MEMORIES_MAX) return found
      const record = read(place)
      if (record === undefined || known.has(record.id)) continue
      known.add(record.id)
      found.push(record)
    }
  }
  return found
}

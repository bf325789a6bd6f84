import type { SemanticEntry } from '../../contract/memory-response.ts'
import type { FactOverTime } from '../../memory/graph/fact-over-time.ts'
import { ANSWER } from './answer-constants.ts'
import type { Answering } from './answering.ts'
import { blended, type FactScore, traitsFit } from './fact-score.ts'
import type { JoinedFacts } from './joined-facts.ts'

type Making = {
  answering: Answering
  score: (fact: FactOverTime) => FactScore
  entryOf: (fact: FactOverTime) => SemanticEntry
}

/**
 * The entry of two facts that answer together: the second, which rests on the memories of both, its own first. It is as
 * sure as both are, and stands on the better of their memories.
 */
export function joinedEntry(
  { first, second, covered, answer }: JoinedFacts,
  { answering, score, entryOf }: Making
): SemanticEntry {
  const [before, after] = [score(first), score(second)]
  const [step, entry] = [entryOf(first), entryOf(second)]
  const lent = ANSWER.LENT * (answering.inquiry.hits[0]?.score ?? 0) * covered
  const parts = {
    words: covered,
    subject: Math.max(before.subject, after.subject),
    source: Math.max(before.source, after.source, lent),
    confidence: first.confidence * second.confidence,
    fit: traitsFit(`${second.predicate} ${answer}`, answering.intent.traits)
  }
  const source_ids = [...new Set([...entry.source_ids, ...step.source_ids])]
  const joined = { ...entry, score: blended(parts) * ANSWER.JOINED, source_ids }
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

import type { FactOverTime } from '../../memory/graph/fact-over-time.ts'
import type { FactScore, ScoreFact } from './fact-score.ts'

/**
 * Scores facts with the best of their memories. What the query found of an attribute speaks for its other values too, for
 * as much as these have of the query's words: the memory that tells where somebody lives now may say it in other words.
 */
export function createSourceScorer(
  facts: readonly FactOverTime[],
  scores: ReadonlyMap<string, number>,
  scoreOf: ScoreFact
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

import type { IndexReader } from '../index/index-reader.ts'
import { RANKING } from './ranking-constants.ts'
import type { Best, Demand, Scorer } from './score-documents.ts'

/** The best document of each memory, best first: of a long text the passage that answers best. */
export type BestMemories = Best & {
  /** So many of the first are far enough ahead to be put in order by further evidence as well. */
  pool: number
}

/**
 * The best memories, at least `limit` and a pool where there are so many; more may be given. They are the same in the same
 * order whatever the limit is, as far as it goes.
 */
export function createBestMemories(
  index: IndexReader,
  scorer: Scorer
): (demand: Demand, limit: number) => BestMemories {
  return (demand, limit) => {
    const wanted = Math.max(limit, RANKING.POOL)
    if (index.passages() === undefined) {
      const best = scorer.best(demand, wanted)
      return { ...best, pool: Math.min(best.documents.length, RANKING.POOL) }
    }
    for (let documents = 2 * wanted; ; documents *= MORE) {
      const best = scorer.best(demand, documents)
      const memories = onePassageEach(index, best)
      const missing = (documents < POOL_DOCUMENTS ? wanted : limit) - memories.documents.length
      if (missing <= 0 || best.documents.length < documents) return memories
    }
  }
}

/** Where long texts take up too many places among the best, so many times as many are asked for. */
const MORE = 4
/** Only the best so many documents have a part in the pool, of however few memories they are. */
const POOL_DOCUMENTS = 16 * RANKING.POOL

function onePassageEach(index: IndexReader, { documents, scores }: Best): BestMemories {
  const seen = new Set<number>()
  const best: BestMemories = { documents: [], scores: [], pool: 0 }
  documents.forEach((document, place) => {
    const memory = index.firstOf(document)
    if (seen.has(memory)) return
    seen.add(memory)
    best.documents.push(document)
    best.scores.push(scores[place] ?? 0)
    if (place < POOL_DOCUMENTS && best.pool < RANKING.POOL) best.pool++
  })
  return best
}

import type { IndexReader } from '../index/index-reader.ts'
import { RANKING } from './ranking-constants.ts'
import type { Best, Demand, Scorer } from './score-documents.ts'

/** The best document of each memory, best first: of a long text the passage that answers best. */
export type BestMemories = Best & {
  /** So many of the first are far enough ahead to be put in order by further evidence as well. */
  pool: number
  /** By document of the pool: the scores of further passages of its memory that are no worse than the last of the pool. */
  others: ReadonlyMap<number, readonly number[]>
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
      return { ...best, pool: Math.min(best.documents.length, RANKING.POOL), others: NONE }
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

/** Further passages of a memory whose scores are kept. */
const OTHERS_MAX = 8

const NONE: BestMemories['others'] = new Map()

function onePassageEach(index: IndexReader, { documents, scores }: Best): BestMemories {
  const bestOf = new Map<number, number>()
  const others = new Map<number, number[]>()
  const best = { documents: [] as number[], scores: [] as number[], pool: 0, others }
  documents.forEach((document, place) => {
    const isPooled = place < POOL_DOCUMENTS && best.pool < RANKING.POOL
    const memory = index.firstOf(document)
    const known = bestOf.get(memory)
    const score = scores[place] ?? 0
    if (known === undefined) {
      bestOf.set(memory, document)
      best.documents.push(document)
      best.scores.push(score)
      if (isPooled) best.pool++
    } else if (isPooled) {
      const more = others.get(known)
      if (more === undefined) others.set(known, [score])
      else if (more.length < OTHERS_MAX) more.push(score)
    }
  })
  return best
}

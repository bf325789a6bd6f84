import type { WeighedEvidence } from './evidence/all-evidence.ts'
import type { Pool } from './evidence/pool.ts'
import { newerFirst } from './newer-first.ts'
import { createTopDocuments } from './top-documents.ts'

/** What a piece of evidence gave: its value from 0 to 1, its weight, and the part of the attainable score that these make. */
export type EvidencePart = { name: string; value: number; weight: number; part: number }

export type Reranked = {
  /** Best first: of equal ones the newer, then that with the smaller id. */
  documents: number[]
  /** In the same order: parts of the attainable score, over 0 and up to 1. */
  scores: number[]
  /** How much of the attainable score words give at most. */
  wordsShare: number
  /** What the evidence gave to the document at a place of the pool; nothing to those outside. */
  evidenceFor(place: number | undefined): EvidencePart[]
}

/** The best so many of a pool by words and evidence together: a weighted sum, as a part of what is attainable. */
export function rerank(pool: Pool, evidence: readonly WeighedEvidence[], limit: number): Reranked {
  const { index, documents, base } = pool
  const found = evidence.flatMap(({ name, weight, valuesOf }) => {
    const values = valuesOf(pool)
    return values === undefined ? [] : [{ name, weight, values }]
  })
  const attainable = found.reduce((sum, { weight }) => sum + weight, 1)
  const scores = base.map((score, place) => {
    let sum = score
    for (const { weight, values } of found) sum += weight * (values[place] ?? 0)
    return sum / attainable
  })
  const newer = newerFirst(index)
  const top = createTopDocuments(limit, (left, right) => {
    return (scores[right] ?? 0) - (scores[left] ?? 0) || newer(documents[left] ?? 0, documents[right] ?? 0)
  })
  for (let place = 0; place < documents.length; place++) top.offer(place)
  const best = top.best()
  return {
    documents: best.map((place) => documents[place] ?? 0),
    scores: best.map((place) => scores[place] ?? 0),
    wordsShare: 1 / attainable,
    evidenceFor(place) {
      if (place === undefined) return []
      return found.map(({ name, weight, values }) => {
        const value = values[place] ?? 0
        return { name, value, weight: weight / attainable, part: (weight * value) / attainable }
      })
    }
  }
}

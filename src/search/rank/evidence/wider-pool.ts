import type { Scorer } from '../score-documents.ts'
import type { Pool } from './pool.ts'

/** A pool with one more document, to see what evidence would give that one. `base` is what its words give it. */
export function widerPool(pool: Pool, more: { document: number; base: number }, scorer: Scorer): Pool {
  const documents = Uint32Array.from([...pool.documents, more.document]).sort()
  const place = documents.indexOf(more.document)
  const base = Float64Array.from(documents, (document) =>
    document === more.document ? more.base : (pool.base[pool.placeOf(document) ?? 0] ?? 0)
  )
  const placeOf = (document: number): number | undefined => {
    if (document === more.document) return place
    const before = pool.placeOf(document)
    return before === undefined || before < place ? before : before + 1
  }
  return { ...pool, documents, base, placeOf, mentions: (lists) => scorer.mentionsOfEach(lists, documents) }
}

import type { Pool } from './pool.ts'

/** How far a turn is no question, where the query is one: another question seldom answers it. What stands alone is none. */
export function plainStatement({ index, query, documents }: Pool): Float64Array | undefined {
  if (!query.asks) return undefined
  const grades = index.asks()
  const { reach } = index.neighbours()
  return Float64Array.from(documents, (document) => (reach[document] === 0 ? 1 : 1 - (grades[document] ?? 0) / 2))
}

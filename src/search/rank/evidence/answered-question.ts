import type { Pool } from './pool.ts'

/** Of `questionGrade`: ends in a question mark. */
const QUESTION = 2

/** How well the turn before fits, where that is a question: the next one often answers it in words of its own. */
export function answeredQuestion({ index, query, documents, base, placeOf }: Pool): Float64Array | undefined {
  if (!query.asks) return undefined
  const asks = index.asks()
  const { before } = index.neighbours()
  return Float64Array.from(documents, (document) => {
    const question = before(document)
    if (question < 0 || asks[question] !== QUESTION) return 0
    const place = placeOf(question)
    return place === undefined ? 0 : (base[place] ?? 0)
  })
}

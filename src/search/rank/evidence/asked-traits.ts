import type { Pool } from './pool.ts'

/** Whether a text has what the question asks for: a time for `when`, a name for `who` and `where`. */
export function askedTraits({ index, query, documents }: Pool): Float64Array | undefined {
  if (query.traits === 0) return undefined
  const traits = index.traits()
  return Float64Array.from(documents, (document) => (((traits[document] ?? 0) & query.traits) === 0 ? 0 : 1))
}

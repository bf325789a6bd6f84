import type { Pool } from './pool.ts'

/** How far around a turn is looked, in turns: what is talked about for a while. */
const TURNS = 8
/** The best so many, the turn itself among them. */
const BEST = 5

/**
 * How well the talk around a turn answers: how likely it is that one of the best turns near it does, were their scores
 * independent chances (noisy-or). For a memory that stands alone: its own score.
 */
export function nearbyTurns({ index, documents, base, placeOf }: Pool): Float64Array {
  const { before, after } = index.neighbours()
  const values = new Float64Array(documents.length)
  const around: number[] = []
  for (let place = 0; place < values.length; place++) {
    around.length = 0
    around.push(base[place] ?? 0)
    for (const next of [before, after]) {
      let document = next(documents[place] ?? 0)
      for (let step = 0; step < TURNS && document >= 0; step++) {
        const near = placeOf(document)
        if (near !== undefined) around.push(base[near] ?? 0)
        document = next(document)
      }
    }
    around.sort((left, right) => right - left)
    let none = 1
    for (let at = 0; at < around.length && at < BEST; at++) none *= 1 - (around[at] ?? 0)
    values[place] = 1 - none
  }
  return values
}

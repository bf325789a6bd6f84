import type { Pool } from './pool.ts'

/** How far around a turn is looked, in turns: what is talked about for a while. */
const TURNS = 8
/** The best so many, the turn itself among them. */
const BEST = 5

/**
 * How well the talk around a turn, or the rest of a long text, answers: how likely it is that one of the best turns near
 * by or passages does, were their scores independent chances (noisy-or). What stands alone and is short is taken to have
 * its like beside it: else everything that has something beside it would be ahead.
 */
export function nearbyTurns({ index, documents, base, others, placeOf }: Pool): Float64Array {
  const { before, after, reach } = index.neighbours()
  const values = new Float64Array(documents.length)
  const around: number[] = []
  for (let place = 0; place < values.length; place++) {
    around.length = 0
    around.push(base[place] ?? 0, ...others(documents[place] ?? 0))
    for (const next of [before, after]) {
      let document = next(documents[place] ?? 0)
      for (let step = 0; step < TURNS && document >= 0; step++) {
        const near = placeOf(document)
        if (near !== undefined) around.push(base[near] ?? 0)
        document = next(document)
      }
    }
    if (around.length === 1 && reach[documents[place] ?? 0] === 0) around.push(base[place] ?? 0)
    around.sort((left, right) => right - left)
    let none = 1
    for (let at = 0; at < around.length && at < BEST; at++) none *= 1 - (around[at] ?? 0)
    values[place] = 1 - none
  }
  return values
}

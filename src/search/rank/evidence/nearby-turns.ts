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
export function nearbyTurns(pool: Pool): Float64Array {
  const { index, documents, base, others } = pool
  const { reach } = index.neighbours()
  return Float64Array.from(documents, (document, place) => {
    const own = base[place] ?? 0
    const around = [own, ...others(document), ...turnsAround(pool, document)]
    if (around.length === 1 && reach[document] === 0) around.push(own)
    return oneOf(around)
  })
}

/** The scores of turns near by that are in the pool. */
function turnsAround({ index, base, placeOf }: Pool, document: number): number[] {
  const { before, after } = index.neighbours()
  const scores: number[] = []
  for (const next of [before, after]) {
    let near = next(document)
    for (let step = 0; step < TURNS && near >= 0; step++) {
      const place = placeOf(near)
      if (place !== undefined) scores.push(base[place] ?? 0)
      near = next(near)
    }
  }
  return scores
}

/** How likely it is that one of the best chances comes true, 0 to 1. */
function oneOf(chances: number[]): number {
  chances.sort((left, right) => right - left)
  return 1 - chances.slice(0, BEST).reduce((none, chance) => none * (1 - chance), 1)
}

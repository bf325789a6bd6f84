/** Pseudorandom numbers that a seed determines. */
export type Chance = {
  /** Returns an integer from 0 to below `below`. */
  number(below: number): number
  /** Returns true with the given percentage. */
  percent(often: number): boolean
  pick<T>(from: readonly T[]): T
}

/** mulberry32 by Tommy Ettinger, in the public domain. */
export function seeded(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const chance: Chance = {
    number: (below) => Math.floor(next() * below),
    percent: (often) => next() * 100 < often,
    pick(from) {
      const found = from[chance.number(from.length)]
      if (found === undefined) throw new Error('there is nothing to pick from')
      return found
    }
  }
  return chance
}

import { type Chance, seeded } from '../server/sync/storm/seeded.ts'

/**
 * Random numbers of one seed, by the name of the decision. The nth decision of a name depends only on the seed, the
 * name and n, so that removing steps from a scenario does not change the remaining decisions.
 */
export type KeyedChance = {
  /** Returns the numbers for the next decision of this name. */
  next(name: string): Chance
}

export function createKeyedChance(seed: number): KeyedChance {
  const counts = new Map<string, number>()
  return {
    next(name) {
      const count = counts.get(name) ?? 0
      counts.set(name, count + 1)
      return seeded(hashText(`${seed} ${count} ${name}`))
    }
  }
}

/** Returns 32 bits of a text: FNV-1a, with the finalizer of MurmurHash3. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

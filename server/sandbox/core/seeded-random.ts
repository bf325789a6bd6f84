import { createHash } from 'node:crypto'

/** Numbers in [0, 1), the same for the same seed: the hash of the seed and a counter. Not for secrets. */
export function seededRandom(seed: string): () => number {
  let count = 0
  return () => {
    count += 1
    return createHash('sha256').update(`${seed} ${count}`).digest().readUIntBE(0, 6) / 2 ** 48
  }
}

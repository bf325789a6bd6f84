import { createHash } from 'node:crypto'

/**
 * Returns a function that generates numbers in [0, 1) from a hash of the seed and a counter. The same seed gives the
 * same numbers. Not for secrets.
 */
export function createSeededRandom(seed: string): () => number {
  let count = 0
  return () => {
    count += 1
    return createHash('sha256').update(`${seed} ${count}`).digest().readUIntBE(0, 6) / 2 ** 48
  }
}

/**
 * Returns the content of a seed file. In its strings, `{{text*count}}` repeats the text. The type is unchecked: the
 * files are part of this repository, and a test seeds every account from them.
 */
export function readSeed<T>(data: unknown): T {
  return expandRepeats(data) as T
}

function expandRepeats(data: unknown): unknown {
  if (typeof data === 'string')
    return data.replace(/\{\{([^{}*]+)\*(\d+)\}\}/g, (_, text: string, count: string) => text.repeat(Number(count)))
  if (Array.isArray(data)) return data.map(expandRepeats)
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, expandRepeats(value)]))
}

import { createHash } from 'node:crypto'
import type { Clock } from '../../../src/ports.ts'
import { CHECK_BYTES } from '../../storage/port/record-batch.ts'

/**
 * Computes the root hash of lines that arrive one after another: SHA-256 over their sorted checks. It needs 32 bytes of
 * memory for each line.
 */
export type RootHash = {
  /** Adds checks of 32 bytes each. */
  add(checks: Uint8Array): void
  /** Computes the hash in slices that leave the thread free for other work. */
  digest(): Promise<string>
}

/** Creates a root hash without lines. */
export function createRootHash(clock: Clock): RootHash {
  const parts: Uint8Array[] = []
  return {
    add: (checks) => void parts.push(checks),
    async digest() {
      const hash = createHash('sha256')
      let since = clock.ticks()
      for (const bucket of sortIntoBuckets(parts)) {
        for (const check of bucket.sort(Buffer.compare)) hash.update(check)
        if (clock.ticks() - since < SLICE_MS) continue
        await clock.wait(0)
        since = clock.ticks()
      }
      return hash.digest('hex')
    }
  }
}

const SLICE_MS = 5
const BUCKETS = 256

/** Sorts checks into buckets by their first byte. Checks are hashes, so the buckets have similar sizes. */
function sortIntoBuckets(parts: readonly Uint8Array[]): Uint8Array[][] {
  const buckets: Uint8Array[][] = Array.from({ length: BUCKETS }, () => [])
  for (const part of parts) {
    for (let at = 0; at < part.length; at += CHECK_BYTES) {
      buckets[part[at] as number]?.push(part.subarray(at, at + CHECK_BYTES))
    }
  }
  return buckets
}

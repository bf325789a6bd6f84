import { createHash } from 'node:crypto'
import type { Clock } from '../../../src/ports.ts'
import { CHECK_BYTES } from '../../storage/port/record-batch.ts'

/** The root hash of lines that come one after another: SHA-256 over their checks, sorted. 32 bytes of memory a line. */
export type RootHash = {
  /** Checks of 32 bytes each. */
  add(checks: Uint8Array): void
  /** In slices, between which the thread is free for others. */
  digest(): Promise<string>
}

/** A root hash of no lines yet. */
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

/** Checks by their first byte. They are hashes, so that the buckets are of about one size. */
function sortIntoBuckets(parts: readonly Uint8Array[]): Uint8Array[][] {
  const buckets: Uint8Array[][] = Array.from({ length: BUCKETS }, () => [])
  for (const part of parts) {
    for (let at = 0; at < part.length; at += CHECK_BYTES) {
      buckets[part[at] as number]?.push(part.subarray(at, at + CHECK_BYTES))
    }
  }
  return buckets
}

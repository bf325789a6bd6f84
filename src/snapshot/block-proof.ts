import { createHash } from 'node:crypto'
import { BLOCK_BYTES } from './file/limits.ts'
import type { Source } from './file/source.ts'
import { sha256 } from './record/compute-check.ts'

/**
 * SHA-256 of every 1 MiB block of a file's first `end` bytes; the last block may be shorter. Size, inode, times or a
 * hash of the last block do not prove that earlier bytes are unchanged: git reuses inodes, and editors keep times.
 */
export type BlockProof = { end: number; blocks: string[] }

/** A source whose bytes are hashed while they are read in order, so that the proof covers the bytes that were read. */
export type HashingSource = {
  source: Source
  /** Returns the proof up to `end`, or undefined if the bytes up to there were not read in order. */
  proofTo(end: number): BlockProof | undefined
}

/**
 * Creates a hashing source that continues an earlier proof. The last block of that proof is read again and must be
 * unchanged.
 */
export function createHashingSource(source: Source, from: BlockProof = { end: 0, blocks: [] }): HashingSource {
  const whole = Math.floor(from.end / BLOCK_BYTES)
  const blocks = from.blocks.slice(0, whole)
  const block = Buffer.allocUnsafe(BLOCK_BYTES)
  let next = whole * BLOCK_BYTES
  let used = 0
  let isBroken = false

  const take = (bytes: Uint8Array): void => {
    for (let done = 0; done < bytes.length; ) {
      if (used === BLOCK_BYTES) {
        blocks.push(sha256(block))
        used = 0
      }
      const part = bytes.subarray(done, done + BLOCK_BYTES - used)
      block.set(part, used)
      used += part.length
      done += part.length
    }
    next += bytes.length
  }

  const head = Buffer.allocUnsafe(from.end - next)
  take(head.subarray(0, source.read(head, next)))
  if (from.end % BLOCK_BYTES !== 0 && sha256(block.subarray(0, used)) !== from.blocks[whole]) isBroken = true

  return {
    source: {
      ...source,
      read(into, at) {
        const got = source.read(into, at)
        if (at === next) take(into.subarray(0, got))
        else if (at + got > next) isBroken = true
        return got
      }
    },
    proofTo(end) {
      const start = blocks.length * BLOCK_BYTES
      if (isBroken || end < start || end > start + used) return undefined
      return { end, blocks: end === start ? blocks : [...blocks, sha256(block.subarray(0, end - start))] }
    }
  }
}

/** Counts the leading blocks of the proof that are unchanged in the file. If all are, the whole prefix is proven. */
export function countProvenBlocks(source: Source, { end, blocks }: BlockProof): number {
  const block = Buffer.allocUnsafe(BLOCK_BYTES)
  for (let number = 0; number < blocks.length; number++) {
    const start = number * BLOCK_BYTES
    const wanted = Math.min(BLOCK_BYTES, end - start)
    const got = source.read(block.subarray(0, wanted), start)
    const hash = createHash('sha256').update(block.subarray(0, got)).digest('hex')
    if (got !== wanted || hash !== blocks[number]) return number
  }
  return blocks.length
}

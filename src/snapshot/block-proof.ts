import { createHash } from 'node:crypto'
import { BLOCK_BYTES } from './file/limits.ts'
import type { Source } from './file/source.ts'
import { sha256 } from './record/compute-check.ts'

/**
 * SHA-256 of every block of 1 MiB of a file's first `end` bytes; the last block may be shorter. Size, inode, times or a
 * hash of the last block alone prove nothing about what stands before: git gives an inode back, editors keep times.
 */
export type BlockProof = { end: number; blocks: string[] }

/** A source whose bytes are hashed as they are read in order, so that what was proven is what was read. */
export type HashingSource = {
  source: Source
  /** The proof up to `end`, or undefined where the bytes were not read in order up to there. */
  proofTo(end: number): BlockProof | undefined
}

/** Goes on from an earlier proof, whose last block is read again, and must be as it was. */
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

/** How many of the proof's leading blocks the file still has as they were. All of them: the whole prefix is proven. */
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

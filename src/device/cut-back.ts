import type { SearchIndex } from '../search/index/search-index.ts'
import { type BlockProof, createHashingSource } from '../snapshot/block-proof.ts'
import { BLOCK_BYTES } from '../snapshot/file/limits.ts'
import type { Source } from '../snapshot/file/source.ts'
import { walkLines } from '../snapshot/file/walk-lines.ts'
import type { IndexCover } from './index-cover.ts'

/** An index, what it covers, and how many leading blocks of that the file still has. */
export type Cut = { index: SearchIndex; cover: IndexCover; blocks: number }

/**
 * Takes out of an index what does not stand in the proven blocks: all from the line on that holds the end of the last of
 * them. Undefined, and nothing taken out, where that is not enough, since a line after it had a say in what stands before.
 */
export function cutBack(
  source: Source,
  { index, cover, blocks }: Cut
): { cover: IndexCover; removed: Uint8Array[] } | undefined {
  const { end, count } = linesBefore(source, blocks * BLOCK_BYTES)
  const proof = proofTo(source, end, cover.proof.blocks)
  if (end === 0 || cover.lastTwist >= end || proof === undefined) return undefined
  const removed: Uint8Array[] = []
  for (const id of index.ids()) if ((index.find(id)?.offset ?? 0) >= end) removed.push(Uint8Array.from(id))
  for (const id of removed) index.remove(id)
  const damaged = cover.damaged.filter(({ offset }) => offset < end)
  return { cover: { ...cover, proof, damaged, nextLine: count + 1 }, removed }
}

/** Counts the lines that end before byte `limit`. */
function linesBefore(source: Source, limit: number): { count: number; end: number } {
  const before = { ...source, facts: { ...source.facts, size: limit } }
  let count = 0
  let end = 0
  walkLines(before, { offset: 0, number: 1 }, (line) => {
    if (!line.terminated) return false
    count++
    end = line.offset + line.length
    return true
  })
  return { count, end }
}

/** The whole blocks before `end` are proven; only what stands between them and `end` is read. */
function proofTo(source: Source, end: number, proven: readonly string[]): BlockProof | undefined {
  const whole = Math.floor(end / BLOCK_BYTES)
  const hashing = createHashingSource(source, { end: whole * BLOCK_BYTES, blocks: proven.slice(0, whole) })
  hashing.source.read(Buffer.allocUnsafe(end % BLOCK_BYTES), whole * BLOCK_BYTES)
  return hashing.proofTo(end)
}

import type { SearchIndex } from '../search/index/search-index.ts'
import { createHashingSource } from '../snapshot/block-proof.ts'
import { BLOCK_BYTES } from '../snapshot/file/limits.ts'
import type { Source } from '../snapshot/file/source.ts'
import { readSnapshot } from '../snapshot/read-snapshot.ts'
import type { SeenRecord } from '../snapshot/record/record-shape.ts'
import type { IndexCover } from './index-cover.ts'
import { createLineTaker } from './index-lines.ts'
import type { Form } from './types.ts'

/** The lines of a file that have their LF, or the whole of one in the object form. */
export type WholeLines = Source & { form: Form }

/**
 * The source up to the end of its last whole line. What stands after that may be cut or finished by the next writer: no
 * index covers it.
 */
export function wholeLines(source: Source, form: Form): WholeLines {
  const size = form === 'json' ? source.facts.size : afterLastLf(source)
  return { ...source, facts: { ...source.facts, size }, form }
}

export type Taken = {
  cover: IndexCover
  /** What was covered is what stands there, and all after it was read as one. Else the index is for one search at most. */
  isProven: boolean
}

/** Takes the lines into an index that come after those which it covers. */
export function takeLines(lines: WholeLines, index: SearchIndex, cover: IndexCover): Taken {
  const hashing = createHashingSource(lines, cover.proof)
  const taker = createLineTaker(index, cover)
  const reading = readSnapshot(hashing.source, taker.take, placeAfter(cover))
  const proof = hashing.proofTo(lines.facts.size)
  const next: IndexCover = {
    ...cover,
    proof: proof ?? cover.proof,
    nextLine: cover.nextLine + reading.lines,
    damaged: [...cover.damaged, ...reading.damaged.map(({ line, offset, reason }) => ({ line, offset, reason }))],
    forgotten: [...taker.forgotten].join(''),
    lastTwist: taker.lastTwist
  }
  return { cover: next, isProven: proof !== undefined }
}

/**
 * Takes a sound line in that lacks its LF, and gives the ids that it tells of; undefined where there is none. After it the
 * index says more than its cover: it must neither be saved nor used for another state of the file.
 */
export function takeTail(source: Source, index: SearchIndex, cover: IndexCover): string[] | undefined {
  if (cover.form === 'json' || source.facts.size <= cover.proof.end) return undefined
  const taker = createLineTaker(index, cover)
  const ids: string[] = []
  const visit = (seen: SeenRecord): void => {
    ids.push(seen.id)
    taker.take(seen)
  }
  return readSnapshot(source, visit, placeAfter(cover)).tail?.sound ? ids : undefined
}

function placeAfter({ form, proof, nextLine }: IndexCover): { form: Form; offset: number; number: number } {
  return { form, offset: proof.end, number: nextLine }
}

/** Reads backwards: a finished file costs one byte, whatever its size. */
function afterLastLf(source: Source): number {
  const { size } = source.facts
  let step = 1
  for (let end = size; end > 0; end -= step) {
    step = Math.min(end, end === size ? 1 : BLOCK_BYTES)
    const block = Buffer.allocUnsafe(step)
    const lf = block.subarray(0, source.read(block, end - step)).lastIndexOf(0x0a)
    if (lf >= 0) return end - step + lf + 1
  }
  return 0
}

import type { RecordBatch } from './record-batch.ts'

/** Batches as one, their lines one after another. One alone is given back as it is. */
export function joinBatches(batches: readonly RecordBatch[]): RecordBatch {
  const [first] = batches
  if (first !== undefined && batches.length === 1) return first
  return {
    count: batches.reduce((sum, batch) => sum + batch.count, 0),
    kinds: joinBytes(batches.map((batch) => batch.kinds)),
    keys: joinBytes(batches.map((batch) => batch.keys)),
    times: Float64Array.from(batches.flatMap((batch) => [...batch.times])),
    extractors: Float64Array.from(batches.flatMap((batch) => [...batch.extractors])),
    checks: joinBytes(batches.map((batch) => batch.checks)),
    ends: joinEnds(batches),
    lines: joinBytes(batches.map((batch) => batch.lines))
  }
}

/** Bytes one after another. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.byteLength
  }
  return all
}

function joinEnds(batches: readonly RecordBatch[]): Uint32Array {
  const ends: number[] = []
  let start = 0
  for (const batch of batches) {
    for (const end of batch.ends) ends.push(start + end)
    start += batch.lines.byteLength
  }
  return Uint32Array.from(ends)
}

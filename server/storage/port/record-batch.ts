/**
 * Lines of a snapshot on their way between engine and storage: plain arrays with memory of their own, so that they can be
 * handed from one thread to another instead of copied.
 */
export type RecordBatch = {
  count: number
  /** A value of `RECORD_KINDS` each. */
  kinds: Uint8Array
  /**
   * 32 bytes each. Of a memory the 16 bytes of its id, of a forget line those of its target, then zeros; of a line of unknown
   * kind its check.
   */
  keys: Uint8Array
  /** Milliseconds since 1970; -1 where the line has no time. */
  times: Float64Array
  extractors: Float64Array
  /** 32 bytes each: SHA-256 of the line's canonical bytes. */
  checks: Uint8Array
  /** Where each line ends in `lines`. */
  ends: Uint32Array
  /** The lines one after another, in canonical form, without LF. */
  lines: Uint8Array
}

/** The same as it lies in a collection: `seqs` are the sequence numbers, ascending. `damaged` names the damaged lines among them. */
export type RecordPage = RecordBatch & { seqs: Float64Array; damaged: readonly DamagedLine[] }

/**
 * A stored line that is not what was written. `id` is that of its memory as far as it can be read, else empty; `knownId` is by which
 * it is among the known ids, in hex.
 */
export type DamagedLine = { seq: number; id: string; knownId: string; reason: string }

export const RECORD_KINDS = { memory: 0, forget: 1, unknown: 2 } as const

/** Stands in a page for a kind, key or check that the database cannot have been given. No kind has this number. */
export const DAMAGED_KIND = 255

export const KEY_BYTES = 32
export const CHECK_BYTES = 32
export const ID_BYTES = 16

/** What became of a line that was put into a collection. */
export const OUTCOMES = {
  stored: 0,
  /** There already, this line or a better one. */
  known: 1,
  /** A memory that the collection has forgotten. */
  forgotten: 2
} as const

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

/** The same of all lines. */
export function listLineKeys(batch: RecordBatch): Uint8Array[] {
  return Array.from({ length: batch.count }, (_, row) => keyAt(batch, row))
}

/** The 32 bytes by which a line of a batch is known, without copying them. */
export function keyAt({ keys }: RecordBatch, row: number): Uint8Array {
  return keys.subarray(row * KEY_BYTES, (row + 1) * KEY_BYTES)
}

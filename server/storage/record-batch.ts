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

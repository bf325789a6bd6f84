import { Buffer } from 'node:buffer'
import type { ParsedLine } from '../../../src/snapshot/record/check-record-shape.ts'
import { parseLine } from '../../../src/snapshot/record/parse-line.ts'

/**
 * Snapshot lines in transit between engine and storage: plain arrays with their own memory, so that they can be
 * transferred between threads instead of copied.
 */
export type RecordBatch = {
  count: number
  /** A value of `RECORD_KINDS` for each line. */
  kinds: Uint8Array
  /**
   * 32 bytes each. For a memory: the 16 bytes of its id, then zeros. For a forget line: those of its target, then
   * zeros. For a line of unknown kind: its check.
   */
  keys: Uint8Array
  /** Milliseconds since 1970; -1 if the line has no time. */
  times: Float64Array
  extractors: Float64Array
  /** 32 bytes each: SHA-256 of the line's canonical bytes. */
  checks: Uint8Array
  /** Where each line ends in `lines`. */
  ends: Uint32Array
  /** The lines one after another, in canonical form, without LF. */
  lines: Uint8Array
}

/** A batch as stored in a collection. `seqs` are the ascending sequence numbers. `damaged` names the damaged lines. */
export type RecordPage = RecordBatch & { seqs: Float64Array; damaged: readonly DamagedLine[] }

/**
 * A stored line that differs from what was written. `id` is that of its memory if it can be read, else empty. `knownId`
 * is its entry among the known ids, in hex.
 */
export type DamagedLine = { seq: number; id: string; knownId: string; reason: string }

export const RECORD_KINDS = { memory: 0, forget: 1, unknown: 2 } as const

/** Replaces a kind, key or check that cannot have been written. No kind has this number. */
export const DAMAGED_KIND = 255

export const KEY_BYTES = 32
export const CHECK_BYTES = 32
export const ID_BYTES = 16

/** The outcome of appending a line to a collection. */
export const OUTCOMES = {
  stored: 0,
  /** The collection already has this line or a better one. */
  known: 1,
  /** The collection has forgotten this memory. */
  forgotten: 2
} as const

/** Joins batches into one, keeping their order. Returns a single batch unchanged. */
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

/** Concatenates bytes. */
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

/** Returns the keys of all lines. */
export function listLineKeys(batch: RecordBatch): Uint8Array[] {
  return Array.from({ length: batch.count }, (_, row) => keyAt(batch, row))
}

/** Returns the 32-byte key of a line of a batch, without copying it. */
export function keyAt({ keys }: RecordBatch, row: number): Uint8Array {
  return keys.subarray(row * KEY_BYTES, (row + 1) * KEY_BYTES)
}

/**
 * Verifies one line of a page: its bytes by the check that they contain, and its columns by the content of the line.
 * Returns the line, which is valid until the next one is verified, or the reason why it is damaged. `bytes` are the
 * lines of the page.
 */
export function verifyRow(page: RecordBatch, bytes: Buffer, row: number): ParsedLine | string {
  const judged = parseLine(bytes, row === 0 ? 0 : (page.ends[row - 1] ?? 0), page.ends[row] ?? 0)
  if (typeof judged === 'string') return judged
  if (judged.kind === 'header') return 'is a snapshot header'
  if (!judged.view.canonical) return 'is not in canonical form'
  const column = wrongColumn(page, row, judged)
  return column === undefined ? judged : `does not match its column \`${column}\``
}

/** Verifies every line of a page. Returns the damaged ones. */
export function findDamagedLines(page: Omit<RecordPage, 'damaged'>): DamagedLine[] {
  const bytes = toBuffer(page.lines)
  const damaged: DamagedLine[] = []
  for (let row = 0; row < page.count; row++) {
    const verdict = verifyRow(page, bytes, row)
    if (typeof verdict === 'string') damaged.push(describeDamagedLine(page, row, verdict))
  }
  return damaged
}

/** Describes a damaged line of a page. */
export function describeDamagedLine(page: Omit<RecordPage, 'damaged'>, row: number, reason: string): DamagedLine {
  const key = hexAt(page.keys, row * KEY_BYTES, KEY_BYTES)
  const knownId = key.slice(0, 2 * ID_BYTES)
  // Only the key of a memory, or of its forget line, ends with zeros.
  return { seq: page.seqs[row] ?? 0, id: key.endsWith(NO_MORE_KEY) ? `mem_${knownId}` : '', knownId, reason }
}

/**
 * Returns the keys of the memories that a line of unknown kind describes (see `FORMAT.md`, Lines of other kinds). Such
 * a line is deleted when one of them is forgotten. A damaged line has none.
 */
export function readTargetKeys(line: Uint8Array): Uint8Array[] {
  const parsed = parseLine(toBuffer(line), 0, line.byteLength)
  if (typeof parsed === 'string') return []
  return (parsed.targets ?? []).map(toMemoryKey)
}

/** Returns the key of a memory and its forget line. */
function toMemoryKey(id: string): Uint8Array {
  const key = new Uint8Array(KEY_BYTES)
  key.set(Buffer.from(id.slice(ID_PREFIX_LENGTH), 'hex'))
  return key
}

/** Returns the same bytes as a Buffer, without copying them. */
export function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** The columns that an intact line must have. */
type LineColumns = { kind: number; key: Uint8Array; time: number; extractor: number; check: Uint8Array }

/** Derives the columns of an intact line. */
export function toColumns({ kind, id, at, extractor, check }: ParsedLine): LineColumns {
  return {
    kind: kind === 'header' ? RECORD_KINDS.unknown : RECORD_KINDS[kind],
    key: kind === 'unknown' ? new Uint8Array(Buffer.from(check, 'hex')) : toMemoryKey(id),
    time: msOfTimeKey(at),
    extractor,
    check: Buffer.from(check, 'hex')
  }
}

/** Length of `mem_`. */
const ID_PREFIX_LENGTH = 4

/**
 * Returns the first column that contradicts the line. Allocates no values, because every line of a search passes
 * through it.
 */
function wrongColumn(page: RecordBatch, row: number, judged: ParsedLine): keyof LineColumns | undefined {
  const { kind, id, at, extractor, check } = judged
  if (kind === 'header' || page.kinds[row] !== RECORD_KINDS[kind]) return 'kind'
  const key = kind === 'unknown' ? check : `${id.slice(ID_PREFIX_LENGTH)}${NO_MORE_KEY}`
  if (hexAt(page.keys, row * KEY_BYTES, KEY_BYTES) !== key) return 'key'
  if (page.times[row] !== msOfTimeKey(at)) return 'time'
  if (page.extractors[row] !== extractor) return 'extractor'
  return hexAt(page.checks, row * CHECK_BYTES, CHECK_BYTES) === check ? undefined : 'check'
}

const NO_MORE_KEY = '00'.repeat(KEY_BYTES - ID_BYTES)

function hexAt(bytes: Uint8Array, at: number, length: number): string {
  return toBuffer(bytes).toString('hex', at, at + length)
}

/**
 * Converts a time made by `toTimeKey` to milliseconds since 1970; -1 for none. A day beyond the end of its month counts
 * into the next one.
 */
export function msOfTimeKey(key: number): number {
  if (key < 0) return -1
  const [rest, ms] = split(key, 1000)
  const [minutes, second] = split(rest, 60)
  const [hours, minute] = split(minutes, 60)
  const [days, hour] = split(hours, 24)
  const [months, day] = split(days, 32)
  const [year, month] = split(months, 13)
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.setUTCHours(hour, minute, second, ms)
}

function split(value: number, radix: number): [rest: number, part: number] {
  return [Math.floor(value / radix), value % radix]
}

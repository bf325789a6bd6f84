import { Buffer } from 'node:buffer'
import { CHECK_BYTES, KEY_BYTES, OUTCOMES, RECORD_KINDS, type RecordBatch } from './record-batch.ts'

/** A line that is there already, by what decides whether another one takes its place. */
export type StoredLine = {
  seq: number
  kind: number
  key: Uint8Array
  time: number
  extractor: number
  check: Uint8Array
  /** Of a forget line: a source took the memory back. */
  isTakenBack: boolean
  /** It is not what was written: only its columns are known. */
  isDamaged: boolean
}

/** What is to be done so that the collection is as if the lines had come one after another. */
export type AppendPlan = {
  /** For each line of the batch. */
  outcomes: Uint8Array
  /** Lines of the batch that stay, by their number in it, ascending. */
  inserts: number[]
  /** Sequence numbers of lines that make room. */
  removes: number[]
  /** Those of them that are damaged. */
  damaged: number[]
  /** By how much the number of memories changes. */
  memoriesMore: number
  /** Lines of the batch that are about a memory that was there before. */
  met: number[]
}

/**
 * Decides what becomes of each line. Of several lines with one id the best stays: highest extractor, then earliest time,
 * then smallest check; a sound line takes the place of a damaged one. A forget line takes the memory's place for good, and that of one by which a source took the memory back; a line of unknown kind
 * counts once. So the order in which lines come never shows in what stays.
 */
export function planAppend(batch: RecordBatch, present: readonly StoredLine[]): AppendPlan {
  const holders = new Map<string, Holder>()
  for (const line of present) holders.set(placeOf(line.kind, line.key), { line, before: line })
  const outcomes = new Uint8Array(batch.count)
  const met: number[] = []
  for (let row = 0; row < batch.count; row++) {
    const line = lineAt(batch, row)
    const place = placeOf(line.kind, line.key)
    const holder = holders.get(place)
    const outcome = outcomeOf(line, holder?.line)
    outcomes[row] = outcome
    if (holder?.before?.kind === RECORD_KINDS.memory) met.push(row)
    if (outcome === OUTCOMES.stored) holders.set(place, { line, row, before: holder?.before })
  }
  return { outcomes, met, ...changesOf(holders.values()) }
}

/** Who has a place now: a line of the batch (`row`) or one that was there `before`. */
type Holder = { line: RankedLine; row?: number; before: StoredLine | undefined }

type RankedLine = Omit<StoredLine, 'seq'>

function outcomeOf(line: RankedLine, held: RankedLine | undefined): number {
  if (held === undefined) return OUTCOMES.stored
  if (held.isDamaged && (held.kind !== RECORD_KINDS.forget || line.kind === RECORD_KINDS.forget)) return OUTCOMES.stored
  if (held.kind !== line.kind) return line.kind === RECORD_KINDS.forget ? OUTCOMES.stored : OUTCOMES.forgotten
  if (line.kind === RECORD_KINDS.unknown) return OUTCOMES.known
  if (held.isTakenBack && Buffer.compare(line.check, held.check) !== 0) return OUTCOMES.stored
  return isBetter(line, held) ? OUTCOMES.stored : OUTCOMES.known
}

function isBetter(line: RankedLine, held: RankedLine): boolean {
  if (line.extractor !== held.extractor) return line.extractor > held.extractor
  if (line.time !== held.time) return line.time < held.time
  return Buffer.compare(line.check, held.check) < 0
}

function changesOf(holders: Iterable<Holder>): Omit<AppendPlan, 'outcomes' | 'met'> {
  const inserts: number[] = []
  const removes: number[] = []
  const damaged: number[] = []
  let memoriesMore = 0
  for (const { line, row, before } of holders) {
    if (row === undefined) continue
    inserts.push(row)
    if (line.kind === RECORD_KINDS.memory) memoriesMore++
    if (before === undefined) continue
    removes.push(before.seq)
    if (before.isDamaged) damaged.push(before.seq)
    if (before.kind === RECORD_KINDS.memory) memoriesMore--
  }
  return { inserts: inserts.sort((a, b) => a - b), removes, damaged, memoriesMore }
}

/** A memory and the forget line for it stand in one place; a line of unknown kind has one of its own. */
function placeOf(kind: number, key: Uint8Array): string {
  const text = Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1')
  return kind === RECORD_KINDS.unknown ? `?${text}` : text
}

function lineAt(batch: RecordBatch, row: number): RankedLine {
  return {
    kind: batch.kinds[row] ?? RECORD_KINDS.unknown,
    key: keyAt(batch, row),
    time: batch.times[row] ?? -1,
    extractor: batch.extractors[row] ?? 0,
    check: batch.checks.subarray(row * CHECK_BYTES, (row + 1) * CHECK_BYTES),
    isTakenBack: false,
    isDamaged: false
  }
}

/** The same of all lines. */
export function keysOf(batch: RecordBatch): Uint8Array[] {
  return Array.from({ length: batch.count }, (_, row) => keyAt(batch, row))
}

/** The 32 bytes by which a line of a batch is known, without copying them. */
export function keyAt({ keys }: RecordBatch, row: number): Uint8Array {
  return keys.subarray(row * KEY_BYTES, (row + 1) * KEY_BYTES)
}

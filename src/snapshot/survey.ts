import { Fault } from '../contract/faults.ts'
import type { SnapshotHeader } from '../contract/snapshot.ts'
import type { Files, SurveyTask, Threads } from '../ports.ts'
import { openSource, type Source } from './file/source.ts'
import { detectForm, type Oddities, type ReadFrom, readSnapshot, type SnapshotReading } from './read-snapshot.ts'
import { createRecordTable, type RecordTable, type TablePart } from './table/record-table.ts'

/** A file that was read completely: its records, their places, and what is wrong with it. */
export type Survey = { reading: SnapshotReading; table: RecordTable; losses: Losses }

/**
 * Reads a source, from its start or from the end of an earlier reading, into a new table. `bytesExpected` is the total
 * that the table will hold if it absorbs further sources.
 */
export function surveySnapshot(source: Source, from?: ReadFrom, bytesExpected?: number): Survey {
  const bytes = bytesExpected ?? source.facts.size - (from?.offset ?? 0)
  const table = createRecordTable(Math.floor(Math.min(bytes / LINE_BYTES_TYPICAL, EXPECTED_MAX)))
  const reading = readSnapshot(source, (seen) => table.add(seen, 0), from)
  return { reading, table, losses: findLosses(reading.headers, table) }
}

/** Used to estimate the initial number of rows: typical for a file of short memories. */
const LINE_BYTES_TYPICAL = 300
const EXPECTED_MAX = 1_000_000

/**
 * Throws unless a snapshot is complete and undamaged. Otherwise, rewriting a file would hide damage and loss
 * permanently.
 * @throws Fault `invalid_snapshot` that names the first damaged lines or the loss.
 */
export function assertSound(path: string, { reading, losses }: Survey): void {
  const { damaged, unlisted } = reading
  if (damaged.length > 0) {
    const first = damaged.slice(0, 3).map(({ line, reason }) => `line ${line} ${reason}`)
    const more = damaged.length + unlisted - first.length
    throw new Fault('invalid_snapshot', `${path}: ${first.join('; ')}${more > 0 ? `; and ${more} more` : ''}`, {
      hint: HINT
    })
  }
  if (losses.lost > 0) {
    throw new Fault('invalid_snapshot', `${path} has lost lines: ${losses.reason}`, { hint: HINT })
  }
}

const HINT =
  'restore the lines from a copy (memctl device merge), or continue without them: memctl device compact --skip-damaged --snapshot FILE'

/** Continues after a damaged header, unless no line is valid: then the file is not a snapshot. */
export function surveyDamaged(source: Source): Survey {
  try {
    return surveySnapshot(source)
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'not_a_snapshot') throw error
    const survey = surveySnapshot(source, { form: 'jsonl', offset: 0, number: 1 })
    if (survey.table.rows === 0) throw error
    return survey
  }
}

/** The minimum number of missing known ids, and the reason. */
type Losses = { lost: number; reason: string | null }

/**
 * Finds lost lines. The set of known ids only grows, and rewriting a file stores their number and hash in the header.
 * Fewer ids than any header counted, or the same number with another hash, prove a loss that no check of another line
 * can detect.
 */
export function findLosses(headers: readonly SnapshotHeader[], table: RecordTable): Losses {
  const known = table.ids.size
  const most = headers.reduce((count, header) => Math.max(count, header.count), 0)
  if (known < most)
    return { lost: most - known, reason: `a header records ${most} known ids, but the file has ${known}` }
  const equal = headers.filter((header) => header.count === known)
  if (equal.length > 0 && equal.some((header) => header.ids_hash !== table.idsHash())) {
    return { lost: 1, reason: `a header records the same number of known ids (${known}), but other ids` }
  }
  return { lost: 0, reason: null }
}

/** Starting a thread takes as long as reading 40,000 lines of 350 bytes. */
const PART_BYTES = 16 * 1024 * 1024
const PARTS_MAX = 4

export type SurveyHelp = {
  threads?: Threads | undefined
  /** Awaited between slices, so that the program can be stopped; rejects to stop the reading. */
  pause?: (() => Promise<void>) | undefined
  /** Minimum number of bytes for which a thread is started. */
  partBytes?: number
}

/**
 * Reads a file like `surveySnapshot`, but in slices, and a large one in several threads, each with a range of complete
 * lines. If the file is in object form or changes meanwhile, this thread reads all of it.
 */
export async function surveyInParts(
  source: Source,
  { threads, pause, partBytes = PART_BYTES }: SurveyHelp
): Promise<Survey> {
  if (detectForm(source) === 'json') return surveySnapshot(source)
  const parts = Math.min((threads?.spare ?? 0) + 1, PARTS_MAX, Math.floor(source.facts.size / partBytes))
  const [end = source.facts.size, ...ends] = findPartEnds(source, parts)
  const others = ends.map((to, i) => threads?.survey({ path: source.path, from: ends[i - 1] ?? end, to }))
  const settled = Promise.allSettled(others)
  const survey = await surveySlices(source, end, pause)
  for (const result of await settled) {
    const part = result.status === 'fulfilled' ? receivePart(result.value) : undefined
    if (part === undefined || !isSameFile(part, source)) return surveySlices(source, source.facts.size, pause)
    survey.table.absorb(part.part, { source: 0, lines: survey.reading.lines })
    appendReading(survey.reading, part.reading, survey.reading.lines)
  }
  return { ...survey, losses: findLosses(survey.reading.headers, survey.table) }
}

const SLICE_BYTES = 8 * 1024 * 1024

/** Reads a file up to byte `end`, which is the end of a line or of the file. */
async function surveySlices(source: Source, end: number, pause: SurveyHelp['pause']): Promise<Survey> {
  const until = (to: number): Source => ({ ...source, facts: { ...source.facts, size: to } })
  let to = Math.min(findAfterNextLf(source, SLICE_BYTES) ?? end, end)
  const { reading, table } = surveySnapshot(until(to), undefined, end)
  while (to < end) {
    await pause?.()
    const from = { form: reading.form, offset: to, number: reading.lines + 1 }
    to = Math.min(findAfterNextLf(source, to + SLICE_BYTES) ?? end, end)
    appendReading(
      reading,
      readSnapshot(until(to), (seen) => table.add(seen, 0), from),
      0
    )
  }
  return { reading, table, losses: findLosses(reading.headers, table) }
}

/** Finds where the parts end: each after an LF, the last at the end of the file. */
function findPartEnds(source: Source, parts: number): number[] {
  const { size } = source.facts
  const cuts: number[] = []
  for (let part = 1; part < parts; part++) {
    const cut = findAfterNextLf(source, Math.floor((size / parts) * part))
    if (cut !== undefined && cut > (cuts.at(-1) ?? 0) && cut < size) cuts.push(cut)
  }
  return [...cuts, size]
}

const STEP_BYTES = 64 * 1024

function findAfterNextLf(source: Source, from: number): number | undefined {
  const step = Buffer.allocUnsafe(STEP_BYTES)
  for (let at = from; ; ) {
    const got = source.read(step, at)
    if (got === 0) return undefined
    const lf = step.subarray(0, got).indexOf(0x0a)
    if (lf >= 0) return at + lf + 1
    at += got
  }
}

/** An append in the meantime is harmless, but it also changes the facts, and this thread reads the file again. */
function isSameFile({ size, mtimeNs, ino }: SurveyPart, { facts }: Source): boolean {
  return size === facts.size && mtimeNs === facts.mtimeNs && ino === facts.ino
}

/** Appends the reading of the next part of a file, whose lines are counted from `lines`. */
function appendReading(reading: SnapshotReading, next: SnapshotReading, lines: number): void {
  for (const header of next.headers) reading.headers.push(header)
  for (const damage of next.damaged) reading.damaged.push({ ...damage, line: damage.line + lines })
  reading.unlisted += next.unlisted
  reading.lines += next.lines
  reading.end = next.end
  reading.tail = next.tail
  for (const name of Object.keys(next.odd) as (keyof Oddities)[]) reading.odd[name] += next.odd[name]
  if (next.notCanonicalAt !== undefined) reading.notCanonicalAt ??= next.notCanonicalAt + lines
}

/** The survey of a part of a file, as threads exchange it. Lines count from the part's first. */
type SurveyPart = { reading: SnapshotReading; part: TablePart; size: number; mtimeNs: bigint; ino: bigint }

/** Reads a part of a file that consists of complete lines. */
export function surveyPart(files: Files, { path, from, to }: SurveyTask): SurveyPart {
  const source = openSource(files, path)
  try {
    const { size, mtimeNs, ino } = source.facts
    const limited = { ...source, facts: { ...source.facts, size: to } }
    const { reading, table } = surveySnapshot(limited, { form: 'jsonl', offset: from, number: 1 })
    return { reading, part: table.part, size, mtimeNs, ino }
  } finally {
    source.close()
  }
}

/** Returns the memory of a part's arrays, to be transferred instead of copied. */
export function listTransferables({ part }: SurveyPart): ArrayBuffer[] {
  return [...Object.values(part.columns), part.ids].map((array) => array.buffer as ArrayBuffer)
}

/** Converts a received part: the thread's buffers have become plain byte arrays. */
function receivePart(message: unknown): SurveyPart {
  const received = message as SurveyPart
  const { columns, ids } = received.part
  return {
    ...received,
    part: { ...received.part, columns: { ...columns, check: toBuffer(columns.check) }, ids: toBuffer(ids) }
  }
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

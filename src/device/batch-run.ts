import { Fault } from '../contract/faults.ts'
import type { MemoryRecord } from '../contract/snapshot.ts'
import type { Fields } from '../memory/fields.ts'
import { formatTime } from '../memory/parse-iso-time.ts'
import type { Understand } from '../memory/understand.ts'
import { appendLines } from '../snapshot/append-lines.ts'
import { CHUNK_MS_MAX } from '../snapshot/file/limits.ts'
import type { Source } from '../snapshot/file/source.ts'
import { withLock } from '../snapshot/file/with-lock.ts'
import { type JsonObject, toCanonicalJson } from '../snapshot/json/json.ts'
import { type SurveyHelp, surveyInParts } from '../snapshot/survey.ts'
import { createByteTable } from '../snapshot/table/byte-table.ts'
import { createRowReader } from '../snapshot/table/row-reader.ts'
import type { BatchLine } from './batch-line.ts'
import type { BatchOptions, BatchReport } from './device.ts'
import { type Opened, stopIfAborted } from './device-world.ts'
import { makeRecord, toRecordLine, understandRecord } from './make-record.ts'
import { describeAside } from './store-one.ts'

/** The state of a batch while it is being stored. */
export type BatchRun = {
  opened: Opened
  options: BatchOptions
  /** The file's real path. */
  real: string
  makeRecord: (line: BatchLine) => MemoryRecord
  known: (record: MemoryRecord) => Known
  understand: Understand | undefined
  report: BatchReport
  bytesRead: number
  bytesTotal: number | undefined
  /** Lines that are not in the file yet. */
  chunk: LineChunk
  startTicks: number
  /** Time of the last append to the file, or of the start of the batch. */
  lastTicks: number
}

/**
 * Stores the lines of a batch in chunks: an append has at most a certain number of bytes or lines of a certain number
 * of milliseconds. Lines before an invalid one are stored before it is reported.
 * @throws Fault `too_large` that names the line; `cancelled` that says what is stored.
 */
export async function takeBatchLines(run: BatchRun, lines: readonly BatchLine[]): Promise<void> {
  for (const line of lines) {
    let text: string
    try {
      text = toNewLine(run, line)
    } catch (fault) {
      await flushBatch(run)
      throw fault
    }
    if (text !== '' && !run.chunk.add(text)) {
      await flushBatch(run)
      run.chunk.add(text)
    }
    if (line.number % TICKS_EVERY_LINES === 0 && isFlushDue(run)) await flushBatch(run)
  }
  if (isFlushDue(run)) await flushBatch(run)
}

const TICKS_EVERY_LINES = 64

function isFlushDue({ opened, lastTicks }: BatchRun): boolean {
  return opened.world.clock.ticks() - lastTicks >= CHUNK_MS_MAX
}

/** Returns the line to append, or an empty string if the memory already exists. */
function toNewLine(run: BatchRun, line: BatchLine): string {
  const { report, options } = run
  const bare = run.makeRecord(line)
  const known = run.known(bare)
  report.lines++
  run.bytesRead = line.bytesRead
  if (known !== 'new') {
    report[known]++
    return ''
  }
  const record = understandRecord(bare, run.understand)
  const text = toBatchRecordLine(record, line.number)
  options.onRecord?.(record)
  return text
}

/**
 * Returns the record's line with its LF.
 * @throws Fault `too_large` that names the line of the batch.
 */
export function toBatchRecordLine(record: MemoryRecord, number: number): string {
  try {
    return toRecordLine(record)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw new Fault(error.code, `line ${number} of the batch: ${error.message}`, {
      cause: error,
      ...(error.hint === undefined ? {} : { hint: error.hint })
    })
  }
}

/** Writes the buffered lines to the disk, reports progress, and lets signals and terminal input be processed. */
export async function flushBatch(run: BatchRun): Promise<void> {
  const { opened, options, report, chunk } = run
  const { count } = chunk
  const lines = chunk.take()
  if (count > 0 && !options.dryRun) await appendChunk(run, lines)
  report.stored += count
  run.lastTicks = opened.world.clock.ticks()
  const { bytesRead, bytesTotal } = run
  options.onProgress?.({ lines: report.lines, stored: report.stored, bytesRead, bytesTotal })
  await opened.world.clock.wait(0)
  stopIfAborted(options.signal, describeBatchState(run))
}

async function appendChunk({ opened, options, report, real }: BatchRun, lines: Buffer): Promise<void> {
  const lock = { path: real, waitMs: opened.options.lockWaitMs, signal: options.signal }
  const { asideBytes } = await withLock(opened.world, lock, () => {
    stopIfAborted(options.signal, describeBatchState({ report, options }))
    return appendLines(opened.world.files, real, { lines, witness: opened.witness(real) })
  })
  report.notes.push(...describeAside(real, asideBytes))
}

/** Describes what is stored if the batch is stopped now. */
export function describeBatchState({ report, options }: Pick<BatchRun, 'report' | 'options'>): string {
  if (options.dryRun) return 'nothing was stored'
  return `${report.stored} memories of the batch are stored; run the same command again to store the rest`
}

/**
 * Creates a function that makes the records of one batch, in the order of its lines. An undated line gets the time of
 * the run's start plus its number in milliseconds; lines of a conversation without a position are numbered; a line that
 * equals an earlier one in text, speaker, time and conversation becomes its next copy. So the same input always gives
 * the same ids.
 */
export function createBatchRecords(startMs: number): (line: BatchLine) => MemoryRecord {
  const positions = new Map<string, number>()
  const firsts = createByteTable(16)
  const copies: number[] = []
  const id16 = Buffer.alloc(16)

  const countPosition = ({ conversation, position }: Fields): number | undefined => {
    if (conversation === undefined) return position
    const number = (positions.get(conversation) ?? 0) + 1
    positions.set(conversation, number)
    return position ?? number
  }

  return ({ tested, number }) => {
    const plan = {
      ...tested,
      fields: { ...tested.fields, position: countPosition(tested.fields) },
      now: () => formatTime(startMs + number) ?? formatTime(number) ?? '',
      undated: true
    }
    const record = makeRecord(plan)
    id16.write(record.id.slice(4), 'hex')
    const first = firsts.add(id16, 0)
    const copy = (copies[first] ?? 0) + 1
    copies[first] = copy
    return copy === 1 ? record : makeRecord({ ...plan, copy })
  }
}

/** Lines, each with its LF, for one append. */
type LineChunk = {
  readonly count: number
  /** Returns false if the line does not fit. An empty chunk accepts every line. */
  add(line: string): boolean
  /** Returns the lines as bytes, valid until the next `add`, and empties the chunk. */
  take(): Buffer
}

/** Creates a chunk of at most `bytesMax` bytes, or of one longer line. */
export function createLineChunk(bytesMax: number): LineChunk {
  let buffer = Buffer.allocUnsafe(0)
  let used = 0
  let count = 0
  return {
    get count() {
      return count
    },
    add(line) {
      // A UTF-16 unit takes at most three bytes, so the bytes must be counted only near the limit.
      const bytes = used + line.length * 3 <= Math.min(buffer.length, bytesMax) ? 0 : Buffer.byteLength(line)
      if (used + bytes > bytesMax && count > 0) return false
      if (used + bytes > buffer.length) buffer = Buffer.concat([buffer.subarray(0, used)], Math.max(bytesMax, bytes))
      used += buffer.write(line, used)
      count++
      return true
    },
    take() {
      const bytes = buffer.subarray(0, used)
      used = 0
      count = 0
      return bytes
    }
  }
}

/** The relation of a memory to be stored to the snapshot. */
type Known = 'new' | 'known' | 'differed' | 'forgotten'

/**
 * Reads the known ids of a file once, and returns a function that compares a record with them. It reads the file again
 * only for a record that exists.
 */
export async function readKnown(source: Source, help: SurveyHelp): Promise<(record: MemoryRecord) => Known> {
  const { table } = await surveyInParts(source, help)
  const reader = createRowReader(source)
  const id16 = Buffer.alloc(16)
  return (record) => {
    id16.write(record.id.slice(4), 'hex')
    const id = table.ids.find(id16, 0)
    if (id < 0) return 'new'
    if (table.forget(id) >= 0) return 'forgotten'
    const stored = reader.record(table.row(table.winner(id)))
    return serializeOtherFields(stored) === serializeOtherFields(record as JsonObject) ? 'known' : 'differed'
  }
}

/** Serialises the fields that are neither part of the id nor created by memctl. */
function serializeOtherFields({ metadata, position, given, supersedes }: JsonObject): string {
  return toCanonicalJson({ metadata, position, given, supersedes })
}

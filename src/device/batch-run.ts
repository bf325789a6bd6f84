import { Fault } from '../contract/faults.ts'
import type { MemoryRecord } from '../contract/snapshot.ts'
import type { Understand } from '../memory/understand.ts'
import { appendLines } from '../snapshot/append.ts'
import { CHUNK_MS_MAX } from '../snapshot/file/limits.ts'
import { withLock } from '../snapshot/file/lock.ts'
import type { BatchLine } from './batch-lines.ts'
import { stopIfAborted } from './device-world.ts'
import type { Known } from './known-memories.ts'
import type { LineChunk } from './line-chunk.ts'
import { recordLine, understood } from './make-record.ts'
import type { Opened } from './opened.ts'
import { asideNotes } from './store-one.ts'
import type { BatchOptions, BatchReport } from './types.ts'

/** A batch on its way into a file. */
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
  /** When the file was last appended to, or the batch began. */
  lastTicks: number
}

/**
 * Takes lines of a batch in, one chunk after another: at most so many bytes or so many milliseconds' worth of lines are
 * one append. What comes before a line that is refused is stored before that is said.
 * @throws Fault `too_large`, naming the line; `cancelled`, saying what is stored.
 */
export async function takeBatchLines(run: BatchRun, lines: readonly BatchLine[]): Promise<void> {
  for (const line of lines) {
    let text: string
    try {
      text = newLine(run, line)
    } catch (fault) {
      await flushBatch(run)
      throw fault
    }
    if (text !== '' && !run.chunk.add(text)) {
      await flushBatch(run)
      run.chunk.add(text)
    }
    if (line.number % TICKS_EVERY_LINES === 0 && isTime(run)) await flushBatch(run)
  }
  if (isTime(run)) await flushBatch(run)
}

const TICKS_EVERY_LINES = 64

function isTime({ opened, lastTicks }: BatchRun): boolean {
  return opened.world.clock.ticks() - lastTicks >= CHUNK_MS_MAX
}

/** What is to be appended for a line: nothing where the memory is there already. */
function newLine(run: BatchRun, line: BatchLine): string {
  const { report, options } = run
  const bare = run.makeRecord(line)
  const known = run.known(bare)
  report.lines++
  run.bytesRead = line.bytesRead
  if (known !== 'new') {
    report[known]++
    return ''
  }
  const record = understood(bare, run.understand)
  const text = batchRecordLine(record, line.number)
  options.onRecord?.(record)
  return text
}

/**
 * The record's line with its LF.
 * @throws Fault `too_large`, naming the line of the batch.
 */
export function batchRecordLine(record: MemoryRecord, number: number): string {
  try {
    return recordLine(record)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw new Fault(error.code, `line ${number} of the batch: ${error.message}`, {
      cause: error,
      ...(error.hint === undefined ? {} : { hint: error.hint })
    })
  }
}

/** Puts on the disk what has been taken in, tells how far the batch is, and lets signals and the terminal have their turn. */
export async function flushBatch(run: BatchRun): Promise<void> {
  const { opened, options, report, chunk } = run
  const { count } = chunk
  const lines = chunk.take()
  if (count > 0 && !options.dryRun) await append(run, lines)
  report.stored += count
  run.lastTicks = opened.world.clock.ticks()
  const { bytesRead, bytesTotal } = run
  options.onProgress?.({ lines: report.lines, stored: report.stored, bytesRead, bytesTotal })
  await opened.world.clock.wait(0)
  stopIfAborted(options.signal, batchState(run))
}

async function append({ opened, options, report, real }: BatchRun, lines: Buffer): Promise<void> {
  const lock = { path: real, waitMs: opened.options.lockWaitMs, signal: options.signal }
  const { asideBytes } = await withLock(opened.world, lock, () => {
    stopIfAborted(options.signal, batchState({ report, options }))
    return appendLines(opened.world.files, real, { lines, witness: opened.witness(real) })
  })
  report.notes.push(...asideNotes(real, asideBytes))
}

/** In what state a batch is left by whoever stops it now. */
export function batchState({ report, options }: Pick<BatchRun, 'report' | 'options'>): string {
  if (options.dryRun) return 'nothing was stored'
  return `${report.stored} memories of the batch are stored; the same command goes on from there`
}

import type { Understand } from '../memory/understand.ts'
import { CHUNK_BYTES_MAX, LINE_BYTES_MAX } from '../snapshot/file/limits.ts'
import { openInput, openSource, type Source } from '../snapshot/file/source.ts'
import type { SurveyHelp } from '../snapshot/survey.ts'
import { readFileBatch, readStreamBatch, stopOnAbort } from './batch-line.ts'
import {
  type BatchRun,
  createBatchRecords,
  createLineChunk,
  describeBatchState,
  flushBatch,
  readKnown,
  takeBatchLines,
  toBatchRecordLine
} from './batch-run.ts'
import type { BatchOptions, BatchReport, BatchSource, BatchStream } from './device.ts'
import { createSurveyHelp, type Opened, stopIfAborted, withSystemFaults } from './device-world.ts'
import { loadUnderstanding, understandRecord } from './make-record.ts'

/**
 * Stores the lines of a batch. A batch file is validated as a whole before anything is stored; a stream is stored as it
 * arrives, up to the first invalid line. Each append is on the disk before it is counted. After an interruption, the
 * same command continues, because memories that exist are recognised by their id.
 */
export async function storeBatch(opened: Opened, from: BatchSource, options: BatchOptions = {}): Promise<BatchReport> {
  const { world, path } = opened
  return withSystemFaults(`store into ${path}`, async () => {
    const startMs = world.clock.now()
    const startTicks = world.clock.ticks()
    const into = isMissing(opened, options) ? undefined : openSource(world.files, path)
    try {
      const start = { startMs, startTicks, options, into }
      return await ('file' in from ? storeFile(opened, from.file, start) : storeStream(opened, from.stream, start))
    } finally {
      into?.close()
    }
  })
}

/** In a dry run into a file that does not exist yet, every memory is new. */
function isMissing({ world, path }: Opened, { dryRun }: BatchOptions): boolean {
  return dryRun === true && world.files.findEntry(path) === undefined
}

/** The start time of the batch, and the state of the target file at that time. */
type Start = { startMs: number; startTicks: number; options: BatchOptions; into: Source | undefined }

async function storeFile(opened: Opened, path: string, start: Start): Promise<BatchReport> {
  const batch = openInput(opened.world.files, path)
  try {
    const { pause } = createSurveyHelp(opened.world, start.options.signal, UNTOUCHED)
    const understand = await loadUnderstanding(opened.options)
    await validateBatch(batch, { startMs: start.startMs, understand, pause })
    const run = await startRun(opened, start, batch.facts.size)
    for (const lines of readFileBatch(batch)) await takeBatchLines(run, lines)
    run.bytesRead = batch.facts.size
    return await finishBatch(run)
  } finally {
    batch.close()
  }
}

const UNTOUCHED = 'nothing was stored'

async function storeStream(opened: Opened, stream: BatchStream, start: Start): Promise<BatchReport> {
  const { signal } = start.options
  const run = await startRun(opened, start, undefined)
  try {
    for await (const lines of readStreamBatch(stopOnAbort(stream, signal))) {
      await takeBatchLines(run, lines)
      await flushBatch(run)
    }
  } catch (error) {
    // The same signal may end the stream while the batch is waiting for more.
    stopIfAborted(signal, describeBatchState(run))
    throw error
  }
  return finishBatch(run)
}

async function startRun(
  opened: Opened,
  { options, into, ...start }: Start,
  bytesTotal: number | undefined
): Promise<BatchRun> {
  const { world, path } = opened
  const help = createSurveyHelp(world, options.signal, UNTOUCHED)
  return {
    opened,
    options,
    real: into?.path ?? path,
    makeRecord: createBatchRecords(start.startMs),
    understand: await loadUnderstanding(opened.options),
    known: into === undefined ? () => 'new' : await readKnown(into, help),
    report: { lines: 0, stored: 0, known: 0, differed: 0, forgotten: 0, seconds: 0, notes: [] },
    bytesRead: 0,
    bytesTotal,
    chunk: createLineChunk(CHUNK_BYTES_MAX),
    startTicks: start.startTicks,
    lastTicks: world.clock.ticks()
  }
}

async function finishBatch(run: BatchRun): Promise<BatchReport> {
  await flushBatch(run)
  const { report, opened, startTicks } = run
  report.seconds = (opened.world.clock.ticks() - startTicks) / 1000
  if (report.forgotten > 0) report.notes.push(`${report.forgotten} were forgotten earlier and remain forgotten`)
  return report
}

/** The start time of undated lines, the extractor, and what to await between slices. */
type BatchValidation = { startMs: number; understand: Understand | undefined } & Pick<SurveyHelp, 'pause'>

/**
 * Validates every line of a batch file before any of it is stored.
 * @throws Fault `malformed_json`, `invalid_input` or `too_large` that names the line.
 */
async function validateBatch(batch: Source, { startMs, understand, pause }: BatchValidation): Promise<void> {
  let hasLong = false
  for (const lines of readFileBatch(batch)) {
    hasLong ||= lines.some(({ bytes }) => bytes > LONG_BYTES)
    await pause?.()
  }
  if (!hasLong) return
  const recordOf = createBatchRecords(startMs)
  for (const lines of readFileBatch(batch)) {
    for (const line of lines) {
      const record = recordOf(line)
      if (line.bytes > LONG_BYTES) toBatchRecordLine(understandRecord(record, understand), line.number)
    }
    await pause?.()
  }
}

/**
 * Only a longer line may become a record that exceeds the limit: a number such as 9e15 grows to four times its length,
 * and nothing else grows more.
 */
const LONG_BYTES = LINE_BYTES_MAX / 8

import type { MemoryRecord } from '../contract/snapshot.ts'
import { appendLines } from '../snapshot/append.ts'
import { CHUNK_BYTES_MAX, CHUNK_MS_MAX } from '../snapshot/limits.ts'
import { withLock } from '../snapshot/lock.ts'
import { openInput, openSource, type Source } from '../snapshot/source.ts'
import { type BatchLine, fileBatchLines, streamBatchLines } from './batch-lines.ts'
import { createBatchRecords } from './batch-records.ts'
import { guarded, stopIfAborted } from './device-world.ts'
import { type Known, readKnown } from './known-memories.ts'
import { recordLine } from './make-record.ts'
import type { Opened } from './opened.ts'
import { asideNotes } from './store-one.ts'
import type { BatchProgress, BatchReport, BatchSource } from './types.ts'

export type BatchOptions = {
  signal?: AbortSignal
  onProgress?: (progress: BatchProgress) => void
  onRecord?: (record: MemoryRecord) => void
  dryRun?: boolean
}

/**
 * Remembers the lines of a batch. A batch that is a file is tested as a whole before anything is stored; a stream is
 * stored as it comes, and stops at the first line that is refused. Each append is on the disk before it is counted, so
 * that after an interruption the same command goes on where it was: what is there already is known by its id.
 */
export async function storeBatch(opened: Opened, from: BatchSource, options: BatchOptions = {}): Promise<BatchReport> {
  const { world, path } = opened
  return guarded(`store into ${path}`, async () => {
    const batch = 'file' in from ? openInput(world.files, from.file) : undefined
    const known = openKnown(opened, options)
    try {
      const run = startRun(opened, options, { batch, known })
      if (batch !== undefined) testWhole(batch)
      const parts =
        batch !== undefined
          ? fileBatchLines(batch)
          : streamBatchLines((from as { stream: AsyncIterable<Uint8Array> }).stream)
      await takeAll(run, parts)
      return finish(run)
    } finally {
      batch?.close()
      known?.close()
    }
  })
}

/** The file as it is now. A dry run into a file that is yet to be made finds nothing known. */
function openKnown({ world, path }: Opened, { dryRun }: BatchOptions): Source | undefined {
  return dryRun && world.files.findEntry(path) === undefined ? undefined : openSource(world.files, path)
}

function testWhole(batch: Source): void {
  for (const _lines of fileBatchLines(batch)) {
    // A line that is refused throws here, before anything has been written.
  }
}

/** Whoever stops a batch is told what of it is stored, also while it waits for more of a stream. */
async function takeAll(run: Run, parts: Iterable<BatchLine[]> | AsyncIterable<BatchLine[]>): Promise<void> {
  try {
    for await (const lines of parts) {
      for (const line of lines) {
        take(run, line)
        if (isChunkFull(run)) await flush(run)
      }
      if (run.bytesTotal === undefined) await flush(run)
    }
    await flush(run)
  } catch (error) {
    stopIfAborted(run.options.signal, stateOf(run.report))
    throw error
  }
}

type Run = {
  opened: Opened
  options: BatchOptions
  real: string
  startTicks: number
  makeRecord: (line: BatchLine) => MemoryRecord
  known: (record: MemoryRecord) => Known
  report: BatchReport
  bytesRead: number
  bytesTotal: number | undefined
  chunk: string[]
  chunkChars: number
  chunkTicks: number
}

type Inputs = { batch: Source | undefined; known: Source | undefined }

function startRun(opened: Opened, options: BatchOptions, { batch, known }: Inputs): Run {
  const { world } = opened
  const startTicks = world.clock.ticks()
  return {
    opened,
    options,
    real: known?.path ?? opened.path,
    startTicks,
    makeRecord: createBatchRecords(world.clock.now()),
    known: known === undefined ? () => 'new' : readKnown(known),
    report: { lines: 0, stored: 0, known: 0, differed: 0, forgotten: 0, seconds: 0, notes: [] },
    bytesRead: 0,
    bytesTotal: batch?.facts.size,
    chunk: [],
    chunkChars: 0,
    chunkTicks: startTicks
  }
}

function take(run: Run, line: BatchLine): void {
  const record = run.makeRecord(line)
  const known = run.known(record)
  run.report.lines++
  run.bytesRead = line.bytesRead
  if (known !== 'new') run.report[known]++
  else {
    if (run.chunk.length === 0) run.chunkTicks = run.opened.world.clock.ticks()
    const text = recordLine(record)
    run.chunk.push(text)
    run.chunkChars += text.length
    run.options.onRecord?.(record)
  }
}

/** Characters stand in for bytes: a chunk is at most three times as long in UTF-8, and a few MiB is all that matters. */
function isChunkFull({ chunk, chunkChars, chunkTicks, opened }: Run): boolean {
  if (chunkChars >= CHUNK_BYTES_MAX / 2) return true
  return (
    chunk.length % TICKS_EVERY_LINES === 0 &&
    chunk.length > 0 &&
    opened.world.clock.ticks() - chunkTicks >= CHUNK_MS_MAX
  )
}

const TICKS_EVERY_LINES = 64

async function flush(run: Run): Promise<void> {
  const { opened, options, report, real, chunk } = run
  if (chunk.length > 0 && !options.dryRun) {
    const lines = Buffer.from(chunk.join(''))
    const work = (): ReturnType<typeof appendLines> => {
      stopIfAborted(options.signal, stateOf(report))
      return appendLines(opened.world.files, real, { lines, witness: opened.witness(real) })
    }
    const lock = { path: real, waitMs: opened.options.lockWaitMs, signal: options.signal }
    const { asideBytes } = await withLock(opened.world, lock, work)
    report.notes.push(...asideNotes(real, asideBytes))
  }
  report.stored += chunk.length
  run.chunk = []
  run.chunkChars = 0
  options.onProgress?.({
    lines: report.lines,
    stored: report.stored,
    bytesRead: run.bytesRead,
    bytesTotal: run.bytesTotal
  })
  // Lets signals and the terminal have their turn.
  await opened.world.clock.wait(0)
  stopIfAborted(options.signal, stateOf(report))
}

function stateOf({ stored }: BatchReport): string {
  return `${stored} memories of the batch are stored; the same command goes on from there`
}

function finish({ report, opened, startTicks }: Run): BatchReport {
  report.seconds = (opened.world.clock.ticks() - startTicks) / 1000
  if (report.forgotten > 0) report.notes.push(`${report.forgotten} were forgotten earlier and stay so`)
  return report
}

import { Fault } from '../contract/faults.ts'
import type { Files } from '../ports.ts'
import { replaceFile, type Sink, writeFully } from '../snapshot/file/replace-file.ts'
import { openSource, resolveSnapshotPath, type Source } from '../snapshot/file/source.ts'
import { ignoreSystemError } from '../snapshot/file/to-system-fault.ts'
import { withLock } from '../snapshot/file/with-lock.ts'
import { type MergePlan, planMergeOfSurveys, writeMerge } from '../snapshot/plan-merge.ts'
import { assertSound, type Survey, surveyInParts } from '../snapshot/survey.ts'
import type { DeviceOptions, Form, ReceiveReport } from './device.ts'
import { createSurveyHelp, type DeviceWorld, stopIfAborted, withSystemFaults } from './device-world.ts'
import { type Received, type ReceiveProgress, receiveLines } from './receive-lines.ts'

/** What may become of a file that is there: refuse where it has lines that the export lacks, keep those, or drop them. */
export type Replacing = 'refuse' | 'merge' | 'force'

export type ReceiveOptions = {
  /** An export as its lines, in chunks of any size. */
  chunks: AsyncIterable<Uint8Array>
  /** Absolute. */
  output: string
  replacing: Replacing
  format?: Form | undefined
  signal?: AbortSignal
  onProgress?: (progress: ReceiveProgress) => void
}

/**
 * Takes an export in and makes it the snapshot file at `output`, in canonical form. What comes is kept in `NAME.part`, one
 * at a time, until all of it was judged; only then the file is replaced, whole, under its lock, which no store waits for
 * meanwhile.
 * @throws Fault `broken_transfer` where not all came, or not what was sent; `exists` where the file has lines that the
 * export lacks and `replacing` is `refuse`. Then the file is as it was.
 */
export async function receiveSnapshot(
  world: DeviceWorld,
  options: ReceiveOptions & DeviceOptions
): Promise<ReceiveReport> {
  const { files } = world
  const { output, signal, lockWaitMs: waitMs } = options
  return withSystemFaults(`write ${output}`, async () => {
    const path = files.findEntry(output) === undefined ? output : resolveSnapshotPath(files, output)
    const spool = `${path}.part`
    return withLock(world, { path: spool, waitMs, signal }, async () => {
      try {
        const received = await spoolChunks(files, spool, options)
        const placed = await withLock(world, { path, waitMs, signal }, () =>
          placeReceived(world, { ...options, spool, output: path })
        )
        return toReport(path, placed, received)
      } finally {
        ignoreSystemError(() => files.findEntry(spool) && files.unlink(spool))
      }
    })
  })
}

async function spoolChunks(files: Files, spool: string, options: ReceiveOptions): Promise<ReceivedBytes> {
  if (files.findEntry(spool) !== undefined) files.unlink(spool)
  const fd = files.open(spool, 'create', 0o600)
  try {
    const receiver = receiveLines((bytes) => writeFully(files, fd, bytes))
    for await (const chunk of options.chunks) {
      stopIfAborted(options.signal, 'nothing was written')
      receiver.take(chunk)
      options.onProgress?.(receiver.progress())
    }
    stopIfAborted(options.signal, 'nothing was written')
    return { ...receiver.finish(), bytes: receiver.progress().bytes }
  } finally {
    files.close(fd)
  }
}

type ReceivedBytes = Received & { bytes: number }

function toReport(path: string, placed: Placed, received: ReceivedBytes): ReceiveReport {
  return {
    path,
    memories: placed.memories,
    forgotten: placed.forgotten,
    bytes: placed.bytes,
    root_hash: placed.rootHash,
    kept: placed.kept,
    received: { records: received.records, bytes: received.bytes, root_hash: received.rootHash },
    ...(received.leftOut !== undefined && { left_out: received.leftOut })
  }
}

/** What the file holds now. `kept` are lines that only it had and the export had not. */
type Placed = {
  memories: number
  forgotten: number
  bytes: number
  rootHash: string
  kept: number
}

type Placing = Pick<ReceiveOptions, 'output' | 'replacing' | 'format' | 'signal'> & { spool: string }

/**
 * Puts a received snapshot in the place of `output`, alone or united with what is there. The caller holds its lock.
 * @throws Fault `exists` as `receiveSnapshot` says; `invalid_snapshot` and others where what is there cannot be read.
 */
async function placeReceived(world: DeviceWorld, placing: Placing): Promise<Placed> {
  const { files } = world
  const there = files.findEntry(placing.output) === undefined ? undefined : files.find(placing.output)
  const sources = [openSource(files, placing.spool)]
  try {
    const help = createSurveyHelp(world, placing.signal, 'nothing was written')
    const surveys = [await surveyInParts(sources[0] as Source, help)]
    if (there !== undefined && placing.replacing !== 'force') {
      const before = await readOld(placing.output, async () => {
        const source = openSource(files, placing.output)
        sources.push(source)
        return surveyInParts(source, help)
      })
      surveys.push(before)
    }
    const plan = planReceived(surveys, placing)
    const kept = countLines(plan, 1)
    if (kept > 0 && placing.replacing === 'refuse') throw createLossFault(placing.output, kept)
    if (placing.replacing === 'refuse') plan.headers.length = (surveys[0] as Survey).reading.headers.length
    const fill = (sink: Sink) => ({ ...writeMerge(sink, plan, sources), bytes: sink.written })
    const written = replaceFile(files, { path: placing.output, mode: there?.mode ?? 0o600 }, fill)
    return { ...written, kept }
  } finally {
    for (const source of sources) source.close()
  }
}

/** Reads the file that is there. What is wrong with it is told with the ways that there are here. */
async function readOld(output: string, read: () => Promise<Survey>): Promise<Survey> {
  try {
    const survey = await read()
    assertSound(output, survey)
    return survey
  } catch (error) {
    if (!(error instanceof Fault) || error.code === 'cancelled') throw error
    throw new Fault(error.code, error.message, {
      cause: error,
      hint: `memctl device verify --snapshot ${output} shows what is wrong with it; --force replaces it by the export`
    })
  }
}

/** The union; in the form that was asked for, else in that of the file that is there. */
function planReceived(surveys: Survey[], { output, spool, format }: Placing): MergePlan {
  const form = format ?? surveys[1]?.reading.form ?? 'jsonl'
  return planMergeOfSurveys({ surveys, paths: [spool, output], form })
}

/** How many lines of one source the canonical form of all of them keeps. */
function countLines({ table }: MergePlan, source: number): number {
  const { columns } = table.part
  return table.listKept().reduce((count, row) => count + (columns.source[row] === source ? 1 : 0), 0)
}

function createLossFault(output: string, lines: number): Fault {
  const what = lines === 1 ? '1 line that the export lacks' : `${lines} lines that the export lacks`
  return new Fault('exists', `${output} holds ${what}`, {
    hint: 'keep them with --merge, or drop them with --force'
  })
}

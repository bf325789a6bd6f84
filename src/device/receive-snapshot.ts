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

/** What to do with an existing file: refuse if it has lines that the export lacks, keep those, or drop them. */
export type Replacing = 'refuse' | 'merge' | 'force'

export type ReceiveOptions = {
  /** The lines of an export, in chunks of any size. */
  chunks: AsyncIterable<Uint8Array>
  /** Absolute path. */
  output: string
  replacing: Replacing
  format?: Form | undefined
  signal?: AbortSignal
  onProgress?: (progress: ReceiveProgress) => void
}

/**
 * Receives an export and makes it the snapshot file at `output`, in canonical form. The bytes are kept in `NAME.part`,
 * for one transfer at a time, until all are validated. Only then the file is replaced as a whole, under its lock, so
 * that no store waits during the transfer.
 * @throws Fault `broken_transfer` if the export is incomplete or altered; `exists` if the file has lines that the
 * export lacks and `replacing` is `refuse`. In these cases the file is unchanged.
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

/** The content of the new file. `kept` is the number of lines that only the old file had. */
type Placed = {
  memories: number
  forgotten: number
  bytes: number
  rootHash: string
  kept: number
}

type Placing = Pick<ReceiveOptions, 'output' | 'replacing' | 'format' | 'signal'> & { spool: string }

/**
 * Replaces `output` with a received snapshot, alone or merged with the existing file. The caller holds its lock.
 * @throws Fault `exists` as described at `receiveSnapshot`; `invalid_snapshot` and others if the existing file cannot
 * be read.
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

/** Reads the existing file. If that fails, the fault's hint names the available options. */
async function readOld(output: string, read: () => Promise<Survey>): Promise<Survey> {
  try {
    const survey = await read()
    assertSound(output, survey)
    return survey
  } catch (error) {
    if (!(error instanceof Fault) || error.code === 'cancelled') throw error
    throw new Fault(error.code, error.message, {
      cause: error,
      hint: `run memctl device verify --snapshot ${output} to see what is wrong with it, or replace it with the export: --force`
    })
  }
}

/** Plans the merge; the result has the requested form, or else that of the existing file. */
function planReceived(surveys: Survey[], { output, spool, format }: Placing): MergePlan {
  const form = format ?? surveys[1]?.reading.form ?? 'jsonl'
  return planMergeOfSurveys({ surveys, paths: [spool, output], form })
}

/** Returns how many lines of one source the canonical form of all sources keeps. */
function countLines({ table }: MergePlan, source: number): number {
  const { columns } = table.part
  return table.listKept().reduce((count, row) => count + (columns.source[row] === source ? 1 : 0), 0)
}

function createLossFault(output: string, lines: number): Fault {
  const what = lines === 1 ? '1 line that the export lacks' : `${lines} lines that the export lacks`
  return new Fault('exists', `${output} has ${what}`, {
    hint: 'keep them with --merge, or drop them with --force'
  })
}

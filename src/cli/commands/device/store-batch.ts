import type { MemoryRecord } from '../../../contract/snapshot.ts'
import type { BatchProgress, BatchReport, BatchSource, Device } from '../../../device/types.ts'
import type { Context } from '../../context.ts'
import { inputPath } from '../../input/read-input.ts'
import { cardLines } from '../../output/card.ts'
import { counted } from '../../output/short-forms.ts'
import { RECORD_LIST } from '../../views/record-list.ts'
import { previewSnapshot, storeIntoSnapshot } from './open-snapshot.ts'

/** Stores the lines of a file or of stdin, or shows the records they would become. */
export async function storeBatch(context: Context, name: string, dryRun: boolean): Promise<void> {
  const { world } = context
  const source = name === '-' ? { stream: world.terminal.input.read() } : { file: inputPath(world, name) }
  if (dryRun) return await previewSnapshot(context, (device) => previewBatch(context, device, source))
  await storeIntoSnapshot(context, {
    test: (device) => testBatch(context, device, source),
    work: (device) => keepBatch(context, device, source)
  })
}

/** A file can be read twice; a stream shows what is wrong with it only as it comes. */
async function testBatch({ world }: Context, device: Device, source: BatchSource): Promise<void> {
  if ('file' in source) await device.storeBatch(source, { dryRun: true, signal: world.terminal.interrupted })
}

/** Records are shown as they are understood where a line is a record; a table and an array wait for the last. */
async function previewBatch({ answer, world }: Context, device: Device, source: BatchSource): Promise<void> {
  const records: MemoryRecord[] = []
  let written = Promise.resolve()
  const onRecord = (record: MemoryRecord): void => {
    if (answer.mode === 'jsonl') written = written.then(() => answer.jsonLine(record))
    else records.push(record)
  }
  await device.storeBatch(source, { dryRun: true, onRecord, signal: world.terminal.interrupted })
  await written
  if (answer.mode !== 'jsonl') await answer.list(records, RECORD_LIST)
}

async function keepBatch(context: Context, device: Device, source: BatchSource): Promise<void> {
  const { world, answer, talk } = context
  const progress = await showProgress(context)
  try {
    const report = await device.storeBatch(source, {
      onProgress: progress.onProgress,
      signal: world.terminal.interrupted
    })
    await progress.stop()
    await answerReport(answer, report)
    for (const note of report.notes) await talk.note(note)
  } finally {
    await progress.stop()
  }
}

type Shown = { onProgress(progress: BatchProgress): void; stop(): Promise<void> }

/** How often progress is told to a program, in milliseconds. */
const EVENT_MS = 1000

/** Progress for whoever watches: events in JSON Lines, a line that rewrites itself on a terminal, nothing else. */
async function showProgress({ answer, world }: Context): Promise<Shown> {
  if (answer.mode === 'jsonl') return eventProgress(answer, world.clock)
  if (answer.mode === 'json' || !world.terminal.errors.isTerminal)
    return { onProgress: () => undefined, stop: async () => undefined }
  const line = await world.terminal.progress('reading')
  return { onProgress: (progress) => line.update(progressText(progress)), stop: async () => line.stop() }
}

function eventProgress(answer: Context['answer'], clock: Context['world']['clock']): Shown {
  let last = clock.ticks()
  let written = Promise.resolve()
  return {
    onProgress: ({ lines, stored, bytesRead, bytesTotal }) => {
      if (clock.ticks() - last < EVENT_MS) return
      last = clock.ticks()
      const event = { event: 'progress', lines, stored, bytes_read: bytesRead, bytes_total: bytesTotal ?? null }
      written = written.then(() => answer.jsonLine(event))
    },
    stop: () => written
  }
}

function progressText({ lines, stored, bytesRead, bytesTotal }: BatchProgress): string {
  const share = bytesTotal === undefined || bytesTotal === 0 ? '' : `, ${Math.floor((100 * bytesRead) / bytesTotal)} %`
  return `${counted(stored, 'memory', 'memories')} stored of ${counted(lines, 'line')} read${share}`
}

async function answerReport(answer: Context['answer'], report: BatchReport): Promise<void> {
  if (answer.mode === 'jsonl') return await answer.jsonLine({ event: 'done', ...report })
  await answer.object(report, {
    lines: (page) =>
      cardLines(
        [
          [
            'stored',
            `${counted(report.stored, 'memory', 'memories')} of ${counted(report.lines, 'line')} in ${report.seconds.toFixed(1)} s`
          ],
          ['known', nonZero(report.known, 'already there')],
          ['differed', nonZero(report.differed, 'already there with other metadata or position, left as they were')],
          ['forgotten', nonZero(report.forgotten, 'forgotten earlier, not stored again')]
        ],
        page
      )
  })
}

function nonZero(count: number, what: string): string | undefined {
  return count === 0 ? undefined : `${count.toLocaleString('en-US')} ${what}`
}

import type { Context } from '../command/context.ts'
import { shortBytes } from '../output/short-forms.ts'

/** The progress of a transfer. `total` is 0 if unknown. */
export type TransferProgress = { records: number; bytes: number; total: number }

export type ShownTransfer = { onProgress(progress: TransferProgress): void; stop(): Promise<void> }

/** Time between two progress events, in milliseconds. */
const EVENT_MS = 1000

/** Time between two updates of the terminal line, in milliseconds. */
const LINE_MS = 100

/**
 * Shows the progress of a transfer: as an updated line on a terminal, and as events in JSON Lines unless `quiet` is set because
 * stdout carries the data. Otherwise shows nothing.
 */
export async function showTransfer({ answer, world }: Context, verb: string, quiet = false): Promise<ShownTransfer> {
  const { clock, terminal } = world
  if (answer.mode === 'jsonl' && !quiet) {
    let written = Promise.resolve()
    const tell = (progress: TransferProgress): void => {
      written = written.then(() => answer.jsonLine({ event: 'progress', ...progress }))
    }
    return { onProgress: throttle(clock, EVENT_MS, tell), stop: () => written }
  }
  if (answer.mode === 'json' || answer.mode === 'jsonl' || !terminal.errors.isTerminal)
    return { onProgress: () => undefined, stop: async () => undefined }
  const line = await terminal.progress(verb)
  const start = clock.ticks()
  const draw = (progress: TransferProgress): void =>
    line.update(progressText(verb, progress, (clock.ticks() - start) / 1000))
  let going = true
  return {
    onProgress: throttle(clock, LINE_MS, draw),
    stop: async () => {
      if (going) line.stop()
      going = false
    }
  }
}

/** Limits how often `tell` is called. The first call passes at once. */
function throttle(
  clock: Context['world']['clock'],
  everyMs: number,
  tell: (progress: TransferProgress) => void
): ShownTransfer['onProgress'] {
  let last = Number.NEGATIVE_INFINITY
  return (progress) => {
    const now = clock.ticks()
    if (now - last < everyMs) return
    last = now
    tell(progress)
  }
}

function progressText(verb: string, { records, bytes, total }: TransferProgress, seconds: number): string {
  const count = records.toLocaleString('en-US')
  const of = total > 0 ? ` of ${total.toLocaleString('en-US')}` : ''
  const rate = seconds > 0 ? `, ${shortBytes(bytes / seconds)}/s` : ''
  return `${verb} ${count}${of} records, ${shortBytes(bytes)}${rate}`
}

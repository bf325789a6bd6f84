import type { Context } from '../command/context.ts'
import { shortBytes } from '../output/short-forms.ts'

/** How far a transfer is. `total` is 0 where nobody knows. */
export type TransferProgress = { records: number; bytes: number; total: number }

export type ShownTransfer = { onProgress(progress: TransferProgress): void; stop(): Promise<void> }

/** How often progress is told to a program, in milliseconds. */
const EVENT_MS = 1000

/** How often the line of a terminal changes, in milliseconds. */
const LINE_MS = 100

/**
 * Progress for whoever watches: a line that rewrites itself on a terminal; events in JSON Lines, unless `quiet` says that
 * stdout has something else; else nothing.
 */
export async function showTransfer({ answer, world }: Context, verb: string, quiet = false): Promise<ShownTransfer> {
  const { clock, terminal } = world
  if (answer.mode === 'jsonl' && !quiet) {
    let written = Promise.resolve()
    const tell = (progress: TransferProgress): void => {
      written = written.then(() => answer.jsonLine({ event: 'progress', ...progress }))
    }
    return { onProgress: nowAndThen(clock, EVENT_MS, tell), stop: () => written }
  }
  if (answer.mode === 'json' || answer.mode === 'jsonl' || !terminal.errors.isTerminal)
    return { onProgress: () => undefined, stop: async () => undefined }
  const line = await terminal.progress(verb)
  const start = clock.ticks()
  const draw = (progress: TransferProgress): void =>
    line.update(progressText(verb, progress, (clock.ticks() - start) / 1000))
  let going = true
  return {
    onProgress: nowAndThen(clock, LINE_MS, draw),
    stop: async () => {
      if (going) line.stop()
      going = false
    }
  }
}

/** The first is told at once. */
function nowAndThen(
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

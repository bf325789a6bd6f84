import { Fault } from '../contract/faults.ts'
import type { World } from '../ports.ts'
import type { IngestReport } from './ingest.ts'

/** Chooses which of the memories that are gone are forgotten. */
export type ChooseGone = (ids: readonly string[]) => readonly string[]

export type WatchOptions = {
  path: string
  /** Imports the input once, completely. */
  sweep(chooseGone: ChooseGone): Promise<IngestReport>
  /** Called when a sweep fails that is not the first one; not again while the next ones fail in the same way. */
  onFault(fault: Fault): Promise<void>
  signal: AbortSignal
}

export type WatchWorld = Pick<World, 'clock' | 'files' | 'watchPath'>

/** Milliseconds: until a change is complete, until a deletion is confirmed, and between sweeps without a notification. */
const WAIT_MS = { SETTLE: 300, CONFIRM: 2000, SWEEP: 30_000 } as const

/**
 * Imports an input again and again, and yields the first report and each one with changes. Every sweep reads the whole
 * input; a notification of the system only makes the next one start earlier. Memories are forgotten only if two sweeps in
 * a row do not find their text, because some programs save a file by removing it first.
 *
 * @throws Fault of the first sweep; `cancelled` when the signal is aborted.
 */
export async function* watchInput(world: WatchWorld, options: WatchOptions): AsyncGenerator<IngestReport> {
  const hints = listenForHints(world, options)
  const deletions = createConfirmation()
  const sweepAgain = createRetry(options)
  try {
    yield await options.sweep(deletions.choose)
    for (;;) {
      await hints.wait(deletions.arePending() ? WAIT_MS.CONFIRM : WAIT_MS.SWEEP)
      const report = await sweepAgain(deletions.choose)
      if (report !== undefined && hasChanges(report)) yield report
    }
  } catch (error) {
    if (!options.signal.aborted) throw error
    throw new Fault('cancelled', 'stopped watching; what was stored stays', { cause: error })
  } finally {
    hints.stop()
  }
}

function hasChanges({ stored, superseded, renamed, pruned }: IngestReport): boolean {
  return stored + superseded + renamed + pruned > 0
}

/** Chooses the memories that were gone in the sweep before, too. */
function createConfirmation(): { choose: ChooseGone; arePending(): boolean } {
  let earlier: ReadonlySet<string> = new Set()
  let isPending = false
  return {
    choose: (ids) => {
      const confirmed = ids.filter((id) => earlier.has(id))
      earlier = new Set(ids)
      isPending = confirmed.length < ids.length
      return confirmed
    },
    arePending: () => isPending
  }
}

/** Creates a function that sweeps, and returns undefined if the input or the snapshot cannot be used now. */
function createRetry({ sweep, onFault, signal }: WatchOptions) {
  let told: string | undefined
  return async (choose: ChooseGone): Promise<IngestReport | undefined> => {
    try {
      const report = await sweep(choose)
      told = undefined
      return report
    } catch (error) {
      if (signal.aborted || !(error instanceof Fault)) throw error
      if (error.message !== told) await onFault(error)
      told = error.message
      return undefined
    }
  }
}

/** Listens for notifications of the system about the input. */
function listenForHints({ clock, watchPath }: WatchWorld, { path, signal }: WatchOptions) {
  let isHinted = false
  let wake = (): void => undefined
  const stop = watchPath?.(path, () => {
    isHinted = true
    wake()
  })
  return {
    /** Waits for a notification, at most `ms`, and then until the change is complete. */
    async wait(ms: number): Promise<void> {
      const hinted = new AbortController()
      wake = () => hinted.abort()
      if (!isHinted) {
        const either = AbortSignal.any([signal, hinted.signal])
        await clock.wait(ms, either).catch(() => signal.throwIfAborted())
      }
      if (isHinted) await clock.wait(WAIT_MS.SETTLE, signal)
      isHinted = false
    },
    stop: () => stop?.()
  }
}

import type { Clock } from '../../../src/ports.ts'

/** A signal that is aborted when some time is over. */
export type TimeLimit = {
  signal: AbortSignal
  /** Begins the time anew, unless it is over or the limit has ended. */
  restart(): void
  /** Stops the clock: the signal is aborted no more. */
  end(): void
}

/** Starts a limit of `ms` milliseconds; the signal is aborted with what `reason` makes. */
export function startTimeLimit(clock: Pick<Clock, 'wait'>, ms: number, reason: () => unknown): TimeLimit {
  const over = new AbortController()
  let waiting = new AbortController()
  let hasEnded = false
  const start = (): void => {
    const { signal } = waiting
    clock.wait(ms, signal).then(
      () => over.abort(reason()),
      () => undefined
    )
  }
  start()
  return {
    signal: over.signal,
    restart() {
      if (hasEnded || over.signal.aborted) return
      waiting.abort(STOPPED)
      waiting = new AbortController()
      start()
    },
    end() {
      hasEnded = true
      waiting.abort(STOPPED)
    }
  }
}

/** A reason of its own costs less than the error that would be made otherwise. */
const STOPPED = 'stopped'

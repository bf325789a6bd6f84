import type { Clock } from '../../../src/ports.ts'

/** A signal that is aborted after some time. */
export type TimeLimit = {
  signal: AbortSignal
  /** Restarts the time, unless it is over or the limit has ended. */
  restart(): void
  /** Stops the timer, so that the signal is no longer aborted. */
  end(): void
}

/** Starts a limit of `ms` milliseconds. The signal is aborted with the result of `reason`. */
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

/** An explicit reason is cheaper than the error that is created by default. */
const STOPPED = 'stopped'

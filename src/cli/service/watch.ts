import type { CallOptions } from '../../client/client.ts'
import { Fault } from '../../contract/faults.ts'
import type { Clock } from '../../ports.ts'
import type { Context } from '../command/context.ts'

/** Polls a server for a limited time. */
export type Watch = {
  /** Milliseconds since the start. */
  elapsedMs(): number
  /** Milliseconds until the end. */
  remainingMs(): number
  /** Waits until the next poll. `calls` is the number of requests per poll: the more, the longer the wait. */
  pause(calls: number): Promise<void>
  /**
   * Makes a call, which must stop on the signal it is given. Resolves with undefined if the server is briefly unavailable.
   * Rejects if it stays unavailable or does not respond.
   */
  ask<Value>(call: (options: CallOptions) => Promise<Value>): Promise<Value | undefined>
}

/** Time between polls at the start, growing to the time between later ones, in milliseconds. */
const POLL_MS = { first: 250, last: 2000 }

/** The time between polls is the elapsed time divided by this. */
const POLL_SHARE = 10

/** Minimum time per request, in milliseconds: four requests a second are far below any rate limit. */
const CALL_MS = 250

/** How long the server may be unavailable, for example during a restart, in milliseconds. */
const AWAY_MS = 15_000

/** Maximum duration of a call, and its minimum if less time is left, in milliseconds. */
const SILENCE_MS = { most: 30_000, least: 5000 }

const AWAY: ReadonlySet<string> = new Set(['unreachable', 'unavailable', 'broken_transfer', 'rate_limited'])

/** How long the server may be unavailable, in milliseconds, and a signal that also ends the watch. */
export type WatchLimits = { awayMs?: number; signal?: AbortSignal }

/** Starts a watch that lasts `waitMs`. */
export function startWatch({ world }: Pick<Context, 'world'>, waitMs: number, limits: WatchLimits = {}): Watch {
  const { clock, terminal } = world
  const { awayMs = AWAY_MS, signal: over } = limits
  const stops = over === undefined ? [] : [over]
  const start = clock.ticks()
  let answeredAt = start
  const elapsedMs = (): number => clock.ticks() - start
  const remainingMs = (): number => Math.max(0, waitMs - elapsedMs())
  return {
    elapsedMs,
    remainingMs,
    async pause(calls) {
      const pollMs = Math.min(POLL_MS.last, Math.max(POLL_MS.first, Math.floor(elapsedMs() / POLL_SHARE)))
      await clock.wait(
        Math.min(remainingMs(), Math.max(pollMs, calls * CALL_MS)),
        AbortSignal.any([terminal.interrupted, ...stops])
      )
    },
    async ask(call) {
      try {
        const silenceMs = Math.min(SILENCE_MS.most, Math.max(SILENCE_MS.least, remainingMs()))
        const value = await answerWithin(clock, silenceMs, ({ signal }) =>
          call({ signal: AbortSignal.any([...(signal ? [signal] : []), ...stops]) })
        )
        answeredAt = clock.ticks()
        return value
      } catch (error) {
        const away = error instanceof Fault && AWAY.has(error.code) && !terminal.interrupted.aborted
        if (away && clock.ticks() - answeredAt < Math.min(awayMs, waitMs)) return undefined
        throw error
      }
    }
  }
}

async function answerWithin<Value>(
  clock: Clock,
  silenceMs: number,
  call: (options: CallOptions) => Promise<Value>
): Promise<Value> {
  const over = new AbortController()
  const silence = new AbortController()
  const waiting = clock.wait(silenceMs, over.signal).then(
    () => silence.abort(),
    () => undefined
  )
  try {
    return await call({ signal: silence.signal })
  } catch (cause) {
    if (!silence.signal.aborted) throw cause
    throw new Fault('unreachable', `the server did not respond within ${silenceMs / 1000} s`, {
      hint: 'check a local server with memctl server status',
      cause
    })
  } finally {
    over.abort()
    await waiting
  }
}

import type { CallOptions } from '../../client/client.ts'
import { Fault } from '../../contract/faults.ts'
import type { Clock } from '../../ports.ts'
import type { Context } from '../command/context.ts'

/** Looking at something on a server again and again, for so long and no longer. */
export type Watch = {
  /** Milliseconds since it began. */
  elapsedMs(): number
  /** Milliseconds until it ends. */
  remainingMs(): number
  /** Until the next look. `calls` is how many requests a look takes: many are made less often. */
  pause(calls: number): Promise<void>
  /**
   * The answer of a call, which ends by the signal that it is given; undefined where the server has been away for a moment only.
   * Rejects where it stays away, or says nothing.
   */
  ask<Value>(call: (options: CallOptions) => Promise<Value>): Promise<Value | undefined>
}

/** The first look comes after so long, the later ones by and by at the other distance. In milliseconds. */
const LOOK_MS = { first: 250, last: 2000 }

/** A look comes after a tenth of what was waited already. */
const LOOK_SHARE = 10

/** Each request takes so much of the time of its key: four a second are far from any limit. In milliseconds. */
const CALL_MS = 250

/** How long a server may be away, as while it starts anew, in milliseconds. */
const AWAY_MS = 15_000

/** How long a call may take, and how long even where less time is left, in milliseconds. */
const SILENCE_MS = { most: 30_000, least: 5000 }

const AWAY: ReadonlySet<string> = new Set(['unreachable', 'unavailable', 'broken_transfer', 'rate_limited'])

/** How long the server may be away, in milliseconds, and what else ends the watch. */
export type WatchLimits = { awayMs?: number; signal?: AbortSignal }

/** A watch that begins now and lasts `waitMs`. */
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
      const lookMs = Math.min(LOOK_MS.last, Math.max(LOOK_MS.first, Math.floor(elapsedMs() / LOOK_SHARE)))
      await clock.wait(
        Math.min(remainingMs(), Math.max(lookMs, calls * CALL_MS)),
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
    throw new Fault('unreachable', `the server said nothing for ${silenceMs / 1000} s`, {
      hint: 'memctl server status tells how a server of this machine is',
      cause
    })
  } finally {
    over.abort()
    await waiting
  }
}

import { Fault } from '../../../src/contract/faults.ts'
import type { Clock } from '../../../src/ports.ts'

/**
 * Detects bodies that receive no data for too long. One timer serves all of them, because most bodies arrive before it
 * ends.
 */
export type IdleWatch = {
  /** Starts to watch a body. */
  begin(): WatchedBody
  /** Stops the timer. No body may be added afterwards. */
  close(): void
}

export type WatchedBody = {
  /** Rejects with `timed_out` when no data was received for the limit, or up to a quarter longer. */
  expired: Promise<never>
  /** Reports that data was received. */
  touch(): void
  stop(): void
}

/** The number of checks within the time limit. */
const LOOKS = 4

/** Creates a watch without bodies. `idleMs`: the maximum time without data, in milliseconds. */
export function createIdleWatch({ clock, idleMs }: { clock: Clock; idleMs: number }): IdleWatch {
  const watched = new Set<{ last: number; expire(): void }>()
  const closed = new AbortController()
  let isLooking = false

  const look = async (): Promise<void> => {
    isLooking = true
    while (watched.size > 0 && !closed.signal.aborted) {
      await clock.wait(idleMs / LOOKS, closed.signal).catch(() => undefined)
      for (const body of watched) if (clock.ticks() - body.last >= idleMs) body.expire()
    }
    isLooking = false
  }

  return {
    begin() {
      let expire = (): void => undefined
      const expired = new Promise<never>((_resolve, reject) => {
        expire = () => reject(idleFault(idleMs))
      })
      // The rejection may have no handler by then.
      expired.catch(() => undefined)
      const body = { last: clock.ticks(), expire }
      watched.add(body)
      if (!isLooking) void look()
      return {
        expired,
        touch() {
          body.last = clock.ticks()
        },
        stop: () => void watched.delete(body)
      }
    },
    close: () => closed.abort()
  }
}

function idleFault(idleMs: number): Fault {
  return new Fault('timed_out', `no data of the body was received for ${idleMs / 1000} seconds`, {
    hint: 'send the request again'
  })
}

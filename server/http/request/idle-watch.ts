import { Fault } from '../../../src/contract/faults.ts'
import type { Clock } from '../../../src/ports.ts'

/** Tells bodies of which nothing came for too long. One wait serves all of them: most have come before it ends. */
export type IdleWatch = {
  /** Watches one more body. */
  begin(): WatchedBody
  /** Ends the wait that is under way. No body may come after it. */
  close(): void
}

export type WatchedBody = {
  /** Rejects with `timed_out` when nothing came for that time, or up to a quarter more of it. */
  expired: Promise<never>
  /** Something came. */
  touch(): void
  stop(): void
}

/** Looks so many times within the time that a body may be idle. */
const LOOKS = 4

/** Nothing is watched yet. `idleMs`: how long a body may come without a byte. */
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
      // Nobody may look at it any more.
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
  return new Fault('timed_out', `nothing more of the body came for ${idleMs / 1000} seconds`, { hint: 'send it again' })
}

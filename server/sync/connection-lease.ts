import { addMillis, type EpochMs, epochNow, toEpochMs } from '../../src/contract/epoch-ms.ts'
import type { Clock, Log } from '../../src/ports.ts'
import type { Hold } from '../storage/port/queue-storage.ts'
import type { SyncStorage } from '../storage/port/storage.ts'

/** Another has the connection now, its selection was changed, or it ended: nothing may be written any more. */
export class HoldLost extends Error {
  constructor() {
    super('the hold of a connection is lost')
    this.name = 'HoldLost'
  }
}

/** The server stops. */
export class ServerStops extends Error {
  constructor() {
    super('the server stops')
    this.name = 'ServerStops'
  }
}

/** A connection while one run works on it. */
export type HeldConnection = {
  hold: Hold
  /** Aborted with `HoldLost` or `ServerStops`. */
  signal: AbortSignal
  /** What a write of the run names: the time, and until when the lease goes after it. */
  times(): { now: EpochMs; until: EpochMs }
  /** A write found it lost. */
  lose(): HoldLost
  /** Keeps it no longer, and calls off what is still under way. */
  release(): void
}

type HoldParts = {
  storage: Pick<SyncStorage, 'renewLease'>
  world: { clock: Clock; log: Log }
  leaseMs: number
}

/** Makes the lease longer all the while, so that a long read loses nothing, and calls the run off where that is refused. */
export function holdConnection(
  { storage, world, leaseMs }: HoldParts,
  hold: Hold,
  stopping: AbortSignal
): HeldConnection {
  const { clock, log } = world
  const over = new AbortController()
  const released = new AbortController()
  const stop = () => over.abort(new ServerStops())
  let until = addMillis(epochNow(clock), leaseMs)
  if (stopping.aborted) stop()
  stopping.addEventListener('abort', stop, { once: true, signal: released.signal })
  keep().catch(() => undefined)

  return {
    hold,
    signal: over.signal,
    times() {
      const now = epochNow(clock)
      until = addMillis(now, leaseMs)
      return { now, until }
    },
    lose() {
      const lost = new HoldLost()
      over.abort(lost)
      return lost
    },
    release() {
      released.abort()
      over.abort(new Error('the run has ended'))
    }
  }

  async function keep(): Promise<void> {
    for (;;) {
      await clock.wait(leaseMs / 3, released.signal)
      if (await renewed()) continue
      return over.abort(new HoldLost())
    }
  }

  /** A storage that is away is asked again until the lease is over: then another may have the connection. */
  async function renewed(): Promise<boolean> {
    const now = epochNow(clock)
    try {
      const isOurs = await storage.renewLease(hold, { now, until: addMillis(now, leaseMs) })
      if (isOurs) until = toEpochMs(Math.max(until, now + leaseMs))
      return isOurs || released.signal.aborted
    } catch (error) {
      log.error({ connectionId: hold.connectionId, err: error }, 'a lease could not be renewed')
      return clock.now() < until
    }
  }
}

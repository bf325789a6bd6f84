import { addMillis, type EpochMs, epochNow, toEpochMs } from '../../src/contract/epoch-ms.ts'
import type { Clock, Log } from '../../src/ports.ts'
import type { Hold, SyncStorage } from '../storage/port/sync-storage.ts'

/**
 * Thrown when another server took the lease, or the selection was changed, or the connection was deleted. The run must
 * not write any more.
 */
export class LeaseLost extends Error {
  constructor() {
    super('the lease of the connection was lost')
    this.name = 'LeaseLost'
  }
}

/** The server is stopping. */
export class ServerStopped extends Error {
  constructor() {
    super('the server is stopping')
    this.name = 'ServerStopped'
  }
}

/** The lease that one run holds on a connection while it syncs it. */
export type ConnectionLease = {
  hold: Hold
  /** Aborted with `LeaseLost` or `ServerStopped`. */
  signal: AbortSignal
  /** Returns the time of a write and the new end of the lease, which the write renews. */
  times(): { now: EpochMs; until: EpochMs }
  /** Ends the lease after a write found it lost. Returns the error to throw. */
  lose(): LeaseLost
  /** Stops renewing the lease and aborts the calls that are still running. */
  release(): void
}

type LeaseParts = {
  storage: Pick<SyncStorage, 'renewLease'>
  world: { clock: Clock; log: Log }
  leaseMs: number
}

/** Renews a lease at intervals, so that a long read does not lose it. Aborts the run if a renewal is refused. */
export function keepLease({ storage, world, leaseMs }: LeaseParts, hold: Hold, stopping: AbortSignal): ConnectionLease {
  const { clock, log } = world
  const over = new AbortController()
  const released = new AbortController()
  const stop = () => over.abort(new ServerStopped())
  let until = addMillis(epochNow(clock), leaseMs)
  if (stopping.aborted) stop()
  stopping.addEventListener('abort', stop, { once: true, signal: released.signal })
  keepRenewing().catch(() => undefined)

  return {
    hold,
    signal: over.signal,
    times() {
      const now = epochNow(clock)
      until = addMillis(now, leaseMs)
      return { now, until }
    },
    lose() {
      const lost = new LeaseLost()
      over.abort(lost)
      return lost
    },
    release() {
      released.abort()
      over.abort(new Error('the run has ended'))
    }
  }

  async function keepRenewing(): Promise<void> {
    for (;;) {
      await clock.wait(leaseMs / 3, released.signal)
      if (await renew()) continue
      return over.abort(new LeaseLost())
    }
  }

  /**
   * Renews the lease and returns whether it is still held. If the storage is unavailable, the lease lasts until it
   * expires.
   */
  async function renew(): Promise<boolean> {
    const now = epochNow(clock)
    try {
      const isOurs = await storage.renewLease(hold, { now, until: addMillis(now, leaseMs) })
      if (isOurs) until = toEpochMs(Math.max(until, now + leaseMs))
      return isOurs || released.signal.aborted
    } catch (error) {
      log.error({ connectionId: hold.connectionId, err: error }, 'could not renew a lease')
      return clock.now() < until
    }
  }
}

import { Fault } from '../../src/contract/faults.ts'
import type { Clock } from '../../src/ports.ts'

/** Who is in, and whether more are let in. */
export type Traffic = {
  /** Someone comes. Until `leave` was called it is in flight; `signal` says when it must stop. */
  enter(): Stay
  /** @throws Fault `unavailable` where the server is stopping or has as many in flight as it can. */
  admit(): void
  isDraining(): boolean
  inFlight(): number
  /** Lets nobody in any more. Resolves when all have left; those that are in after `graceMs` are told to stop. */
  drain(graceMs: number): Promise<void>
}

export type Stay = { signal: AbortSignal; abort(reason: unknown): void; leave(): void }

const OVERLOAD_RETRY_SECONDS = 1
const DRAIN_RETRY_SECONDS = 5

/** Nobody is in yet; at most `requestsMax` are let in at a time. */
export function createTraffic({ clock, requestsMax }: { clock: Clock; requestsMax: number }): Traffic {
  const stays = new Set<AbortController>()
  let draining: Promise<void> | undefined
  let emptied = (): void => undefined

  return {
    enter() {
      const controller = new AbortController()
      stays.add(controller)
      return {
        signal: controller.signal,
        abort: (reason) => controller.abort(reason),
        leave() {
          stays.delete(controller)
          if (stays.size === 0) emptied()
        }
      }
    },
    admit() {
      if (draining !== undefined) throw stopping()
      if (stays.size > requestsMax) {
        const message = `The server has ${requestsMax} requests in flight, as many as it takes`
        throw new Fault('unavailable', message, { hint: 'try again later', retryAfter: OVERLOAD_RETRY_SECONDS })
      }
    },
    isDraining: () => draining !== undefined,
    inFlight: () => stays.size,
    drain(graceMs) {
      draining ??= new Promise((resolve) => {
        emptied = resolve
        if (stays.size === 0) return resolve()
        const stopAll = (): void => {
          for (const controller of stays) controller.abort(stopping())
        }
        clock.wait(graceMs).then(stopAll, stopAll)
      })
      return draining
    }
  }
}

function stopping(): Fault {
  return new Fault('unavailable', 'The server is stopping', {
    hint: 'try again later, or at another node',
    retryAfter: DRAIN_RETRY_SECONDS
  })
}

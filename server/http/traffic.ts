import { Fault } from '../../src/contract/faults.ts'
import type { Clock } from '../../src/ports.ts'

/** Who is in, and whether more are let in. */
export type Traffic = {
  /** Someone comes. Until `leave` was called it is in flight; `signal` says when it must stop. */
  enter(): Stay
  /** @throws Fault `unavailable` where the server is stopping. */
  admit(): void
  isDraining(): boolean
  inFlight(): number
  /** Lets nobody in any more. Resolves when all have left; those that are in after `graceMs` are told to stop. */
  drain(graceMs: number): Promise<void>
}

export type Stay = {
  signal: AbortSignal
  abort(reason: unknown): void
  /**
   * All of the request has come, and the work begins. Who sends slowly holds no place that others could work in.
   * @throws Fault `unavailable` where as many are worked on as can be.
   */
  begin(): void
  leave(): void
}

const OVERLOAD_RETRY_SECONDS = 1
const DRAIN_RETRY_SECONDS = 5

/** Nobody is in yet; at most `requestsMax` are worked on at a time. */
export function createTraffic({ clock, requestsMax }: { clock: Clock; requestsMax: number }): Traffic {
  const stays = new Set<AbortController>()
  const working = new Set<AbortController>()
  let draining: Promise<void> | undefined
  let emptied = (): void => undefined

  return {
    enter() {
      const controller = new AbortController()
      stays.add(controller)
      return {
        signal: controller.signal,
        abort: (reason) => controller.abort(reason),
        begin() {
          if (working.size >= requestsMax) throw overloaded(requestsMax)
          working.add(controller)
        },
        leave() {
          working.delete(controller)
          stays.delete(controller)
          if (stays.size === 0) emptied()
        }
      }
    },
    admit() {
      if (draining !== undefined) throw stopping()
    },
    isDraining: () => draining !== undefined,
    inFlight: () => stays.size,
    drain(graceMs) {
      draining ??= new Promise((resolve) => {
        if (stays.size === 0) return resolve()
        const over = new AbortController()
        emptied = () => {
          over.abort()
          resolve()
        }
        const stopAll = (): void => {
          for (const controller of stays) controller.abort(stopping())
        }
        clock.wait(graceMs, over.signal).then(stopAll, stopAll)
      })
      return draining
    }
  }
}

function overloaded(requestsMax: number): Fault {
  const message = `the server works on ${requestsMax} requests, as many as it takes`
  return new Fault('unavailable', message, { hint: 'try again later', retryAfter: OVERLOAD_RETRY_SECONDS })
}

function stopping(): Fault {
  return new Fault('unavailable', 'the server is stopping', {
    hint: 'try again later, or at another node',
    retryAfter: DRAIN_RETRY_SECONDS
  })
}

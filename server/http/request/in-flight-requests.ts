import { Fault } from '../../../src/contract/faults.ts'
import type { Clock } from '../../../src/ports.ts'

/** The requests in flight, and their limits. */
export type InFlightRequests = {
  /** Registers a request, which is in flight until it calls `leave`. `signal` is aborted when it must stop. */
  enter(): InFlightRequest
  /** @throws Fault `unavailable` if the server is stopping. */
  admit(): void
  isDraining(): boolean
  inFlight(): number
  /** Returns the number of requests in progress. */
  working(): number
  /** Returns for how many milliseconds nearly all places have been taken; 0 while enough are free. */
  countExhaustedMs(): number
  /** Rejects new requests. Resolves when all requests have left. Requests that remain after `graceMs` are aborted. */
  drain(graceMs: number): Promise<void>
}

export type InFlightRequest = {
  signal: AbortSignal
  abort(reason: unknown): void
  /**
   * Begins the work on a request that was received completely. A slow sender therefore does not occupy a place. @throws
   * Fault `rate_limited` if the caller uses its share of the places, `unavailable` if all places are taken.
   */
  begin(caller: PlaceOwner): void
  leave(): void
}

/** The caller that a place is counted for. `id` is that of a key or a network address; messages use `named`. */
export type PlaceOwner = { id: string; named: string }

export type InFlightLimits = {
  clock: Clock
  /** The maximum number of requests in progress. */
  requestsMax: number
  /** The share of one caller. */
  requestsPerCallerMax: number
}

/** The places count as exhausted from the moment when the last one is taken until less than this share is taken. */
const RELIEVED_SHARE = 0.75

const OVERLOAD_RETRY_SECONDS = 1
const DRAIN_RETRY_SECONDS = 5

/** Creates the counter without requests. */
export function createInFlightRequests({ clock, requestsMax, requestsPerCallerMax }: InFlightLimits): InFlightRequests {
  const stays = new Set<AbortController>()
  const places = createPlaces({ clock, requestsMax, requestsPerCallerMax })
  let draining: Promise<void> | undefined
  let notifyEmpty = (): void => undefined

  return {
    enter() {
      const controller = new AbortController()
      stays.add(controller)
      let giveBack = (): void => undefined
      return {
        signal: controller.signal,
        abort: (reason) => controller.abort(reason),
        begin(caller) {
          giveBack = places.take(caller)
        },
        leave() {
          if (!stays.delete(controller)) return
          giveBack()
          if (stays.size === 0) notifyEmpty()
        }
      }
    },
    admit() {
      if (draining !== undefined) throw stopping()
    },
    isDraining: () => draining !== undefined,
    inFlight: () => stays.size,
    working: places.countTaken,
    countExhaustedMs: places.countExhaustedMs,
    drain(graceMs) {
      draining ??= new Promise((resolve) => {
        if (stays.size === 0) return resolve()
        const over = new AbortController()
        notifyEmpty = () => {
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

type Places = {
  /** Takes a place, and returns the function that releases it. */
  take(owner: PlaceOwner): () => void
  countTaken(): number
  countExhaustedMs(): number
}

function createPlaces({ clock, requestsMax, requestsPerCallerMax }: InFlightLimits): Places {
  const byOwner = new Map<string, number>()
  let taken = 0
  let exhaustedSince: number | undefined

  return {
    take({ id, named }) {
      const own = byOwner.get(id) ?? 0
      if (own >= requestsPerCallerMax) throw overShare(named, requestsPerCallerMax)
      if (taken >= requestsMax) throw makeOverloadFault(requestsMax)
      byOwner.set(id, own + 1)
      taken++
      if (taken >= requestsMax) exhaustedSince ??= clock.ticks()
      return () => {
        const left = (byOwner.get(id) ?? 0) - 1
        if (left > 0) byOwner.set(id, left)
        else byOwner.delete(id)
        taken--
        if (taken < requestsMax * RELIEVED_SHARE) exhaustedSince = undefined
      }
    },
    countTaken: () => taken,
    countExhaustedMs: () => (exhaustedSince === undefined ? 0 : clock.ticks() - exhaustedSince)
  }
}

function overShare(named: string, requestsMax: number): Fault {
  return new Fault('rate_limited', `${named} has reached its limit of ${requestsMax} requests in progress`, {
    hint: 'wait until some of them have ended',
    retryAfter: OVERLOAD_RETRY_SECONDS
  })
}

function makeOverloadFault(requestsMax: number): Fault {
  const message = `the server has reached its limit of ${requestsMax} requests in progress`
  return new Fault('unavailable', message, { hint: 'try again later', retryAfter: OVERLOAD_RETRY_SECONDS })
}

function stopping(): Fault {
  return new Fault('unavailable', 'the server is stopping', {
    hint: 'try again later, or use another node',
    retryAfter: DRAIN_RETRY_SECONDS
  })
}

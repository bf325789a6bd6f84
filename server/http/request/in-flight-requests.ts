import { Fault } from '../../../src/contract/faults.ts'
import type { Clock } from '../../../src/ports.ts'

/** Who is in, and whether more are let in. */
export type InFlightRequests = {
  /** Someone comes. Until `leave` was called it is in flight; `signal` says when it must stop. */
  enter(): InFlightRequest
  /** @throws Fault `unavailable` where the server is stopping. */
  admit(): void
  isDraining(): boolean
  inFlight(): number
  /** How many requests are being worked on. */
  working(): number
  /** For how many milliseconds nearly every place has been taken; 0 while there are free ones. */
  countExhaustedMs(): number
  /** Lets nobody in any more. Resolves when all have left; those that are in after `graceMs` are told to stop. */
  drain(graceMs: number): Promise<void>
}

export type InFlightRequest = {
  signal: AbortSignal
  abort(reason: unknown): void
  /**
   * All of the request has come, and the work begins. Who sends slowly holds no place that others could work in.
   * @throws Fault `rate_limited` if the caller has its share of the places, `unavailable` if all places are taken.
   */
  begin(caller: PlaceOwner): void
  leave(): void
}

/** Who a place is counted for: `id` is that of a key or a network address, `named` is how a message calls it. */
export type PlaceOwner = { id: string; named: string }

export type InFlightLimits = {
  clock: Clock
  /** Requests that are worked on at a time. */
  requestsMax: number
  /** Of these, those of one caller. */
  requestsPerCallerMax: number
}

/** The places count as exhausted from when the last one is taken until fewer than this share of them are. */
const RELIEVED_SHARE = 0.75

const OVERLOAD_RETRY_SECONDS = 1
const DRAIN_RETRY_SECONDS = 5

/** Nobody is in yet. */
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
  /** Takes a place, and returns what gives it back. */
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
  return new Fault('rate_limited', `${named} has ${requestsMax} requests in flight, the most it may have at a time`, {
    hint: 'wait until some of them are answered',
    retryAfter: OVERLOAD_RETRY_SECONDS
  })
}

function makeOverloadFault(requestsMax: number): Fault {
  const message = `the server works on ${requestsMax} requests, as many as it takes`
  return new Fault('unavailable', message, { hint: 'try again later', retryAfter: OVERLOAD_RETRY_SECONDS })
}

function stopping(): Fault {
  return new Fault('unavailable', 'the server is stopping', {
    hint: 'try again later, or at another node',
    retryAfter: DRAIN_RETRY_SECONDS
  })
}

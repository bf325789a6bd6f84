import { Fault } from '../../../src/contract/faults.ts'
import type { PlaceOwner } from './in-flight-requests.ts'

/** The number of bytes that all bodies in flight may use together. */
export type BodyBudget = {
  /** Opens an allowance for one request of a caller. */
  open(caller: PlaceOwner): Allowance
  bytesInUse(): number
}

export type Allowance = {
  /**
   * Takes bytes from the budget.
   *
   * @throws Fault `rate_limited` beyond the share of the caller, `unavailable` if the budget is used up.
   */
  take(bytes: number): void
  /** Returns all bytes to the budget. */
  close(): void
}

const RETRY_SECONDS = 2

export type BudgetLimits = {
  bytesMax: number
  /** The share of one caller. */
  bytesPerCallerMax: number
}

/** Creates an unused budget. */
export function createBodyBudget({ bytesMax, bytesPerCallerMax }: BudgetLimits): BodyBudget {
  const byCaller = new Map<string, number>()
  let used = 0
  return {
    open({ id, named }) {
      let own = 0
      return {
        take(bytes) {
          const ofCaller = (byCaller.get(id) ?? 0) + bytes
          if (ofCaller > bytesPerCallerMax) throw overShare(named, bytesPerCallerMax)
          if (used + bytes > bytesMax) throw makeExhaustedFault()
          byCaller.set(id, ofCaller)
          used += bytes
          own += bytes
        },
        close() {
          const left = (byCaller.get(id) ?? 0) - own
          if (left > 0) byCaller.set(id, left)
          else byCaller.delete(id)
          used -= own
          own = 0
        }
      }
    },
    bytesInUse: () => used
  }
}

function overShare(named: string, bytesMax: number): Fault {
  const message = `${named} has reached its limit of ${bytesMax} bytes of request bodies in flight`
  return new Fault('rate_limited', message, {
    hint: 'wait until some of its requests have ended',
    retryAfter: RETRY_SECONDS
  })
}

function makeExhaustedFault(): Fault {
  const message = 'the server has reached its limit of request bodies in flight'
  return new Fault('unavailable', message, { hint: 'try again later', retryAfter: RETRY_SECONDS })
}

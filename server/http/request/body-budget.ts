import { Fault } from '../../../src/contract/faults.ts'
import type { PlaceOwner } from './in-flight-requests.ts'

/** The bytes that bodies in flight may take, all together. */
export type BodyBudget = {
  /** What one request of a caller takes out of it. */
  open(caller: PlaceOwner): Allowance
  bytesInUse(): number
}

export type Allowance = {
  /** Takes so many bytes more. Throws a Fault: `rate_limited` beyond the caller's share, `unavailable` if none are left. */
  take(bytes: number): void
  /** Gives everything back. */
  close(): void
}

const RETRY_SECONDS = 2

export type BudgetLimits = {
  bytesMax: number
  /** Of these, those of one caller. */
  bytesPerCallerMax: number
}

/** A budget of which nothing is used yet. */
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
  const message = `${named} has bodies of ${bytesMax} bytes in flight, the most it may have at a time`
  return new Fault('rate_limited', message, {
    hint: 'wait until some of its requests are answered',
    retryAfter: RETRY_SECONDS
  })
}

function makeExhaustedFault(): Fault {
  const message = 'the server has as many bytes of bodies in flight as it takes'
  return new Fault('unavailable', message, { hint: 'try again later', retryAfter: RETRY_SECONDS })
}

import { Fault } from '../../../src/contract/faults.ts'

/** The bytes that bodies in flight may take, all together. */
export type BodyBudget = {
  /** What one request takes out of it. */
  open(): Allowance
  bytesInUse(): number
}

export type Allowance = {
  /** Takes so many bytes more. Throws a Fault `unavailable` where there are not as many. */
  take(bytes: number): void
  /** Gives everything back. */
  close(): void
}

const RETRY_SECONDS = 2

/** An empty budget of so many bytes. */
export function createBodyBudget(bytesMax: number): BodyBudget {
  let used = 0
  return {
    open() {
      let own = 0
      return {
        take(bytes) {
          if (used + bytes > bytesMax) throw exhausted()
          used += bytes
          own += bytes
        },
        close() {
          used -= own
          own = 0
        }
      }
    },
    bytesInUse: () => used
  }
}

function exhausted(): Fault {
  const message = 'the server has as many bytes of bodies in flight as it takes'
  return new Fault('unavailable', message, { hint: 'try again later', retryAfter: RETRY_SECONDS })
}

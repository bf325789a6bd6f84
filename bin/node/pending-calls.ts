import { Fault } from '../../src/contract/faults.ts'
import { type AnswerMessage, toReceivedError } from './thread-message.ts'

/** Calls of a thread that have no answer yet. */
export type PendingCalls = {
  /** Sends a call under a number of its own. Rejects where it cannot be sent. */
  begin(send: (call: number) => void): Promise<unknown>
  settle(answer: AnswerMessage): void
  /** How many there are. */
  count(): number
  /** All reject with it. */
  rejectAll(reason: unknown): void
}

/** No calls yet. */
export function createPendingCalls(): PendingCalls {
  const pending = new Map<number, { resolve: (value: unknown) => void; reject: (reason: unknown) => void }>()
  let calls = 0
  return {
    begin(send) {
      return new Promise((resolve, reject) => {
        const call = calls++
        send(call)
        pending.set(call, { resolve, reject })
      })
    },
    settle(answer) {
      const waiting = pending.get(answer.call)
      pending.delete(answer.call)
      if ('value' in answer) waiting?.resolve(answer.value)
      else waiting?.reject(toReceivedError(answer))
    },
    count: () => pending.size,
    rejectAll(reason) {
      const waiting = [...pending.values()]
      pending.clear()
      for (const { reject } of waiting) reject(reason)
    }
  }
}

/** What became of a thread, for its calls. Asking again may help. */
export function threadGone(what: string, cause?: unknown): Fault {
  return new Fault('unavailable', `a thread of the server ${what}`, { cause, hint: 'ask again', retryAfter: 1 })
}

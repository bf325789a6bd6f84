import { Fault, type FaultCode, type InputFault } from '../../../src/contract/faults.ts'
import type { ThreadHandlers } from '../../../src/ports.ts'

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

/** A call on its way to a thread. */
export type CallMessage = { call: number; name: string; argument: unknown }

/** What comes back for it. */
export type AnswerMessage = { call: number } & ({ value: unknown } | { fault: SentFault } | { bug: unknown })

/** A Fault in plain values: what is cloned loses its class. */
type SentFault = {
  code: FaultCode
  message: string
  hint: string | undefined
  next: string[]
  errors: InputFault[]
  retryAfter: number | undefined
  /** For the log: without it nobody could tell what the disk or the system said. */
  cause: Error | undefined
}

/** What a thrown thing is on its way. A bug keeps its message and stack; what cannot be cloned is told as text. */
function toSentError(error: unknown): { fault: SentFault } | { bug: unknown } {
  if (error instanceof Fault) return { fault: toSentFault(error) }
  return { bug: error instanceof Error ? plainError(error) : new Error(String(error)) }
}

/** What was thrown in the thread, as it is thrown here. */
function toReceivedError(answer: { fault: SentFault } | { bug: unknown }): unknown {
  return 'fault' in answer ? new Fault(answer.fault.code, answer.fault.message, answer.fault) : answer.bug
}

function toSentFault({ code, message, hint, next, errors, retryAfter, cause }: Fault): SentFault {
  const plainCause = cause instanceof Error ? plainError(cause) : undefined
  return { code, message, hint, next: [...next], errors: [...errors], retryAfter, cause: plainCause }
}

/** Without members of its own, which may be anything. */
function plainError(error: Error): Error {
  const plain = new Error(error.message)
  plain.name = error.name
  if (error.stack !== undefined) plain.stack = error.stack
  return plain
}

/** Sends an answer; the memory of the buffers in `hand` goes with it. */
export type SendAnswer = (message: AnswerMessage, hand: ArrayBuffer[]) => void

/** Does what a call asks for and sends what came of it: always exactly one answer. */
export async function answerCall(
  handlers: ThreadHandlers | Promise<ThreadHandlers>,
  { call, name, argument }: CallMessage,
  send: SendAnswer
): Promise<void> {
  const hand: ArrayBuffer[] = []
  try {
    const handler = (await handlers)[name]
    if (handler === undefined) throw new Error(`the thread has nothing called ${name}`)
    const value = await handler(argument as never, hand)
    send({ call, value }, hand)
  } catch (error) {
    send({ call, ...toSentError(error) }, [])
  }
}

import { Fault, type FaultCode, type InputFault } from '../../../src/contract/faults.ts'
import type { ThreadHandlers } from '../../../src/ports.ts'

/** Calls to a thread that have no answer yet. */
export type PendingCalls = {
  /** Sends a call with a unique number. Rejects if it cannot be sent. */
  begin(send: (call: number) => void): Promise<unknown>
  settle(answer: AnswerMessage): void
  /** Returns the number of pending calls. */
  count(): number
  /** Rejects all pending calls with the reason. */
  rejectAll(reason: unknown): void
}

/** Creates an empty registry. */
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

/** Builds the error for calls to a thread that has ended. A retry may succeed. */
export function threadGone(what: string, cause?: unknown): Fault {
  return new Fault('unavailable', `a thread of the server ${what}`, { cause, hint: 'try again', retryAfter: 1 })
}

/** A call to a thread. */
export type CallMessage = { call: number; name: string; argument: unknown }

/** The answer to a call. */
export type AnswerMessage = { call: number } & ({ value: unknown } | { fault: SentFault } | { bug: unknown })

/** A Fault as plain values, because cloning loses its class. */
type SentFault = {
  code: FaultCode
  message: string
  hint: string | undefined
  next: string[]
  errors: InputFault[]
  retryAfter: number | undefined
  /** For the log, which would otherwise lack the error of the disk or the system. */
  cause: Error | undefined
}

/** Converts a thrown value for transfer. A bug keeps its message and stack; what cannot be cloned becomes text. */
function toSentError(error: unknown): { fault: SentFault } | { bug: unknown } {
  if (error instanceof Fault) return { fault: toSentFault(error) }
  return { bug: error instanceof Error ? plainError(error) : new Error(String(error)) }
}

/** Converts an error from the thread to the one that is thrown here. */
function toReceivedError(answer: { fault: SentFault } | { bug: unknown }): unknown {
  return 'fault' in answer ? new Fault(answer.fault.code, answer.fault.message, answer.fault) : answer.bug
}

function toSentFault({ code, message, hint, next, errors, retryAfter, cause }: Fault): SentFault {
  const plainCause = cause instanceof Error ? plainError(cause) : undefined
  return { code, message, hint, next: [...next], errors: [...errors], retryAfter, cause: plainCause }
}

/** Copies an error without its other members, which may be anything. */
function plainError(error: Error): Error {
  const plain = new Error(error.message)
  plain.name = error.name
  if (error.stack !== undefined) plain.stack = error.stack
  return plain
}

/** Sends an answer. The memory of the buffers in `hand` is transferred. */
export type SendAnswer = (message: AnswerMessage, hand: ArrayBuffer[]) => void

/** Executes a call and sends exactly one answer. */
export async function answerCall(
  handlers: ThreadHandlers | Promise<ThreadHandlers>,
  { call, name, argument }: CallMessage,
  send: SendAnswer
): Promise<void> {
  const hand: ArrayBuffer[] = []
  try {
    const handler = (await handlers)[name]
    if (handler === undefined) throw new Error(`the thread has no call named ${name}`)
    const value = await handler(argument as never, hand)
    send({ call, value }, hand)
  } catch (error) {
    send({ call, ...toSentError(error) }, [])
  }
}

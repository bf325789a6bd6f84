import { Fault, type FaultCode, type InputFault } from '../../src/contract/faults.ts'

/** A call on its way to a thread. */
export type CallMessage = { call: number; name: string; argument: unknown }

/** What comes back for it. */
export type AnswerMessage = { call: number } & ({ value: unknown } | { fault: SentFault } | { bug: unknown })

/** A Fault in plain values: what is cloned loses its class. */
export type SentFault = {
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
export function toSentError(error: unknown): { fault: SentFault } | { bug: unknown } {
  if (error instanceof Fault) return { fault: toSentFault(error) }
  return { bug: error instanceof Error ? plainError(error) : new Error(String(error)) }
}

/** What was thrown in the thread, as it is thrown here. */
export function toReceivedError(answer: { fault: SentFault } | { bug: unknown }): unknown {
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

import { Buffer } from 'node:buffer'
import { FAULTS, Fault } from '../../../src/contract/faults.ts'
import type { Problem } from '../../../src/contract/problem.ts'
import { describeProblem } from './describe-problem.ts'

/** Builds the reply for a fault: problem details (RFC 9457), with the headers that belong to its status. */
export function problemReply(fault: Fault, requestId: string): Response {
  const problem = toProblem(fault, requestId)
  const body = Buffer.from(JSON.stringify(problem))
  const headers = new Headers({
    'content-type': 'application/problem+json',
    'content-length': String(body.length)
  })
  if (problem.status === 401) headers.set('www-authenticate', 'Bearer')
  if (fault.retryAfter !== undefined) headers.set('retry-after', String(Math.max(1, Math.ceil(fault.retryAfter))))
  // The server does not read the rest of the body, so the connection cannot be reused.
  if (problem.status === 413 || problem.status === 408) headers.set('connection', 'close')
  return new Response(body, { status: problem.status, headers })
}

/** Converts a fault to its wire form. */
function toProblem(fault: Fault, requestId: string): Problem {
  const { message, hint, errors } = fault
  const { code, title } = describeProblem(fault.code)
  return {
    type: `/docs#fault-${code}`,
    title,
    status: FAULTS[fault.code].status,
    detail: message,
    code,
    ...(hint === undefined ? {} : { hint }),
    ...(errors.length === 0 ? {} : { errors: [...errors] }),
    instance: `urn:memctl:request:${requestId}`
  }
}

/**
 * Converts a thrown value to a fault. Anything other than a fault is a bug, and its details are not sent to the caller.
 */
export function asFault(thrown: unknown): Fault {
  if (thrown instanceof Fault && FAULTS[thrown.code].status >= 400) return thrown
  return new Fault('internal', 'the server failed because of a bug; search its log for the id of this request', {
    cause: thrown
  })
}

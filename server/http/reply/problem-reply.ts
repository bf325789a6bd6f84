import { Buffer } from 'node:buffer'
import { FAULTS, Fault } from '../../../src/contract/faults.ts'
import type { Problem } from '../../../src/contract/problem.ts'

/** What a fault looks like on the wire: problem details (RFC 9457), with the headers that belong to its status. */
export function problemReply(fault: Fault, requestId: string): Response {
  const problem = toProblem(fault, requestId)
  const body = Buffer.from(JSON.stringify(problem))
  const headers = new Headers({
    'content-type': 'application/problem+json',
    'content-length': String(body.length)
  })
  if (problem.status === 401) headers.set('www-authenticate', 'Bearer')
  if (fault.retryAfter !== undefined) headers.set('retry-after', String(Math.max(1, Math.ceil(fault.retryAfter))))
  // The rest of a body is not read, so nothing can come after it on this connection.
  if (problem.status === 413 || problem.status === 408) headers.set('connection', 'close')
  return new Response(body, { status: problem.status, headers })
}

/** A fault as a value of the wire. */
function toProblem({ code, message, hint, errors }: Fault, requestId: string): Problem {
  const { status, means } = FAULTS[code]
  return {
    type: `/docs#fault-${code}`,
    title: `${means.charAt(0).toUpperCase()}${means.slice(1)}`,
    status,
    detail: message,
    code,
    ...(hint === undefined ? {} : { hint }),
    ...(errors.length === 0 ? {} : { errors: [...errors] }),
    instance: `urn:memctl:request:${requestId}`
  }
}

/** What was thrown, as a fault: what is none is a bug, and nothing of it is told to the caller. */
export function asFault(thrown: unknown): Fault {
  if (thrown instanceof Fault && FAULTS[thrown.code].status >= 400) return thrown
  return new Fault('internal', 'the server failed; its log says more under the id of this request', { cause: thrown })
}

import { FAULTS, type FaultCode } from '../../../src/contract/faults.ts'
import { type ProblemCode, toProblemCode } from '../../../src/contract/problem-code.ts'

/** The code of a fault in HTTP replies, its title, and the condition that causes it as a sentence. */
type ProblemDescription = { code: ProblemCode; title: string; condition: string }

/** Describes a fault in the terms of HTTP. The meanings in `FAULTS` are those of the command line. */
export function describeProblem(fault: FaultCode): ProblemDescription {
  const code = toProblemCode(fault)
  const [title, condition] = DESCRIPTIONS[code] ?? ['Request failed', `Request failed: ${FAULTS[fault].means}.`]
  return { code, title, condition }
}

const DESCRIPTIONS: Readonly<Partial<Record<ProblemCode, readonly [title: string, condition: string]>>> = {
  invalid_request: ['Bad request', 'The connection or its provider does not support this request.'],
  malformed_request: ['Malformed request', 'The request is not valid HTTP.'],
  malformed_json: ['Malformed JSON', 'The body is not valid JSON, has duplicate keys, or is nested too deeply.'],
  unauthenticated: ['Unauthorized', 'The API key is missing, unknown or revoked.'],
  forbidden: ['Forbidden', 'The key does not have the required permission.'],
  not_found: ['Not found', 'The path, or the resource that the request names, does not exist.'],
  method_not_allowed: [
    'Method not allowed',
    'The path does not support this method. `Allow` lists the supported ones.'
  ],
  timed_out: ['Request timeout', 'The body arrived too slowly. Send the request again.'],
  conflict: ['Conflict', 'The current state of the resource does not allow this request.'],
  provider_refused: [
    'Provider refused access',
    'The provider rejected the stored credentials, or they do not permit this request. Connect the account again before you retry.'
  ],
  too_large: ['Content too large', 'The body exceeds the size limit of the server.'],
  unsupported_media: [
    'Unsupported media type',
    'The endpoint does not accept the content type or encoding of the body.'
  ],
  invalid_input: ['Invalid input', 'A parameter or a member of the body is missing, unknown or invalid.'],
  invalid_snapshot: ['Invalid snapshot', 'The snapshot in the request has an invalid header or damaged lines.'],
  not_a_snapshot: ['Invalid snapshot', 'The body does not begin with a valid snapshot header.'],
  unsupported_version: ['Unsupported snapshot version', 'The server cannot read this version of the snapshot format.'],
  rate_limited: ['Too many requests', 'The caller exceeded a rate limit. Wait as long as `Retry-After` says.'],
  internal: ['Internal server error', 'The server failed because of a bug. Its log has the details.'],
  damaged_storage: ['Damaged data', 'The database of the server contains damaged data.'],
  provider_failed: [
    'Provider request failed',
    'The provider did not respond, or its response was invalid. Retry later.'
  ],
  unavailable: [
    'Service unavailable',
    'The server is overloaded or stopping, or cannot reach its storage. Wait as long as `Retry-After` says.'
  ]
}

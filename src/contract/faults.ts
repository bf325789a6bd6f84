/**
 * All expected errors. `status` is the HTTP status in replies of the server, `exit` is the exit code of the command
 * line, and `retryable` reports whether a retry may help.
 */
export const FAULTS = {
  usage: { status: 400, exit: 2, retryable: false, means: 'the command line is invalid' },
  input_needed: {
    status: 400,
    exit: 2,
    retryable: false,
    means: 'the command needs an answer, but the session is not interactive'
  },
  not_found: { status: 404, exit: 3, retryable: false, means: 'the id, setting or topic does not exist' },
  snapshot_missing: { status: 404, exit: 3, retryable: false, means: 'the named snapshot file does not exist' },
  exists: { status: 409, exit: 6, retryable: false, means: 'the file or name already exists' },
  locked: { status: 409, exit: 6, retryable: true, means: 'another process holds the lock of the file' },
  not_a_snapshot: {
    status: 422,
    exit: 10,
    retryable: false,
    means: 'the file does not start with a valid snapshot header'
  },
  invalid_snapshot: {
    status: 422,
    exit: 10,
    retryable: false,
    means: 'the snapshot has damaged or missing lines'
  },
  unsupported_version: {
    status: 422,
    exit: 10,
    retryable: false,
    means: 'this version of memctl cannot read the format version of the snapshot'
  },
  malformed_json: {
    status: 400,
    exit: 10,
    retryable: false,
    means: 'the input is not valid JSON, or parsers would disagree about it'
  },
  invalid_input: { status: 422, exit: 10, retryable: false, means: 'the input violates the schema or a limit' },
  too_large: { status: 413, exit: 10, retryable: false, means: 'the input exceeds a size limit' },
  unauthenticated: { status: 401, exit: 4, retryable: false, means: 'the API key is missing, unknown or revoked' },
  forbidden: { status: 403, exit: 5, retryable: false, means: 'the API key lacks a permission' },
  conflict: { status: 409, exit: 6, retryable: false, means: 'the current state does not permit the operation' },
  gone: {
    status: 410,
    exit: 6,
    retryable: false,
    means: 'the server no longer has the point from which the request continues; start from the beginning'
  },
  address_in_use: { status: 409, exit: 6, retryable: false, means: 'another process already listens on the address' },
  malformed_request: { status: 400, exit: 1, retryable: false, means: 'the request is not valid HTTP' },
  method_not_allowed: { status: 405, exit: 2, retryable: false, means: 'the path does not support the HTTP method' },
  unsupported_media: { status: 415, exit: 2, retryable: false, means: 'the media type of the body is not supported' },
  timed_out: { status: 408, exit: 7, retryable: true, means: 'the request arrived too slowly' },
  rate_limited: { status: 429, exit: 7, retryable: true, means: 'too many requests; retry after the stated time' },
  unavailable: {
    status: 503,
    exit: 7,
    retryable: true,
    means: 'the server is overloaded, stopping, or cannot reach its storage'
  },
  provider_refused: {
    status: 409,
    exit: 6,
    retryable: true,
    means: 'the provider rejects the stored credentials, or they lack a permission; connect again'
  },
  provider_failed: { status: 502, exit: 7, retryable: true, means: 'the provider failed or sent an invalid reply' },
  consent_denied: { status: 403, exit: 5, retryable: true, means: 'the user denied consent' },
  consent_failed: { status: 502, exit: 1, retryable: true, means: 'the consent could not be completed' },
  sync_failed: { status: 502, exit: 1, retryable: true, means: 'a sync failed before its end' },
  damaged_storage: {
    status: 500,
    exit: 10,
    retryable: false,
    means: 'the database of the server contains damaged data'
  },
  unreachable: { status: 503, exit: 7, retryable: true, means: 'the server cannot be reached' },
  broken_transfer: {
    status: 502,
    exit: 7,
    retryable: true,
    means: 'a reply was incomplete or did not come from memctl'
  },
  still_pending: { status: 202, exit: 8, retryable: true, means: 'the expected event has not happened yet' },
  check_failed: { status: 422, exit: 11, retryable: false, means: 'a check failed' },
  warnings: {
    status: 200,
    exit: 9,
    retryable: false,
    means: 'done with warnings or losses, and --fail-on-warning or --fail-on-loss was given'
  },
  system_refused: { status: 500, exit: 1, retryable: false, means: 'the operating system refused an operation' },
  problems: { status: 200, exit: 1, retryable: false, means: 'memctl doctor found problems' },
  declined: { status: 400, exit: 1, retryable: false, means: 'declined at a prompt; nothing was changed' },
  cancelled: { status: 400, exit: 130, retryable: true, means: 'stopped by Ctrl-C' },
  terminated: { status: 503, exit: 143, retryable: true, means: 'stopped by SIGTERM' },
  internal: { status: 500, exit: 1, retryable: false, means: 'a bug in memctl' }
} as const satisfies Record<string, FaultRow>

export type FaultRow = { status: number; exit: number; retryable: boolean; means: string }

export type FaultCode = keyof typeof FAULTS

/** An error in an input. `path` is the path of the member, such as `grants[0].permission`; empty for the whole input. */
export type InputFault = { path: string; message: string }

export type FaultDetails = {
  hint?: string | undefined
  next?: string[]
  cause?: unknown
  /** The first errors in an input. */
  errors?: readonly InputFault[]
  /** The number of seconds to wait before a retry. */
  retryAfter?: number | undefined
  /** Overrides the value that the table has for the code. */
  retryable?: boolean | undefined
}

/**
 * An expected failure with a code. `message` describes the failure and its reason in one line, `hint` is the command or
 * action that fixes it, and `next` lists commands to continue with.
 */
export class Fault extends Error {
  readonly code: FaultCode
  readonly hint: string | undefined
  readonly next: readonly string[]
  readonly errors: readonly InputFault[]
  readonly retryAfter: number | undefined
  /** Whether a retry may help. */
  readonly retryable: boolean

  constructor(code: FaultCode, message: string, more: FaultDetails = {}) {
    super(message, { cause: more.cause })
    this.name = 'Fault'
    this.code = code
    this.hint = more.hint
    this.next = more.next ?? []
    this.errors = more.errors ?? []
    this.retryAfter = more.retryAfter
    this.retryable = more.retryable ?? FAULTS[code].retryable
  }

  get exitCode(): number {
    return FAULTS[this.code].exit
  }
}

/** Returns a copy of a fault in which the given members are replaced. */
export function faultLike(
  fault: Fault,
  { message = fault.message, ...more }: FaultDetails & { message?: string }
): Fault {
  const { code, hint, next, errors, retryAfter, retryable } = fault
  return new Fault(code, message, { hint, next: [...next], errors, retryAfter, retryable, cause: fault, ...more })
}

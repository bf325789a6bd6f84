/**
 * One table of what can go wrong and is expected to. `status` is the HTTP status where the server answers with it,
 * `exit` the exit code of the command line, `retryable` whether doing the same again may help.
 */
export const FAULTS = {
  usage: { status: 400, exit: 2, retryable: false, means: 'the words of the command are off' },
  input_needed: { status: 400, exit: 2, retryable: false, means: 'an answer is needed and nobody is there to give it' },
  not_found: { status: 404, exit: 3, retryable: false, means: 'no such id, setting or topic' },
  snapshot_missing: { status: 404, exit: 3, retryable: false, means: 'the named snapshot file does not exist' },
  exists: { status: 409, exit: 6, retryable: false, means: 'something is there already and would be overwritten' },
  locked: { status: 409, exit: 6, retryable: true, means: 'another process holds the lock of the file' },
  not_a_snapshot: {
    status: 422,
    exit: 10,
    retryable: false,
    means: 'the file does not begin with a sound snapshot header'
  },
  invalid_snapshot: {
    status: 422,
    exit: 10,
    retryable: false,
    means: 'the snapshot has damaged lines, or lines were lost'
  },
  unsupported_version: {
    status: 422,
    exit: 10,
    retryable: false,
    means: 'the snapshot has a format version that this memctl cannot read'
  },
  malformed_json: {
    status: 400,
    exit: 10,
    retryable: false,
    means: 'input is not JSON, or not JSON that every reader understands alike'
  },
  invalid_input: { status: 422, exit: 10, retryable: false, means: 'input is JSON but breaks the schema or a limit' },
  too_large: { status: 413, exit: 10, retryable: false, means: 'input is over a limit of size' },
  check_failed: { status: 422, exit: 11, retryable: false, means: 'a check did not hold' },
  warnings: { status: 200, exit: 9, retryable: false, means: 'done, with warnings, and --fail-on-warning was given' },
  system_refused: { status: 500, exit: 1, retryable: false, means: 'the disk or the system refused' },
  cancelled: { status: 400, exit: 130, retryable: true, means: 'stopped by Ctrl-C' },
  terminated: { status: 503, exit: 143, retryable: true, means: 'stopped by SIGTERM' },
  internal: { status: 500, exit: 1, retryable: false, means: 'a bug in memctl' }
} as const satisfies Record<string, FaultRow>

export type FaultRow = { status: number; exit: number; retryable: boolean; means: string }

export type FaultCode = keyof typeof FAULTS

/**
 * A failure that is expected and has a code. `message` says what failed, on what and why, in one line; `hint` is the
 * command or deed that mends it; `next` are commands to go on with.
 */
export class Fault extends Error {
  readonly code: FaultCode
  readonly hint: string | undefined
  readonly next: readonly string[]

  constructor(code: FaultCode, message: string, more: { hint?: string; next?: string[]; cause?: unknown } = {}) {
    super(message, { cause: more.cause })
    this.name = 'Fault'
    this.code = code
    this.hint = more.hint
    this.next = more.next ?? []
  }

  get exitCode(): number {
    return FAULTS[this.code].exit
  }
}

import type { FaultCode } from '../../../src/contract/faults.ts'
import { header, memoryLine } from '../../snapshot/builders.ts'
import { CONNECTION, CONNECTION_ID } from '../scripted-service.ts'
import { syncRun } from '../sync-script.ts'
import { type Answers, Refusal } from './sample-service.ts'

/** A command line that fails, with its error in the format of `--json`. */
export type ExitCase = {
  words: readonly string[]
  /** Files in the current folder. */
  files?: Readonly<Record<string, string>>
  environment?: Readonly<Record<string, string>>
  /** Replies of a fake service. Without them, and unless `alone`, the case uses a server of this build. */
  answers?: Answers
  /** Runs without the address of a server. */
  alone?: true
  /** The signal that stops the command after its first request. */
  stop?: 'SIGINT' | 'SIGTERM'
  /** Runs on a terminal: the prompt, and the answer to type. */
  asked?: { text: string; types: string }
}

const LIST = ['collections', 'list']
const SYNC = ['connections', 'sync', CONNECTION_ID, '--wait', '--wait-timeout', '1m']
const CONNECT = ['connect', 'mailbox', '--wait-timeout', '1m']

const alone = (words: readonly string[], more: Omit<ExitCase, 'words'> = {}): ExitCase => ({
  words,
  alone: true,
  ...more
})
const refused = (code: FaultCode, words = LIST): ExitCase => ({
  words,
  answers: { 'GET /v1/collections': () => new Refusal(code), 'GET /v1/connectors/*/folders': () => new Refusal(code) }
})
const attempt = (status: string): Answers => ({
  'GET /v1/connectors/attempts': () => ({ status, connection_id: null, detail: 'so it went' })
})
const never: Answers = { 'GET /v1/collections': () => new Promise(() => undefined) }

/** At least one case for each code in the table of errors, which determines the exit code. */
export const EXIT_CASES: Readonly<Record<FaultCode, readonly ExitCase[]>> = {
  usage: [alone(['device', 'show'])],
  input_needed: [alone(['auth', 'login'])],
  not_found: [alone(['config', 'get', 'colour']), { words: ['api', 'GET', '/v1/nowhere'] }],
  snapshot_missing: [alone(['device', 'list', '--snapshot', 'none.mem.jsonl'])],
  exists: [alone(['device', 'init', 'a.mem.jsonl'])],
  locked: [{ words: ['server', 'start', '--port', '0', '--data-dir', '{data}'] }],
  not_a_snapshot: [alone(['device', 'list', '--snapshot', 'x'], { files: { x: 'hello\n' } })],
  invalid_snapshot: [
    alone(['device', 'verify', '--snapshot', 'x'], { files: { x: `${header()}\n{"type":"memory"}\n` } })
  ],
  unsupported_version: [
    alone(['device', 'list', '--snapshot', 'x'], { files: { x: header().replace('"version":1', '"version":2') } })
  ],
  malformed_json: [
    alone(['device', 'store', 'x', '--metadata', '{"a":']),
    { words: ['api', 'POST', '/v1/collections', '--input', 'x'], files: { x: '{"name"' } }
  ],
  invalid_input: [
    alone(['device', 'search', '--queries', 'x'], { files: { x: '{"query":1}\n' } }),
    { words: ['api', 'POST', '/v1/collections', '-f', 'name:=1'] }
  ],
  too_large: [alone(['auth', 'login', '--key-file', 'x'], { files: { x: 'k'.repeat(1_100_000) } })],
  unauthenticated: [{ words: LIST, environment: { MEMCTL_API_KEY: 'mk_wrong' } }],
  forbidden: [{ words: ['collections', 'create', 'mine'], environment: { MEMCTL_API_KEY: '{plain key}' } }],
  conflict: [{ words: ['keys', 'revoke', '{admin id}'] }],
  gone: [refused('gone')],
  address_in_use: [{ words: ['server', 'start', '--port', '{port}', '--data-dir', 'other'] }],
  malformed_request: [refused('malformed_request')],
  method_not_allowed: [{ words: ['api', 'DELETE', '/v1/keys'] }],
  unsupported_media: [
    { words: ['api', 'POST', '/v1/collections', '--input', 'x.jsonl'], files: { 'x.jsonl': '{}\n' } }
  ],
  timed_out: [refused('timed_out')],
  rate_limited: [refused('rate_limited')],
  unavailable: [refused('unavailable')],
  damaged_storage: [refused('damaged_storage')],
  provider_refused: [refused('provider_refused', ['connections', 'folders', CONNECTION_ID])],
  provider_failed: [refused('provider_failed', ['connections', 'folders', CONNECTION_ID])],
  consent_denied: [{ words: CONNECT, answers: attempt('denied') }],
  consent_failed: [{ words: CONNECT, answers: attempt('failed') }],
  sync_failed: [
    {
      words: SYNC,
      answers: { 'GET /v1/connectors/*/runs': () => [syncRun(2, { outcome: 'failed', error: 'the grant is over' })] }
    }
  ],
  unreachable: [{ words: LIST, environment: { MEMCTL_SERVER: '{nowhere}' } }],
  broken_transfer: [{ words: LIST, answers: { 'GET /v1/collections': () => 'this is another service' } }],
  still_pending: [
    {
      words: ['connections', 'wait', '--for', 'synced', '--wait-timeout', '0s'],
      answers: { 'GET /v1/connectors/*': () => CONNECTION }
    }
  ],
  check_failed: [alone(['device', 'diff', 'a.mem.jsonl', 'b.mem.jsonl', '--exit-code'])],
  warnings: [
    alone(['device', 'verify', '--snapshot', 'x', '--fail-on-warning'], {
      files: { x: `${header()}\n${memoryLine({ text: 'whole' })}\n{"type":"mem` }
    })
  ],
  system_refused: [alone(['device', 'init', 'a.mem.jsonl/below.mem.jsonl'])],
  problems: [{ words: ['doctor'], environment: { MEMCTL_SERVER: '{nowhere}' } }],
  declined: [
    { words: ['collections', 'delete', '{empty id}'], asked: { text: '(y/N)', types: 'n\r' } },
    { words: ['collections', 'delete', '{empty id}'], asked: { text: '(y/N)', types: '\r' } }
  ],
  cancelled: [{ words: LIST, answers: never, stop: 'SIGINT' }],
  terminated: [{ words: LIST, answers: never, stop: 'SIGTERM' }],
  internal: [alone(['help', 'exit-codes'], { environment: { NODE_OPTIONS: '--import={broken}' } })]
}

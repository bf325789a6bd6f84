import { COLLECTION_ID, CONNECTION_ID } from '../scripted-service.ts'
import { runId } from '../sync-script.ts'
import { MEMORY_ID } from './case-home.ts'
import type { Kind } from './kinds.ts'
import { CHAT_ID, KEY_ID } from './sample-service.ts'

/** A command line, and its exit code in each kind of environment. */
export type CommandCase = {
  /** The arguments after `memctl`. */
  words: readonly string[]
  /** The exit code without a terminal, or with prompts turned off. */
  ends: number
  /** For exit code 2: the missing argument or flag that stderr names. */
  names?: string
  /** The prompt on a terminal, at which the test presses Ctrl-C: exit code 130. */
  asks?: string
  /**
   * Output after which the test stops a command that keeps running. With `told`, the exit code is that of the signal.
   */
  runs?: string
  told?: true
  /** The output is text in every format. */
  text?: true
  /** The only kinds that run this case, because the command would wait for stdin in the others. */
  kinds?: readonly Kind[]
}

/** Returns the exit code of a case in one kind of environment. */
export function exitIn({ ends, asks, told }: CommandCase, kind: Kind): number {
  if (asks !== undefined && kind === 'terminal') return 130
  return told === undefined ? ends : { terminal: 130, ci: 130, pipe: 143, null: 143, closed: 143 }[kind]
}

/** The kinds with an empty stdin. */
const NOTHING: readonly Kind[] = ['null', 'closed']

const done = (...words: string[]): CommandCase => ({ words, ends: 0 })
const text = (...words: string[]): CommandCase => ({ words, ends: 0, text: true })
const lacks = (names: string, ...words: string[]): CommandCase => ({ words, names, ends: 2 })
const asks = (question: string, { words, ends, names = '' }: CommandCase): CommandCase => {
  return { words, ends, names, asks: question }
}
const empty = (ends: number, ...words: string[]): CommandCase => ({ words, ends, kinds: NOTHING })

const DEVICE: readonly CommandCase[] = [
  done('device', 'init'),
  done('device', 'store', 'Ada likes the sea'),
  lacks('-f FILE', 'device', 'store'),
  done('device', 'search', 'Lisbon'),
  lacks('--queries', 'device', 'search'),
  done('device', 'ingest', 'a.mem.jsonl', '--dry-run'),
  lacks('path', 'device', 'ingest'),
  done('ingest', 'a.mem.jsonl'),
  lacks('path', 'ingest'),
  text('mcp', 'install', '--client', 'cursor'),
  lacks('--client', 'mcp', 'install'),
  done('search', 'Lisbon'),
  lacks('--queries', 'search'),
  done('store', 'Ada likes the sea'),
  lacks('-f FILE', 'store'),
  done('device', 'list'),
  done('device', 'show', MEMORY_ID),
  done('device', 'why', MEMORY_ID),
  lacks('id', 'device', 'why'),
  done('device', 'correct', MEMORY_ID, 'a text'),
  lacks('id', 'device', 'correct'),
  lacks('id', 'device', 'show'),
  done('device', 'forget', MEMORY_ID),
  lacks('--query', 'device', 'forget'),
  asks('Which memories', lacks('--dry-run', 'device', 'forget', '--query', 'Lisbon')),
  lacks('--ids-from', 'device', 'forget', '--query', 'Lisbon', '--yes', '--compact'),
  done('device', 'export'),
  done('device', 'import'),
  done('device', 'stats'),
  done('device', 'verify'),
  done('device', 'compact'),
  done('device', 'diff', 'a.mem.jsonl', 'b.mem.jsonl'),
  lacks('argument', 'device', 'diff'),
  done('device', 'merge', 'a.mem.jsonl', 'b.mem.jsonl', '-o', 'c.mem.jsonl'),
  lacks('-o OUT', 'device', 'merge', 'a.mem.jsonl', 'b.mem.jsonl'),
  lacks('files', 'device', 'merge')
]

const CONNECTIONS: readonly CommandCase[] = [
  asks('https://consent.test', { words: ['connect', 'mailbox'], ends: 0 }),
  lacks('provider', 'connect'),
  done('providers'),
  done('connections', 'list'),
  done('connections', 'show', CONNECTION_ID),
  lacks('id', 'connections', 'show'),
  done('connections', 'sync', CONNECTION_ID),
  lacks('--all', 'connections', 'sync'),
  done('connections', 'wait', '--for', 'synced'),
  lacks('--for', 'connections', 'wait'),
  done('connections', 'runs', CONNECTION_ID),
  done('connections', 'runs', CONNECTION_ID, runId(1)),
  lacks('id', 'connections', 'runs'),
  done('connections', 'items', CONNECTION_ID),
  lacks('id', 'connections', 'items'),
  done('connections', 'folders', CONNECTION_ID),
  lacks('id', 'connections', 'folders'),
  done('connections', 'channels', CHAT_ID),
  lacks('id', 'connections', 'channels'),
  asks('] folder', lacks('--folder', 'connections', 'config', CONNECTION_ID)),
  asks('(y/N)', lacks('--yes', 'connections', 'config', CONNECTION_ID, '--folder', 'F9')),
  lacks('id', 'connections', 'config'),
  done('connections', 'pause', CONNECTION_ID),
  lacks('ids', 'connections', 'pause'),
  done('connections', 'resume', CONNECTION_ID),
  lacks('ids', 'connections', 'resume'),
  asks('(y/N)', lacks('--yes', 'connections', 'disconnect', CONNECTION_ID)),
  asks('Type its id', lacks('--confirm', 'connections', 'disconnect', CONNECTION_ID, '--delete-memories')),
  lacks('ids', 'connections', 'disconnect')
]

const SERVICE: readonly CommandCase[] = [
  done('collections', 'list'),
  done('collections', 'create', 'team'),
  lacks('name', 'collections', 'create'),
  done('collections', 'show'),
  asks('Type its id', lacks('--confirm', 'collections', 'delete', COLLECTION_ID)),
  lacks('id', 'collections', 'delete'),
  done('collections', 'restore'),
  done('memories', 'add', 'Ada likes the sea'),
  lacks('-f FILE', 'memories', 'add'),
  done('memories', 'search', 'Lisbon'),
  lacks('a question', 'memories', 'search'),
  done('keys', 'list'),
  done('keys', 'create', 'phone', '--admin'),
  lacks('name', 'keys', 'create'),
  done('keys', 'revoke', KEY_ID),
  lacks('id', 'keys', 'revoke'),
  asks('Key for', lacks('--key-file', 'auth', 'login')),
  done('auth', 'status'),
  done('auth', 'logout'),
  text('api', 'GET', '/v1/collections'),
  lacks('method', 'api'),
  lacks('path', 'api', 'GET')
]

const MACHINE: readonly CommandCase[] = [
  { words: ['quickstart'], ends: 0, runs: 'memctl server start', told: true },
  { words: ['server', 'start', '--port', '0'], ends: 0, runs: 'ready: ' },
  { words: ['server', 'start', '--port', '0', '--new-admin-key'], ends: 0, runs: 'ready: ' },
  done('server', 'stop'),
  done('server', 'status'),
  { words: ['server', 'logs'], ends: 3 },
  done('server', 'providers', 'list'),
  asks('Client secret', lacks('--client-secret-file', 'server', 'providers', 'set', 'mailbox', '--client-id', 'x')),
  lacks('--client-id', 'server', 'providers', 'set', 'mailbox'),
  lacks('provider', 'server', 'providers', 'set'),
  { words: ['server', 'rotate-key'], ends: 3 },
  { words: ['server', 'forget-credentials', '--yes'], ends: 3 },
  asks('Permanently forget', { words: ['server', 'forget-credentials'], ends: 2, names: '--yes' }),
  { words: ['server', 'check'], ends: 3 },
  { words: ['server', 'check', '--repair'], ends: 3 },
  { words: ['server', 'check', '--aside'], ends: 3 },
  { words: ['server', 'sandbox', '--port', '0'], ends: 0, runs: 'ready: ' },
  done('config', 'list'),
  done('config', 'get', 'server'),
  lacks('key', 'config', 'get'),
  done('config', 'set', 'lock_wait', '5s'),
  lacks('argument', 'config', 'set'),
  done('config', 'unset', 'lock_wait'),
  lacks('key', 'config', 'unset'),
  done('config', 'path'),
  done('doctor'),
  text('completion', 'bash'),
  lacks('shell', 'completion'),
  text('help'),
  done('help', 'exit-codes'),
  done('version')
]

/** Commands that read an empty stdin. */
const FROM_STDIN: readonly CommandCase[] = [
  empty(2, 'device', 'store', '-f', '-'),
  empty(0, 'device', 'store', '--batch', '-'),
  empty(0, 'device', 'ingest', '-'),
  { ...empty(0, 'mcp'), text: true },
  empty(0, 'device', 'forget', '--ids-from', '-'),
  { ...empty(0, 'device', 'search', '--queries', '-'), text: true },
  empty(10, 'device', 'import', '-'),
  empty(10, 'device', 'diff', '-', 'a.mem.jsonl'),
  empty(10, 'device', 'merge', '-', 'a.mem.jsonl', '-o', 'c.mem.jsonl'),
  empty(10, 'collections', 'restore', '-'),
  empty(2, 'memories', 'add', '-f', '-'),
  empty(2, 'auth', 'login', '--key-file', '-'),
  empty(10, 'connections', 'config', CONNECTION_ID, '--from-file', '-'),
  empty(2, 'connect', 'mailbox', '--callback-url', '-'),
  empty(2, 'server', 'providers', 'set', 'mailbox', '--client-id', 'x', '--client-secret-file', '-'),
  empty(0, 'api', 'POST', '/v1/collections', '--input', '-')
]

/** Every command with the fewest useful arguments, and without each required argument. */
export const COMMAND_CASES: readonly CommandCase[] = [...DEVICE, ...CONNECTIONS, ...SERVICE, ...MACHINE, ...FROM_STDIN]

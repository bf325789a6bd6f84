import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { ensureBuilt } from '../cli/built-program.ts'
import { postgresEnvironment } from '../setup/postgres-schema.ts'

/** Exit code of a script that lacks a tool or a corpus here and has printed which. */
const SKIPPED = 77

/**
 * Time limit of a script that hangs, far above its need on a busy machine, in milliseconds. A full run starts thousands
 * of processes.
 */
const SCRIPT_MS_MAX = 900_000
const WHOLE_SCRIPT_MS_MAX = 3_600_000

/** The same cases in every run; a script started alone draws its own. */
const SEED = '1'

/** `SLOW=1` runs each script completely. */
const isSlow = process.env.SLOW !== undefined

/** Scripts that create databases in the PostgreSQL of this run. Others start none, or stop theirs. */
const WITH_DATABASE = ['kill-server', 'sync']

beforeAll(ensureBuilt, SCRIPT_MS_MAX)

// Most scripts wait half of their time for a process or a provider, so others run meanwhile.
test.concurrent.for<[name: string, what: string, args: string[]]>([
  ['kill-store', 'no acknowledged memory is lost to kill -9', ['--count', '8']],
  ['fault-store', 'no system call that fails once harms a snapshot', ['--only', 'store', '--count', '1']],
  ['many-writers', 'many writers, killed writers and compactions lose nothing', ['--count', '2']],
  ['git-merge', 'git merges snapshots by union and by driver', ['--count', '1']],
  ['bit-flips', 'each flipped bit is found in its line', ['--count', '20']],
  ['bad-input', 'what is no snapshot is refused and untouched', ['--only', 'kinds', '--count', '3']],
  ['bad-places', 'places that refuse leave things as they are', ['--count', '2']],
  ['bad-values', 'JSON values are kept as they are or refused', ['--count', '12']],
  ['naughty-strings', 'naughty strings come back as they are, and never raw on a terminal', ['--count', '25']],
  [
    'search-cache',
    'a search answers from the file as it is',
    ['--count', '0', '--only', 'truncated|cache deleted|same size and time']
  ],
  ['queries', 'whatever is asked gets an answer', ['--count', '120']],
  ['pipes', 'pipes, signals and bare surroundings do no harm', ['--count', '1']],
  ['long-texts', 'a text of 5 MB is read in time, with few entries', ['--only', 'dates']],
  ['kill-server', 'no memory that a server acknowledged is lost to kill -9', ['--count', '2']],
  ['rotate-key', 'no linked account is lost to kill -9 while the key of the vault is changed', ['--count', '2']],
  ['connectors', 'broken providers, made-up callbacks and hostile names are told and harm nothing', ['--count', '100']],
  [
    'sync',
    'whatever accounts hold, providers answer and servers meet, syncing loses and doubles nothing',
    ['--count', '1']
  ],
  ['hostile-documents', 'a server in 1 GiB reads documents that unpack to more, and stays up', ['--count', '6']],
  ['server-input', 'bad input to a server is refused with paths and changes nothing', []],
  ['server-storage', 'a full disk and a database that is away are said, and nothing is half written', []],
  ['slow-clients', 'connections that send next to nothing shut nobody out', ['--count', '500']],
  [
    'mixed-soak',
    'clients that leave, and all others at once, leave nothing behind',
    ['--count', '5', '--only', 'embedded']
  ],
  ['clock-jumps', 'a clock that jumps does no harm', ['--count', '3']]
])('%s: %s', { timeout: isSlow ? WHOLE_SCRIPT_MS_MAX : SCRIPT_MS_MAX }, async ([name, , args], { skip, signal }) => {
  const script = fileURLToPath(new URL(`${name}.mjs`, import.meta.url))
  const words = isSlow ? [] : [...args, '--seed', SEED]
  const env = { ...process.env, ...(WITH_DATABASE.includes(name) ? await postgresEnvironment() : {}) }
  const child = spawn(process.execPath, [script, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'], signal })
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  skip(status === SKIPPED, stdout)
  expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: '' })
})

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

type Script = [name: string, what: string, args: string[]]

/** The scripts that start processes, kill them or lack resources: nothing else in `npm test` does so at random. */
const SCRIPTS: readonly Script[] = [
  ['kill-store', 'loses no acknowledged memory to kill -9', ['--count', '4']],
  ['fault-store', 'damages no snapshot when it is killed at any system call', ['--only', 'store', '--count', '1']],
  ['many-writers', 'loses nothing with many writers, killed writers and compactions', ['--count', '1']],
  ['git-merge', 'merges snapshots in git by union and by driver', ['--count', '1']],
  ['bad-input', 'refuses files that are not snapshots, and leaves them unchanged', ['--only', 'kinds', '--count', '1']],
  ['bad-places', 'changes nothing at places that refuse', ['--count', '1']],
  ['kill-server', 'loses no memory that a server acknowledged to kill -9', ['--count', '1']],
  ['rotate-key', 'loses no linked account to kill -9 during a key rotation', ['--count', '2']],
  [
    'sync',
    'loses and duplicates nothing when syncing any content through any failure',
    ['--count', '1', '--only', 'kills']
  ],
  ['server-storage', 'reports a full disk and an unavailable database, and writes nothing partially', []],
  ['slow-clients', 'serves others despite connections that send almost nothing', ['--count', '250']],
  ['clock-jumps', 'survives a clock that jumps', ['--count', '3']]
]

/** The scripts that repeat with the built program, at length, what other suites of `npm test` check in their process. */
const SLOW_SCRIPTS: readonly Script[] = [
  ['connectors', 'reports broken providers, forged callbacks and hostile names without damage', []],
  ['hostile-documents', 'keeps a server of 1 GiB running while it reads documents that unpack to more', []],
  ['server-input', 'refuses invalid input to a server with paths, and changes nothing', []],
  ['mixed-soak', 'leaves nothing behind after clients that leave, under load', []],
  ['bit-flips', 'finds each flipped bit in its line', []],
  ['bad-values', 'keeps JSON values unchanged or refuses them', []],
  ['naughty-strings', 'returns naughty strings unchanged, and never raw on a terminal', []],
  ['search-cache', 'answers a search from the current file', []],
  ['queries', 'answers any query', []],
  ['pipes', 'survives pipes, signals and unusual environments', []],
  ['long-texts', 'reads a text of 5 MB in time, with few entries', []]
]

// Most scripts wait half of their time for a process or a provider, so others run meanwhile.
test.concurrent.for([...SCRIPTS, ...(isSlow ? SLOW_SCRIPTS : [])])(
  '%s: %s',
  { timeout: isSlow ? WHOLE_SCRIPT_MS_MAX : SCRIPT_MS_MAX },
  async ([name, , args], { skip, signal }) => {
    const script = fileURLToPath(new URL(`${name}.mjs`, import.meta.url))
    const words = isSlow ? [] : [...args, '--seed', SEED]
    const env = { ...process.env, ...(WITH_DATABASE.includes(name) ? await postgresEnvironment() : {}) }
    const child = spawn(process.execPath, [script, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'], signal })
    const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    skip(status === SKIPPED, stdout)
    expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: '' })
  }
)

import { Fault } from '../../contract/faults.ts'
import type { World } from '../../ports.ts'
import { credentialsPath, keyFrom } from '../credentials/read-credentials.ts'

import { readCredential } from '../credentials/save-credential.ts'
import { readInputText } from '../input/read-input-text.ts'
import { shellWord } from '../output/short-forms.ts'
import type { ChosenServer } from './choose-server.ts'

/** A key, and where it comes from. */
type FoundKey = { key?: string; from?: string }

type KeyWorld = Pick<World, 'settings' | 'files' | 'folders' | 'terminal' | 'processes'>

/**
 * The key for a server: from `MEMCTL_API_KEY`, `MEMCTL_API_KEY_FILE` or `MEMCTL_API_KEY_COMMAND`, in this order; else the one
 * that is kept for its origin. None is no fault: some paths are public.
 *
 * @throws Fault `unauthenticated` where a variable has a key for a server that the person did not name: it is not sent there, and
 * one that may do more is not taken in its place.
 */
export async function findKey(world: KeyWorld, server: ChosenServer): Promise<FoundKey> {
  const source = sourceIn(world)
  if (source !== undefined) {
    if (!server.named) throw withheld(source.variable, server)
    const text = await source.read(world, world.settings[source.variable] ?? '')
    return { key: keyFrom(text, source.variable), from: source.variable }
  }
  const kept = readCredential(world, server.origin)
  return kept === undefined ? {} : { key: kept.key, from: credentialsPath(world) }
}

function withheld(variable: string, { address, origin, where = 'a file' }: ChosenServer): Fault {
  return new Fault('unauthenticated', `${variable} is not sent to ${origin}, which only ${where} names`, {
    hint: `where you trust it, name it yourself: --server ${shellWord(address)}, or MEMCTL_SERVER; else unset ${variable}`
  })
}

/** The variable that gives the key for a server, if one does. Nothing is read or run. */
export function keyVariable(world: Pick<World, 'settings'>, server: ChosenServer): string | undefined {
  return server.named ? sourceIn(world)?.variable : undefined
}

function sourceIn({ settings }: Pick<World, 'settings'>): Source | undefined {
  return SOURCES.find(({ variable }) => (settings[variable] ?? '') !== '')
}

type Source = { variable: string; read(world: KeyWorld, value: string): Promise<string> }

const KEY_FILE = 'MEMCTL_API_KEY_FILE'
const COMMAND = 'MEMCTL_API_KEY_COMMAND'

const SOURCES: readonly Source[] = [
  { variable: 'MEMCTL_API_KEY', read: async (_world, value) => value },
  { variable: KEY_FILE, read: readKeyFile },
  { variable: COMMAND, read: runForKey }
]

/** A key with its line end is far below. In bytes; a whole number of MiB. */
const KEY_BYTES_MAX = 1 << 20

/** How long a program may take to give a key, in milliseconds: somebody may have to unlock something. */
const COMMAND_WAIT_MS = 60_000

/** What keeps a file from being read is told with the variable that names it. */
async function readKeyFile(world: KeyWorld, name: string): Promise<string> {
  try {
    return await readInputText(world, name, KEY_BYTES_MAX)
  } catch (error) {
    if (!(error instanceof Fault) || error.code === 'cancelled') throw error
    throw new Fault('unauthenticated', `${KEY_FILE}: ${error.message}`, {
      hint: `let ${KEY_FILE} name a file that you may read and that has the key, or unset it`,
      cause: error
    })
  }
}

/** Runs the program itself, no shell: nothing in its words is expanded. What it says on stderr is not repeated. */
async function runForKey({ processes, terminal }: KeyWorld, line: string): Promise<string> {
  const [program, ...args] = splitWords(line) ?? []
  if (program === undefined) {
    throw new Fault('usage', `${COMMAND} cannot be split into words`, {
      hint: 'a program and its arguments; quotes keep words together; there is no shell'
    })
  }
  const { exitCode, stdout } = await processes
    .run([program, ...args], { waitMs: COMMAND_WAIT_MS, signal: terminal.interrupted })
    .catch((error) => {
      throw notStarted(program, error)
    })
  if (exitCode === 0) return stdout
  const late = `was ended: it took over ${COMMAND_WAIT_MS / 1000} s, or wrote far more than a key`
  const how = exitCode === undefined ? late : `ended with ${exitCode}`
  throw new Fault('unauthenticated', `${COMMAND}: ${program} ${how}`, { hint: 'run it by hand to see why' })
}

function notStarted(program: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || error.name === 'AbortError') return error
  return new Fault('unauthenticated', `${COMMAND}: ${program} cannot be started (${error.code})`, {
    hint: 'give the full path of the program',
    cause: error
  })
}

/**
 * A line as words, split at spaces. Quotes of either kind keep what is between them together; nothing else has a meaning.
 * Undefined where a quote is never closed.
 */
function splitWords(line: string): string[] | undefined {
  const parts = line.match(/"[^"]*"|'[^']*'|[^\s"']+|\s+|["']/g) ?? []
  const words: string[] = []
  let open = false
  for (const part of parts) {
    if (part === '"' || part === "'") return undefined
    const isSpace = /^\s/.test(part)
    if (!isSpace) {
      const text = /^["']/.test(part) ? part.slice(1, -1) : part
      if (open) words.push(`${words.pop() ?? ''}${text}`)
      else words.push(text)
    }
    open = !isSpace
  }
  return words
}

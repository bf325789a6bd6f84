import { Fault } from '../../contract/faults.ts'
import type { World } from '../../ports.ts'
import { credentialsPath, keyFrom } from '../credentials/read-credentials.ts'
import { readCredential } from '../credentials/save-credential.ts'
import { readInputText } from '../input/read-input-text.ts'
import { splitCommandLine } from '../input/split-command-line.ts'
import { shellWord } from '../output/short-forms.ts'
import type { ChosenServer } from './choose-server.ts'

/** A key and its source. */
type FoundKey = { key?: string; from?: string }

type KeyWorld = Pick<World, 'settings' | 'files' | 'folders' | 'terminal' | 'processes'>

/**
 * Finds the key for a server: from `MEMCTL_API_KEY`, `MEMCTL_API_KEY_FILE` or `MEMCTL_API_KEY_COMMAND`, in this order, or else the
 * one stored for its origin. Returns no key if there is none, because some paths are public.
 *
 * @throws Fault `unauthenticated` if a variable supplies a key but only a project file names the server: the key is not sent
 * there, and a stored key, which may have more permissions, does not replace it.
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
  return new Fault(
    'unauthenticated',
    `the key in ${variable} is not sent to ${origin}, because only ${where} names that server`,
    {
      hint: `if you trust the server, add --server ${shellWord(address)} or set MEMCTL_SERVER; otherwise unset ${variable}`
    }
  )
}

/** Returns the variable that supplies the key for a server, if any, without reading a file or running a command. */
export function keyVariable(world: Pick<World, 'settings'>, server: ChosenServer): string | undefined {
  return server.named ? sourceIn(world)?.variable : undefined
}

function sourceIn({ settings }: Pick<World, 'settings'>): Source | undefined {
  return SOURCES.find(({ variable }) => (settings[variable] ?? '') !== '')
}

type Source = { variable: string; read(world: KeyWorld, value: string): Promise<string> }

const KEY_FILE = 'MEMCTL_API_KEY_FILE'
/** The variable with the program that prints the key. */
export const KEY_COMMAND = 'MEMCTL_API_KEY_COMMAND'

const SOURCES: readonly Source[] = [
  { variable: 'MEMCTL_API_KEY', read: async (_world, value) => value },
  { variable: KEY_FILE, read: readKeyFile },
  { variable: KEY_COMMAND, read: runForKey }
]

/** Maximum size of a key file in bytes: a whole number of MiB. */
const KEY_BYTES_MAX = 1 << 20

/** How long the command for the key may run, in milliseconds: the user may have to unlock a password manager. */
const COMMAND_WAIT_MS = 60_000

/** Reads the key file. An error names the variable. */
async function readKeyFile(world: KeyWorld, name: string): Promise<string> {
  try {
    return await readInputText(world, name, KEY_BYTES_MAX)
  } catch (error) {
    if (!(error instanceof Fault) || error.code === 'cancelled') throw error
    throw new Fault('unauthenticated', `${KEY_FILE}: ${error.message}`, {
      hint: `set ${KEY_FILE} to a readable file that contains the key, or unset it`,
      cause: error
    })
  }
}

/** Runs the program without a shell, so that nothing in its arguments is expanded. Its stderr is discarded. */
async function runForKey({ processes, terminal }: KeyWorld, line: string): Promise<string> {
  const [program, ...args] = splitCommandLine(line) ?? []
  if (program === undefined) {
    throw new Fault('usage', `invalid ${KEY_COMMAND}: expected a program and its arguments`, {
      hint: 'close all quotes; the command runs without a shell'
    })
  }
  const { exitCode, stdout } = await processes
    .run([program, ...args], { waitMs: COMMAND_WAIT_MS, signal: terminal.interrupted })
    .catch((error) => {
      throw toNotStartedFault(program, error)
    })
  if (exitCode === 0) return stdout
  const late = `was stopped because it ran longer than ${COMMAND_WAIT_MS / 1000} s or printed too much`
  const how = exitCode === undefined ? late : `failed with exit code ${exitCode}`
  throw new Fault('unauthenticated', `${KEY_COMMAND}: ${program} ${how}`, { hint: `run it yourself: ${line}` })
}

function toNotStartedFault(program: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || error.name === 'AbortError') return error
  return new Fault('unauthenticated', `${KEY_COMMAND}: ${program} cannot be started (${error.code})`, {
    hint: 'give the full path of the program',
    cause: error
  })
}

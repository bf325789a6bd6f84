import { suggestStartCommand } from '../../client/to-unreachable-fault.ts'
import { Fault } from '../../contract/faults.ts'
import type { RunningServer } from '../../contract/running-server.ts'
import type { ServerFlags } from '../../ports.ts'
import type { Context } from '../command/context.ts'
import { findFolderKey } from '../credentials/find-folder-key.ts'
import { shellWord } from '../output/short-forms.ts'
import type { ChosenServer } from './choose-server.ts'
import { findOwnServer, makeOwnServerHint } from './find-own-server.ts'

type Parts = Pick<Context, 'world' | 'modules'>

/** A hint and the commands that it names. */
type ErrorHint = { hint: string; next: string[] }

/** The key that the server refused, if any, and the environment variable that supplied it. */
type TriedKey = { key?: string | undefined; variable?: string | undefined }

/**
 * Returns the hint for a missing or refused key: log in. If an environment variable supplies the key, the hint names the
 * variable, because it overrides stored keys. If no key is stored for the local server, the hint also explains how to create one.
 */
export async function makeKeyHint(
  parts: Parts,
  server: ChosenServer,
  { key, variable }: TriedKey = {}
): Promise<ErrorHint> {
  const login = loginCommand(server)
  if (variable !== undefined)
    return { hint: `correct the key in ${variable}, or unset ${variable} and run ${login}`, next: [login] }
  const own = await findOwnServer(parts)
  if (own?.origin !== server.origin) return { hint: login, next: [login] }
  const kept = findFolderKey(parts.world, own.data_dir)
  if (kept !== undefined && kept !== key) return { hint: login, next: [login] }
  const lost = makeLostKeyHint(own)
  return { hint: `${login}; ${formatLostKeyHint(lost)}`, next: [login, ...lost.next] }
}

/**
 * Returns the commands with which the owner of the local server creates another admin key. `folder` is the data folder, if it
 * differs from the settings.
 */
export function makeLostKeyHint({ origin, log_file }: RunningServer, folder?: string): ErrorHint {
  const named = folder === undefined ? '' : ` --data-dir ${shellWord(folder)}`
  const detached = log_file === null ? '' : ' --detach'
  const stop = `memctl server stop${named}`
  const start = `${suggestStartCommand(origin) ?? 'memctl server start'}${named} --new-admin-key${detached}`
  return { hint: `${stop}, then ${start}`, next: [stop, start] }
}

/** Formats the hint as one of several options. */
export function formatLostKeyHint({ hint }: ErrorHint): string {
  return `if you lost the key: ${hint}`
}

/** Returns the note for a running server for which no key is stored. */
export function makeNoKeyHint(facts: RunningServer, { data_dir }: ServerFlags): string {
  const lost = formatLostKeyHint(makeLostKeyHint(facts, data_dir))
  return `No key is stored for ${facts.origin}. Log in with memctl auth login --server ${facts.origin}; ${lost}`
}

/** Returns the command that stores a key for a server. */
export function loginCommand({ address, where }: ChosenServer): string {
  return `memctl auth login${where === '--server' ? ` --server ${shellWord(address)}` : ''}`
}

/** The key of a call, and the environment variable that supplied it, if any. */
export type GivenKey = { key: string | undefined; variable?: string | undefined }

/**
 * Replaces the hint of a failed call by one for the command line: for a missing or refused key, and for an address where nothing
 * listens while the local server listens elsewhere. Returns other faults unchanged.
 */
export async function addErrorHint(
  parts: Pick<Context, 'world' | 'modules'>,
  server: ChosenServer,
  { fault, ...given }: GivenKey & { fault: Fault }
): Promise<Fault> {
  const { code, message, retryable } = fault
  if (code === 'unauthenticated')
    return new Fault(code, message, { ...(await makeKeyHint(parts, server, given)), retryable, cause: fault })
  const own = code === 'unreachable' ? await makeOwnServerHint(parts, server) : undefined
  if (own === undefined) return fault
  const { hint, next } = own
  return new Fault(code, `${message}; ${own.message}`, { hint, next, retryable, cause: fault })
}

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

/** What a person does, and the commands for it. */
type ErrorHint = { hint: string; next: string[] }

/** A key that a server had and refused, if any; `variable` where the environment gives it. */
type TriedKey = { key?: string | undefined; variable?: string | undefined }

/**
 * How a server gets a key that it takes: by logging in; but as long as a variable of the environment gives one, nothing else is
 * asked, and where nothing is kept for the server of this machine its owner can have it make one.
 */
export async function makeKeyHint(
  parts: Parts,
  server: ChosenServer,
  { key, variable }: TriedKey = {}
): Promise<ErrorHint> {
  const login = loginCommand(server)
  if (variable !== undefined)
    return { hint: `${variable} gives the key: mend it, or unset it and ${login}`, next: [login] }
  const own = await findOwnServer(parts)
  if (own?.origin !== server.origin) return { hint: login, next: [login] }
  const kept = findFolderKey(parts.world, own.data_dir)
  if (kept !== undefined && kept !== key) return { hint: login, next: [login] }
  const lost = makeLostKeyHint(own)
  return { hint: `${login} with a key that you have; ${formatLostKeyHint(lost)}`, next: [login, ...lost.next] }
}

/**
 * How the server of this machine makes another admin key for its owner. `folder`: what has to name its data folder, where that is
 * not the one of the settings.
 */
export function makeLostKeyHint({ origin, log_file }: RunningServer, folder?: string): ErrorHint {
  const named = folder === undefined ? '' : ` --data-dir ${shellWord(folder)}`
  const detached = log_file === null ? '' : ' --detach'
  const stop = `memctl server stop${named}`
  const start = `${suggestStartCommand(origin) ?? 'memctl server start'}${named} --new-admin-key${detached}`
  return { hint: `${stop}, then ${start}`, next: [stop, start] }
}

/** The same as one way of several. */
export function formatLostKeyHint({ hint }: ErrorHint): string {
  return `where it is lost: ${hint}`
}

/** What is said of a server that was started with flags and for which no key is kept. */
export function makeNoKeyHint(facts: RunningServer, { data_dir }: ServerFlags): string {
  const lost = formatLostKeyHint(makeLostKeyHint(facts, data_dir))
  return `no key is kept for ${facts.origin}: memctl auth login --server ${facts.origin} with a key that you have; ${lost}`
}

/** The command that keeps a key for a server. */
export function loginCommand({ address, where }: ChosenServer): string {
  return `memctl auth login${where === '--server' ? ` --server ${shellWord(address)}` : ''}`
}

/** A key at hand; `variable` where the environment gives it. */
export type GivenKey = { key: string | undefined; variable?: string | undefined }

/**
 * The fault of a call to a server as a person can mend it, whatever the server says to programs: a key that is missing or refused,
 * and an address where nobody listens while the server of this machine does elsewhere. Others stay as they are.
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

import { resolve } from 'node:path'
import { isLoopback } from '../../client/build-service-url.ts'
import { Fault } from '../../contract/faults.ts'
import type { RunningServer } from '../../contract/running-server.ts'
import type { ServerFlags } from '../../ports.ts'
import type { Context } from '../command/context.ts'
import { makeSystemFault } from '../input/read-file-bytes.ts'
import type { ServerHost } from '../ports/server-host.ts'
import type { ChosenServer } from './choose-server.ts'

type Parts = Pick<Context, 'world' | 'modules'>

/** Returns the absolute data folder of the local server. Rejects with a fault that names an invalid server setting. */
export async function findDataFolder(
  { world }: Pick<Context, 'world'>,
  host: ServerHost,
  flags: ServerFlags
): Promise<string> {
  const settings = await host.settings(flags)
  const value = settings.find(({ key }) => key === 'data_dir')?.value
  if (value === undefined || value === null) throw new Fault('internal', 'the server has no data folder')
  return resolve(world.folders.current, value)
}

/**
 * Finds the running local server. Returns undefined if none runs. Also returns undefined if the settings are invalid or the
 * folder cannot be read, because other checks report these errors.
 */
export async function findOwnServer(parts: Parts): Promise<RunningServer | undefined> {
  const host = await parts.modules.server()
  try {
    const folder = await findDataFolder(parts, host, {})
    const facts = makeSystemFault(folder, () => host.facts(folder))
    return facts !== undefined && host.isRunning(facts) ? facts : undefined
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

/** The state of the local server, as part of a sentence, with a hint and its commands. */
export type OwnServerHint = { message: string; hint: string; next: string[] }

/**
 * Explains why nothing responds at a local address although the local server runs: it listens elsewhere, or does not respond.
 * Starting another server would fail. Returns undefined if none runs, and for addresses of other machines.
 */
export async function makeOwnServerHint(
  parts: Parts,
  { address, origin, where }: ChosenServer
): Promise<OwnServerHint | undefined> {
  if (!isLoopback(new URL(address).hostname)) return undefined
  const own = await findOwnServer(parts)
  if (own === undefined) return undefined
  if (own.origin === origin) {
    const next = ['memctl server status', 'memctl server logs']
    return { message: `the local server is running as process ${own.pid}`, hint: `check it: ${next.join(', ')}`, next }
  }
  const message = `the local server listens at ${own.origin}`
  if (where === '--server') return { message, hint: `use --server ${own.origin}`, next: [] }
  const isKept = where === undefined || where === parts.world.preferences.path
  if (!isKept) return { message, hint: `set this address in ${where}`, next: [] }
  const set = `memctl config set server ${own.origin}`
  return { message, hint: set, next: [set] }
}

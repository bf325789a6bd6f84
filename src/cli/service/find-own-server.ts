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

/** The folder of the server that a command means, absolute. Rejects with a fault that names a wrong setting of the server. */
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
 * The server that uses the data folder of this machine now; undefined where none does, or where settings that are no good
 * leave open which folder that is, or the system does not let us look: such things are told by checks of their own.
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

/** What is known of a server that does not answer at an address of this machine: half a sentence, and what mends it. */
export type OwnServerHint = { message: string; hint: string; next: string[] }

/**
 * Where the server of this machine is when nothing answers at an address: it listens elsewhere, or runs there and is silent. Another one
 * would not start beside it. Undefined where none runs, and for an address of another machine.
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
    return { message: `the server of this machine runs, as process ${own.pid}`, hint: next.join(', '), next }
  }
  const message = `the server of this machine listens at ${own.origin}`
  if (where === '--server') return { message, hint: `give that address: --server ${own.origin}`, next: [] }
  const isKept = where === undefined || where === parts.world.preferences.path
  if (!isKept) return { message, hint: `give that address in ${where}`, next: [] }
  const set = `memctl config set server ${own.origin}`
  return { message, hint: set, next: [set] }
}

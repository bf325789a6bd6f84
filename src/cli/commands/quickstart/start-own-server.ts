import { join } from 'node:path'
import type { Client } from '../../../client/client.ts'
import type { RunningServer } from '../../../contract/running-server.ts'
import type { World } from '../../../ports.ts'
import type { Context } from '../../command/context.ts'
import { makeSystemFault } from '../../input/read-file-bytes.ts'
import { once } from '../../ports/lazy-modules.ts'
import { clientWith } from '../../service/open-client.ts'
import { untilReady } from '../server/detach-server.ts'
import { startWords } from '../server/server-flags.ts'

/** The temporary server of the quickstart. */
export type OwnServer = {
  facts: RunningServer
  /** The context of commands that use this server and its key. */
  context: Context
  /** Stops the server at the first call and waits for it. Returns whether it ended in time. */
  end(): Promise<boolean>
}

/** Maximum time to wait for the server to stop, in milliseconds. */
const STOP_WAIT_MS = 20_000

const KEY_BYTES = 32

/**
 * Starts a server with default settings on a free port and with all files in `folder`. Neither reads nor changes the settings
 * and keys of the user. The server stops on an interrupt, and also if this process disappears, for example because the user
 * closed the terminal window.
 */
export async function startOwnServer(context: Context, folder: string): Promise<OwnServer> {
  const { world, modules } = context
  const key = `mk_${Buffer.from(world.ids.randomHex(KEY_BYTES), 'hex').toString('base64url')}`
  const host = await modules.server()
  const logFile = join(folder, 'server.log')
  makeSystemFault(folder, () => world.files.makeFolders(folder))
  const { args } = startWords({ port: '0', data_dir: folder })
  const environment = { ...ownEnvironment(world, folder), MEMCTL_ADMIN_KEY: key }
  const child = makeSystemFault(logFile, () => host.detach({ args, environment, logFile, tied: true }))
  const log = { path: logFile, from: 0 }
  const facts = await untilReady(context, { host, folder, child, log }).catch((error) => {
    child.release()
    throw error
  })
  let told = false
  const stop = (): void => {
    if (!told) host.terminate(child.pid)
    told = true
  }
  world.terminal.interrupted.addEventListener('abort', stop)
  return {
    facts,
    context: withKey(context, facts, key),
    async end() {
      stop()
      world.terminal.interrupted.removeEventListener('abort', stop)
      return await endsInTime(world, child.ended).finally(() => child.release())
    }
  }
}

/** Returns variables that unset all `MEMCTL_` variables of the user and keep configuration and cache in `folder`. */
export function ownEnvironment({ settings }: Pick<World, 'settings'>, folder: string): Record<string, string> {
  const names = Object.keys(settings).filter((name) => name.startsWith('MEMCTL_'))
  return {
    ...Object.fromEntries(names.map((name) => [name, ''])),
    MEMCTL_CONFIG_DIR: join(folder, 'config'),
    MEMCTL_CACHE_DIR: join(folder, 'cache')
  }
}

function withKey(context: Context, { origin }: RunningServer, key: string): Context {
  const server = { address: origin, origin, where: '--server', named: true }
  return {
    ...context,
    flags: { ...context.flags, server: origin },
    client: once((): Promise<Client> => clientWith(context, server, { key }))
  }
}

async function endsInTime({ clock }: Pick<World, 'clock'>, ended: Promise<unknown>): Promise<boolean> {
  const over = new AbortController()
  const late = clock.wait(STOP_WAIT_MS, over.signal).then(
    () => false,
    () => false
  )
  return await Promise.race([ended.then(() => true), late]).finally(() => over.abort())
}

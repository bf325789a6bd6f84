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

/** A server of the quickstart's own. */
export type OwnServer = {
  facts: RunningServer
  /** The context of commands that ask this server, with its key. */
  context: Context
  /** Tells it to stop, at the first call, and waits until it has; whether it has. */
  end(): Promise<boolean>
}

/** How long it is waited for a server that was told to stop, in milliseconds. */
const STOP_WAIT_MS = 20_000

const KEY_BYTES = 32

/**
 * Starts a server with nothing but its defaults on a free port, with all of its files in `folder`: settings and keys of the
 * person are neither read nor changed. It is told to stop as soon as somebody interrupts, and stops by itself where this process
 * is gone without a word, as with the window of its terminal.
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

/** No variable of ours that the person set holds in processes of the quickstart, and their settings stay in `folder`. */
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

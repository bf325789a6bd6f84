import { onTestFinished } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { nodeFiles } from '../../../bin/node/node-files.ts'
import { nodeIds } from '../../../bin/node/node-ids.ts'
import { nodeMachine } from '../../../bin/node/node-machine.ts'
import { nodeSelf } from '../../../bin/node/node-self.ts'
import { threadStarter } from '../../../bin/node/threads/thread-starter.ts'
import { runServer, type ServerWorld } from '../../../bin/server/run-server.ts'
import { documentsMain } from '../../../bin/threads/documents-main.ts'
import { engineMain } from '../../../bin/threads/engine-main.ts'
import { storageMain } from '../../../bin/threads/storage-main.ts'
import type { StartOptions } from '../../../server/service/check-start.ts'
import { readServerSettings } from '../../../server/service/read-server-settings.ts'
import type { RunningServer } from '../../../src/contract/running-server.ts'

export type ListeningOptions = {
  /** The folder of its config and data. */
  folder: string
  environment?: Record<string, string>
  flags?: Record<string, string>
  wishes?: StartOptions
  /** Collects its log messages. */
  told?: string[]
  world?: Partial<ServerWorld>
}

/** A server with a real socket in this process. `stop` resolves when it has ended; the end of the test stops it too. */
export type ListeningServer = { facts: RunningServer; madeKey: string | undefined; stop(): Promise<void> }

/** Starts a server in this process on a free port. Rejects if the start fails. */
export async function startListening(options: ListeningOptions): Promise<ListeningServer> {
  const { folder, environment = {}, flags = {}, wishes = {}, told = [], world = {} } = options
  const folders = { current: folder, config: folder, data: folder }
  const { settings } = readServerSettings({ settings: environment, files: nodeFiles, folders }, { port: '0', ...flags })
  const tell = (_fields: unknown, message: string): void => void told.push(message)
  const log = { error: tell, info: tell, debug: tell }
  const stopping = new AbortController()
  let ended = Promise.resolve()
  const stop = async () => {
    stopping.abort()
    await ended
  }
  const started = await new Promise<Omit<ListeningServer, 'stop'>>((resolve, reject) => {
    ended = runServer({
      ...{ settings, version: '0.0.0', logFile: null, signal: stopping.signal, ...wishes },
      world: {
        ...{ clock: nodeClock, ids: nodeIds, files: nodeFiles, self: nodeSelf(), machine: nodeMachine },
        ...{ log, startThread, ...world }
      },
      onReady: (facts, madeKey) => resolve({ facts, madeKey })
    })
    ended.catch(reject)
  })
  onTestFinished(stop)
  return { ...started, stop }
}

const startThread = threadStarter({
  engine: async () => engineMain,
  storage: async () => storageMain,
  documents: async () => documentsMain
})

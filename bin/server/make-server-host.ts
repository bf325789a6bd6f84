import { readRunningFacts } from '../../server/service/read-running-facts.ts'
import { readServerSettings } from '../../server/service/read-server-settings.ts'
import { SERVER_SETTINGS, type ServerSettings } from '../../server/service/server-settings.ts'
import { VERSION } from '../../src/cli/command/version.ts'
import type { ServerHost, ServerRun } from '../../src/cli/ports/server-host.ts'
import { Fault } from '../../src/contract/faults.ts'
import type { RunningServer, ServerProvider } from '../../src/contract/running-server.ts'
import type { ServerFlags, SystemError } from '../../src/ports.ts'
import { detach, LOG_FILE_VARIABLE, letGoSignal } from '../node/detach.ts'
import { nodeClock } from '../node/node-clock.ts'
import { nodeFiles } from '../node/node-files.ts'
import { nodeFolders } from '../node/node-folders.ts'
import { nodeIds } from '../node/node-ids.ts'
import { nodeMachine } from '../node/node-machine.ts'
import { nodeSelf } from '../node/node-self.ts'
import type { ThreadMains } from '../node/threads/thread-starter.ts'
import type { ServerWorld } from './run-server.ts'

/** Creates the host of servers on this machine. The modules of a server are loaded when one is run. */
export function makeServerHost(): ServerHost {
  const self = nodeSelf()
  return {
    table: async () =>
      Object.values(SERVER_SETTINGS).map(({ key, variable, flag, otherwise, about }) => {
        return { key, variable, flag: flag ?? null, otherwise: otherwise ?? null, about }
      }),
    settings: async (flags) => {
      const { settings, describe } = read(flags)
      return describe().map(({ key, value, origin, where }) => {
        return { key, value: key === 'data_dir' ? settings.dataDir : value, origin, where }
      })
    },
    run,
    facts: (dataDir) => readRunningFacts(nodeFiles, dataDir),
    isRunning: (facts) => isRunning(self.process(facts.pid), facts),
    detach,
    terminate,
    providers,
    keepSettings: async (values) => {
      const { saveServerSettings } = await import('../../server/service/save-server-settings.ts')
      return await saveServerSettings({ ...nodePorts(), folders: nodeFolders() }, values)
    },
    rotateKey: async (flags) => {
      const { settings } = read(flags)
      const { rotateKey } = await import('./rotate-key.ts')
      return await withWorld({ logLevel: 'error' }, (world) => rotateKey(settings, world))
    },
    forgetCredentials: async (flags) => {
      const { settings } = read(flags)
      const { forgetCredentials } = await import('./rotate-key.ts')
      return await withWorld({ logLevel: 'error' }, (world) => forgetCredentials(settings, world))
    },
    checkStorage: async (flags, check) => {
      const { settings } = read(flags)
      const { checkServerStorage } = await import('./check-server-storage.ts')
      return await withWorld({ logLevel: 'error' }, (world) => checkServerStorage(settings, world, check))
    },
    listAside: async (flags) => {
      const { settings } = read(flags)
      const { listAside } = await import('./check-server-storage.ts')
      return await withWorld({ logLevel: 'error' }, (world) => listAside(settings, world))
    },
    runSandbox: async (place, work) => {
      const { runSandbox } = await import('./run-sandbox.ts')
      await runSandbox(place, work, { clock: nodeClock, ids: nodeIds })
    }
  }
}

function read(flags: ServerFlags) {
  const world = { settings: process.env, files: nodeFiles, folders: nodeFolders() }
  return readServerSettings(world, flags)
}

async function providers(flags: ServerFlags): Promise<readonly ServerProvider[]> {
  const { settings } = read(flags)
  const { listServerProviders } = await import('./list-server-providers.ts')
  return listServerProviders(settings)
}

async function run(flags: ServerFlags, { signal, onReady, ...wishes }: ServerRun): Promise<void> {
  const { settings } = read(flags)
  const [{ runServer }, { keepLogSmall }, { fullEngine }] = await Promise.all([
    import('./run-server.ts'),
    import('../node/open-log.ts'),
    import('../node/threads/tune-engine.ts')
  ])
  fullEngine()
  const logFile = process.env[LOG_FILE_VARIABLE] ?? null
  await withWorld(settings, async (world) => {
    const over = new AbortController()
    const owner = letGoSignal()
    const stop = AbortSignal.any([signal, owner.signal])
    const kept =
      logFile === null
        ? undefined
        : keepLogSmall(logFile, { clock: nodeClock, signal: AbortSignal.any([stop, over.signal]) })
    try {
      await runServer({ settings, world, version: VERSION, logFile, signal: stop, onReady, ...wishes })
    } finally {
      owner.close()
      over.abort()
      await kept
    }
  })
}

/** Creates the parts of this machine that a server needs. Its log goes to stderr. */
async function withWorld<T>(
  { logLevel }: Pick<ServerSettings, 'logLevel'>,
  work: (world: ServerWorld) => Promise<T>
): Promise<T> {
  const [{ openLog }, { threadStarter }] = await Promise.all([
    import('../node/open-log.ts'),
    import('../node/threads/thread-starter.ts')
  ])
  const { log, close } = await openLog({ level: logLevel, to: 2 })
  try {
    return await work({ ...nodePorts(), log, startThread: threadStarter(THREADS) })
  } finally {
    close()
  }
}

function nodePorts() {
  return { clock: nodeClock, ids: nodeIds, files: nodeFiles, self: nodeSelf(), machine: nodeMachine }
}

/** The main functions of threads for a server that runs from source. */
const THREADS: ThreadMains = {
  engine: async () => (await import('../threads/engine-main.ts')).engineMain,
  storage: async () => (await import('../threads/storage-main.ts')).storageMain,
  documents: async () => (await import('../threads/documents-main.ts')).documentsMain
}

/**
 * Reports whether the process of a server is still running. A zombie has ended. If the system has no start times, only
 * the pid is compared.
 */
function isRunning(process: { state: string; startTime: string } | undefined, facts: RunningServer): boolean {
  if (process?.state !== 'alive') return false
  const known = process.startTime !== '-' && facts.process_started !== '-'
  return !known || process.startTime === facts.process_started
}

function terminate(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM')
  } catch (error) {
    const { code } = error as SystemError
    if (code === 'ESRCH') return
    throw new Fault('system_refused', `process ${pid} cannot be stopped (${code})`, {
      hint: 'it belongs to another user: stop it as that user',
      cause: error
    })
  }
}

import { availableParallelism } from 'node:os'
import { createDocuments } from '../../server/documents/documents.ts'
import type { Documents } from '../../server/providers/documents.ts'
import { createEngine } from '../../server/recall/create-engine.ts'
import type { Engine } from '../../server/recall/engine.ts'
import { firstStart } from '../../server/service/first-start.ts'
import { holdDataFolder, keyFilePath, shareDataFolder } from '../../server/service/hold-data-folder.ts'
import { openConnectors } from '../../server/service/open-connectors.ts'
import { openSync } from '../../server/service/open-sync.ts'
import { removeRunningFacts, writeRunningFacts } from '../../server/service/running-facts.ts'
import type { ServerSettings } from '../../server/service/server-settings-table.ts'
import { type Service, startService } from '../../server/service/start-service.ts'
import { systemKeyRingFile } from '../../server/service/system-key-ring-file.ts'
import type { Storage } from '../../server/storage/storage.ts'
import type { Fault } from '../../src/contract/faults.ts'
import type { RunningServer } from '../../src/contract/running-server.ts'
import type { Clock, Files, Ids, Log, Self, StartThread } from '../../src/ports.ts'
import { type Listener, listen } from '../node/serve.ts'
import { openStorage } from './open-storage.ts'
import { type OpenFetches, openProviderFetches } from './provider-fetches.ts'

/** What a server needs of the machine, but for its socket and threads' number. */
export type ServerWorld = { clock: Clock; ids: Ids; files: Files; self: Self; log: Log; startThread: StartThread }

export type RunServer = {
  settings: ServerSettings
  world: ServerWorld
  version: string
  /** Where the log goes, for the facts; null for stderr. */
  logFile: string | null
  /** Aborted to stop it. */
  signal: AbortSignal
  /** Whether this start makes one more admin key where there are some already. */
  newAdminKey?: boolean | undefined
  /** Called once it answers. `madeKey` is the secret of the admin's key where this start made it: it is told this once. */
  onReady(facts: RunningServer, madeKey: string | undefined): void | Promise<void>
}

/**
 * Is a server until the signal is aborted: then requests in flight are answered, others refused, and all is closed.
 *
 * @throws Fault `locked` where another server uses the data folder, `address_in_use`, and what opening the storage throws.
 */
export async function runServer(options: RunServer): Promise<void> {
  const { settings, world } = options
  if (settings.databaseUrl === undefined) await holdDataFolder(world, settings.dataDir, () => run(options, true))
  else await shareDataFolder(world, settings.dataDir, (holds) => run(options, holds))
}

/** `holds`: the data folder is this server's. */
async function run(options: RunServer, holds: boolean): Promise<void> {
  const { settings, world } = options
  const { clock, startThread } = world
  const storage = await openStorage({ startThread, clock, settings })
  const { indexBytesMax } = settings
  const engine = createEngine({ startThread, storage, threads: availableParallelism(), indexBytesMax })
  const fetches = openProviderFetches()
  const documents = createDocuments({ startThread, clock })
  try {
    const gate = openGate()
    const { host, port } = settings
    const listener = await listen({ host, port, answer: gate.answer, refuse: gate.refuse })
    try {
      await serve({ ...options, storage, engine, documents, fetches, listener, holds }, gate.open)
    } finally {
      await listener.close(LAST_BYTES_MS)
    }
  } finally {
    await fetches.close()
    await documents.end()
    // The engine reads from the storage.
    await engine.close()
    await storage.close()
    // Until then the commands of this machine see that it is there, though it may be long in stopping.
    if (holds) removeRunningFacts(world.files, settings.dataDir)
  }
  // Of one that failed, its failure is the last word.
  world.log.info({}, 'the server has stopped')
}

type Serving = RunServer & {
  storage: Storage
  engine: Engine
  documents: Documents
  fetches: OpenFetches
  listener: Listener
  holds: boolean
}

/** From the first start on, which comes after the port is had: a start that fails must not have used up the first key. */
async function serve(serving: Serving, open: (service: Answering) => void): Promise<void> {
  const { settings, world, version, newAdminKey, storage, engine, documents, fetches, listener, holds, signal } =
    serving
  const publicUrl = settings.publicUrl ?? listener.origin
  const keyFile = systemKeyRingFile(world, keyFilePath(settings))
  const connectors = await openConnectors({ storage, world, keyFile, fetches, settings, publicUrl })
  const madeKey = await firstStart({ storage, world, adminKey: settings.adminKey, newAdminKey })
  const sync = openSync({ storage, connectors, documents, remember: engine.rememberAll, world, settings })
  const service = startService({ storage, engine, connectors, sync, world, settings, publicUrl, version })
  open(service)
  try {
    const facts = factsOf(serving, listener)
    if (holds) writeRunningFacts(world.files, facts)
    world.log.info({ origin: facts.origin, pid: facts.pid, version }, 'the server answers')
    await serving.onReady(facts, madeKey)
    await aborted(signal)
    world.log.info({ inTimeMs: settings.drainMs }, 'stopping: requests in flight are answered, others refused')
  } finally {
    await service.drain()
  }
}

/** The port is taken before there is who answers: who comes between waits. */
function openGate() {
  let open = (_: Answering): void => undefined
  const opened = new Promise<Answering>((resolve) => {
    open = resolve
  })
  const answer: Answering['fetch'] = async (...visit) => (await opened).fetch(...visit)
  const refuse = async (fault: Fault): Promise<Response> => (await opened).refuse(fault)
  return { answer, refuse, open }
}

type Answering = Pick<Service, 'fetch' | 'refuse'>

type Known = Pick<RunServer, 'settings' | 'world' | 'version' | 'logFile'>

function factsOf({ settings, world, version, logFile }: Known, { origin }: Listener): RunningServer {
  return {
    pid: world.self.pid,
    process_started: world.self.startTime,
    origin,
    data_dir: settings.dataDir,
    started_at: new Date(world.clock.now()).toISOString(),
    version,
    log_file: logFile
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}

/** By now every request was answered or told to stop; the last bytes may be on their way. In milliseconds. */
const LAST_BYTES_MS = 2000

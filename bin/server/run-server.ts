import { availableParallelism } from 'node:os'
import { NOT_PUBLIC } from '../../server/providers/http/create-guarded-fetch.ts'
import { isPublicAddress } from '../../server/providers/http/is-public-address.ts'
import { createEngine } from '../../server/recall/create-engine.ts'
import type { Engine } from '../../server/recall/engine/engine.ts'
import {
  checkStart,
  initializeStorage,
  type NewStoreFaults,
  type StartOptions
} from '../../server/service/check-start.ts'
import type { ProviderFetches } from '../../server/service/enable-providers.ts'
import { keyFilePath, lockDataFolder, shareDataFolder } from '../../server/service/lock-data-folder.ts'
import { openConnectors } from '../../server/service/open-connectors.ts'
import { openSync } from '../../server/service/open-sync.ts'
import { removeRunningFacts, writeRunningFacts } from '../../server/service/read-running-facts.ts'
import type { ServerSettings } from '../../server/service/server-settings.ts'
import { type Service, startService } from '../../server/service/start-service.ts'
import { systemKeyRingFile } from '../../server/service/system-key-ring-file.ts'
import type { Storage } from '../../server/storage/port/storage.ts'
import { Fault } from '../../src/contract/faults.ts'
import type { RunningServer } from '../../src/contract/running-server.ts'
import { createDocumentReaders } from '../../src/documents/create-document-readers.ts'
import type { DocumentReaders } from '../../src/documents/port/document-reader.ts'
import type { Clock, Files, Ids, Log, Machine, Self, StartThread } from '../../src/ports.ts'
import { type Listener, listen } from '../node/http/listen.ts'
import { type Proxies, providerFetch, readProxies } from '../node/http/provider-fetch.ts'
import { openStorage } from './open-storage.ts'

/** The parts of the machine that a server needs, except its socket and number of threads. */
export type ServerWorld = {
  clock: Clock
  ids: Ids
  files: Files
  self: Self
  machine: Pick<Machine, 'mayWrite'>
  log: Log
  startThread: StartThread
}

export type RunServer = StartOptions & {
  settings: ServerSettings
  world: ServerWorld
  version: string
  /** The path of the log, for the server's facts; null for stderr. */
  logFile: string | null
  /** Stops the server when it is aborted. */
  signal: AbortSignal
  /**
   * Called once the server answers. `madeKey` is the secret of the admin key if this start created it. It is reported
   * only once.
   */
  onReady(facts: RunningServer, madeKey: string | undefined): void | Promise<void>
}

/**
 * Runs a server until the signal is aborted. Then requests in flight are finished, others are refused, and everything
 * is closed.
 *
 * @throws Fault `locked` if another server uses the data folder, `address_in_use`, `usage` for a proxy without an address, and the errors of checking the start
 * and opening the storage.
 */
export async function runServer(options: RunServer): Promise<void> {
  const { settings, world } = options
  const proxies = readProxies(process.env)
  const checked = { ...options, proxies, faults: await checkStart(options) }
  if (settings.databaseUrl === undefined)
    await lockDataFolder(world, settings.dataDir, () => run({ ...checked, holds: true }))
  else await shareDataFolder(world, settings.dataDir, (holds) => run({ ...checked, holds }))
  // A failed run reports its error last instead.
  world.log.info({}, 'the server has stopped')
}

type Checked = RunServer & { proxies: Proxies; faults: NewStoreFaults; holds: boolean }

/** Runs the server. The port is opened before the storage, so that a start that finds it in use has created nothing. */
async function run(options: Checked): Promise<void> {
  const { settings, world, holds } = options
  const gate = openGate()
  const { host, port } = settings
  const listener = await listen({ host, port, answer: gate.answer, refuse: gate.refuse })
  const storage = await openExpected(options).catch(async (error: unknown) => {
    await listener.close(0)
    throw error
  })
  try {
    await runParts({ ...options, storage, listener }, gate.open)
  } finally {
    await storage.close()
    // Until then, commands on this machine see that the server exists, although stopping may take long.
    if (holds) removeRunningFacts(world.files, settings.dataDir)
  }
}

/** Opens the storage, unless it is a new one that is not allowed. */
async function openExpected({ settings, world, faults }: Checked): Promise<Storage> {
  const { clock, startThread } = world
  const { noTables, noKeys } = faults
  const storage = await openStorage({ startThread, clock, settings, mustExist: noTables !== undefined }).catch(
    (error: unknown) => {
      throw noTables !== undefined && error instanceof Fault && error.code === 'not_found' ? noTables : error
    }
  )
  if (noKeys === undefined || (await storage.listKeys()).length > 0) return storage
  await storage.close()
  throw noKeys
}

type Opened = Checked & { storage: Storage; listener: Listener }

async function runParts(options: Opened, open: (service: Answering) => void): Promise<void> {
  const { settings, world, storage, listener, proxies } = options
  const { clock, startThread } = world
  const { indexBytesMax } = settings
  const engine = createEngine({ startThread, storage, threads: availableParallelism(), indexBytesMax })
  const fetches = openProviderFetches(proxies)
  const documents = createDocumentReaders({ startThread, clock, log: world.log })
  try {
    await serve({ ...options, engine, documents, fetches }, open)
  } finally {
    await listener.close(LAST_BYTES_MS)
    await fetches.close()
    await documents.end()
    // The engine reads from the storage.
    await engine.close()
  }
}

type Serving = Opened & { engine: Engine; documents: DocumentReaders; fetches: OpenFetches }

async function serve(serving: Serving, open: (service: Answering) => void): Promise<void> {
  const { settings, world, version, newStore, newAdminKey } = serving
  const { storage, engine, documents, fetches, listener, holds, signal } = serving
  const publicUrl = settings.publicUrl ?? listener.origin
  const keyFile = systemKeyRingFile(world, keyFilePath(settings))
  const connectors = await openConnectors({ storage, world, keyFile, fetches, settings, publicUrl, newStore })
  const madeKey = await initializeStorage({ storage, world, adminKey: settings.adminKey, newAdminKey })
  const sync = openSync({ storage, connectors, documents, makeMemories: engine.rememberAll, world, settings })
  const service = startService({ storage, engine, connectors, sync, world, settings, publicUrl, version })
  open(service)
  try {
    const facts = toFacts(serving, listener)
    if (holds) writeRunningFacts(world.files, facts)
    world.log.info({ origin: facts.origin, pid: facts.pid, version }, 'server is ready')
    await serving.onReady(facts, madeKey)
    await awaitAbort(signal)
    world.log.info({ inTimeMs: settings.drainMs }, 'stopping: requests in flight are completed, new ones are refused')
  } finally {
    await service.drain()
  }
}

/** Opens the gate between the port and the app. Requests that arrive before the app exists wait. */
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

function toFacts({ settings, world, version, logFile }: Known, { origin }: Listener): RunningServer {
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

async function awaitAbort(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}

/** Every request was answered or told to stop by now; the last bytes may be in transit. In milliseconds. */
const LAST_BYTES_MS = 2000

type OpenFetches = ProviderFetches & { close(): Promise<void> }

/** Opens the fetches to providers: to the admin's addresses, and to public ones. */
function openProviderFetches(proxies: Proxies): OpenFetches {
  const own = providerFetch({ proxies })
  const foreign = providerFetch({ proxies, isAllowed: isPublicAddress, refusedCode: NOT_PUBLIC })
  return {
    own: own.fetch,
    foreign: foreign.fetch,
    async close() {
      await Promise.all([own.close(), foreign.close()])
    }
  }
}

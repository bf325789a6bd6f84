import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { nodeFetch } from '../../../bin/node/http/node-fetch.ts'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { nodeFiles } from '../../../bin/node/node-files.ts'
import { nodeIds } from '../../../bin/node/node-ids.ts'
import { nodeSelf } from '../../../bin/node/node-self.ts'
import { localThread } from '../../../bin/node/threads/thread-starter.ts'
import { documentsMain } from '../../../bin/threads/documents-main.ts'
import { engineMain } from '../../../bin/threads/engine-main.ts'
import { createEngine } from '../../../server/recall/create-engine.ts'
import { initializeStorage } from '../../../server/service/check-start.ts'
import { type OpenConnectors, openConnectors } from '../../../server/service/open-connectors.ts'
import { openSync } from '../../../server/service/open-sync.ts'
import { readServerSettings } from '../../../server/service/read-server-settings.ts'
import { type Service, startService } from '../../../server/service/start-service.ts'
import { systemKeyRingFile } from '../../../server/service/system-key-ring-file.ts'
import { openSqliteStorage } from '../../../server/storage/open-sqlite-storage.ts'
import type { Storage } from '../../../server/storage/port/storage.ts'
import type { Sync } from '../../../server/sync/create-sync.ts'
import { createDocumentReaders } from '../../../src/documents/create-document-readers.ts'
import type { Clock, Log, LogFields } from '../../../src/ports.ts'
import { temporaryFolder } from '../../device/device-kit.ts'
import { NO_DOCUMENTS_READ } from '../../documents/documents-kit.ts'

/** Servers for tests, in this process and without sockets: the app is called as a function. */

export type LogLine = LogFields & { level: string; message: string }

export type TestServer = {
  service: Service
  storage: Storage
  connectors: OpenConnectors
  clock: Clock
  /** The secret of the first key. */
  adminKey: string
  /** The id of the collection `default`. */
  collectionId: string
  log: LogLine[]
  send(method: string, path: string, sent?: Sent): Promise<Response>
  /** Like `send`, and parses the JSON of the reply. */
  call(method: string, path: string, sent?: Sent): Promise<Answered>
}

/** `key` is the admin's by default; null for none. `lines` is a body of JSON Lines. */
export type Sent = {
  key?: string | null
  body?: unknown
  lines?: string
  headers?: Record<string, string>
  signal?: AbortSignal
}

// biome-ignore lint/suspicious/noExplicitAny: each test knows the type of its replies
export type Answered = { status: number; json: any }

export type TestServerOptions = {
  storage?: Storage
  clock?: Clock
  variables?: Record<string, string>
  /** The public URL, instead of `ORIGIN`. */
  publicUrl?: string
  /** Enables syncing. Without it, connections stay as the test left them. */
  syncs?: boolean
  registry?: Parameters<typeof openConnectors>[0]['registry']
}

export const ORIGIN = 'http://127.0.0.1:8787'

/** Starts a server for the first time, unless its storage was used before. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const folder = temporaryFolder()
  const clock = options.clock ?? nodeClock
  const storage = options.storage ?? (await sqliteStorage(folder, clock))
  const log: LogLine[] = []
  const world = { clock, ids: nodeIds, log: noting(log) }
  const engine = createEngine({ startThread: () => localThread(engineMain, LIMITS), storage, threads: 1 })
  const folders = { current: folder, config: folder, data: folder }
  const variables = { MEMCTL_RATE_LIMIT: 'off', ...options.variables }
  const { settings } = readServerSettings({ settings: variables, files: nodeFiles, folders })
  const adminKey = (await initializeStorage({ storage, world, adminKey: settings.adminKey })) ?? settings.adminKey ?? ''
  const lockWorld = { clock, ids: nodeIds, files: nodeFiles, self: nodeSelf() }
  const keyFile = systemKeyRingFile(lockWorld, join(folder, 'server.key'))
  const publicUrl = options.publicUrl ?? ORIGIN
  const fetches = { own: nodeFetch, foreign: nodeFetch }
  const connectors = await openConnectors({
    storage,
    world,
    keyFile,
    fetches,
    settings,
    publicUrl,
    registry: options.registry
  })
  const documents = createDocumentReaders({
    startThread: () => localThread(documentsMain, undefined),
    clock,
    log: world.log
  })
  const sync = options.syncs
    ? openSync({ storage, connectors, documents, makeMemories: engine.rememberAll, world, settings })
    : IDLE_SYNC
  const service = startService({ storage, engine, connectors, sync, world, settings, publicUrl, version: '0.0.0' })
  onTestFinished(async () => {
    await service.drain()
    await documents.end()
    await engine.close()
    await storage.close()
  })
  const send: TestServer['send'] = (method, path, sent = {}) =>
    service.fetch(requestOf(adminKey, { method, path }, sent), { address: '127.0.0.1' })
  const call: TestServer['call'] = async (method, path, sent) => {
    const response = await send(method, path, sent)
    return { status: response.status, json: await response.json() }
  }
  const [collection] = await storage.listCollections()
  return { service, storage, connectors, clock, adminKey, collectionId: collection?.id ?? '', log, send, call }
}

/** A sync that does nothing, so that connections stay as the test left them. */
const IDLE_SYNC: Sync = {
  wake: () => undefined,
  state: () => ({ running: 0, runs: {}, items: 0, memories: 0, documents: NO_DOCUMENTS_READ }),
  stop: async () => undefined
}

const LIMITS = { indexesMax: 10, indexBytesMax: 64 * 1024 * 1024 }

/** Opens the embedded storage of a folder in this thread. */
export function sqliteStorage(folder: string, clock: Clock = nodeClock): Promise<Storage> {
  return openSqliteStorage({ path: join(folder, 'server.db'), files: nodeFiles, clock })
}

function requestOf(adminKey: string, { method, path }: { method: string; path: string }, sent: Sent): Request {
  const key = sent.key === undefined ? adminKey : sent.key
  const body = sent.lines ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body))
  const headers = new Headers({ host: new URL(ORIGIN).host, ...sent.headers })
  if (key !== null) headers.set('authorization', `Bearer ${key}`)
  if (body !== undefined && !headers.has('content-type')) {
    headers.set('content-type', sent.lines === undefined ? 'application/json' : 'application/jsonl')
  }
  return new Request(`${ORIGIN}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
    ...(sent.signal === undefined ? {} : { signal: sent.signal })
  })
}

function noting(lines: LogLine[]): Log {
  const at =
    (level: string) =>
    (fields: LogFields, message: string): void =>
      void lines.push({ ...fields, level, message })
  return { error: at('error'), info: at('info'), debug: at('debug') }
}

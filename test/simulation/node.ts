import { localThread } from '../../bin/node/threads/thread-starter.ts'
import { engineMain } from '../../bin/threads/engine-main.ts'
import type { KeyRingFile } from '../../server/oauth/vault/key-ring-file.ts'
import { createEngine } from '../../server/recall/create-engine.ts'
import { initializeStorage } from '../../server/service/check-start.ts'
import { openConnectors } from '../../server/service/open-connectors.ts'
import { openSync } from '../../server/service/open-sync.ts'
import { readServerSettings } from '../../server/service/read-server-settings.ts'
import { type Service, startService } from '../../server/service/start-service.ts'
import type { Storage } from '../../server/storage/port/storage.ts'
import { readMail } from '../../src/documents/mail/read-mail.ts'
import type { DocumentReader } from '../../src/documents/port/document-reader.ts'
import type { Clock, Fetch, Files, Ids, Log, LogFields } from '../../src/ports.ts'
// Loaded before a simulation, because loading a module waits for the platform.
import '../../src/mcp/http/answer-http.ts'
import '../../src/mcp/protocol/create-mcp-server.ts'
import { readersOf } from '../documents/documents-kit.ts'
import { createMachineClock, type Life, type Scheduler } from './scheduler.ts'

/** A server, from its start to its crash. */
export type SimulatedNode = { life: Life; service: Service; clock: Clock }

export type NodeParts = {
  scheduler: Scheduler
  /** Unique for each start, as in `a2`. */
  name: string
  /** The storage as this node accesses it. */
  storage(life: Life, clock: Clock): Storage
  /** The network between this node and the providers. */
  fetch(life: Life): Fetch
  keyFile: KeyRingFile
  /** How far its clock is ahead, in milliseconds. */
  aheadMs(): number
  adminKey: string
  variables: Readonly<Record<string, string>>
  onLog(line: LogLine): void
}

export type LogLine = { node: string; level: string; message: string; fields: LogFields }

/** Start time of every simulation: 2026-06-01T08:00:00Z. */
export const EPOCH_MS = 1_780_300_800_000

/** The public address of the server. */
export const ORIGIN = 'http://127.0.0.1:8787'

/** Starts a server that consists of the real parts in the environment of the simulation. */
export async function startNode(parts: NodeParts): Promise<SimulatedNode> {
  const { scheduler, name, adminKey, keyFile } = parts
  const life: Life = { isAlive: true, name }
  const clock = createMachineClock(scheduler, { life, epochMs: EPOCH_MS, aheadMs: parts.aheadMs })
  const world = { clock, ids: createIds(scheduler, name), log: createLog(life, parts.onLog) }
  const storage = parts.storage(life, clock)
  const engine = createEngine({ startThread: () => localThread(engineMain, ENGINE_LIMITS), storage, threads: 1 })
  const { settings: read } = readServerSettings({ settings: parts.variables, files: NO_FILES, folders: NO_FOLDERS })
  // The nodes share one database, so they must share their key file.
  const settings = { ...read, databaseUrl: 'postgres://simulated' }
  await initializeStorage({ storage, world, adminKey })
  const fetch = parts.fetch(life)
  const fetches = { own: fetch, foreign: refuseFetch }
  const connectors = await openConnectors({ storage, world, keyFile, fetches, settings, publicUrl: ORIGIN })
  const documents = readersOf(DOCUMENTS)
  const sync = openSync({ storage, connectors, documents, makeMemories: engine.rememberAll, world, settings })
  const service = startService({
    storage,
    engine,
    connectors,
    sync,
    world,
    settings,
    publicUrl: ORIGIN,
    version: '0.0.0'
  })
  return { life, service, clock }
}

const ENGINE_LIMITS = { indexesMax: 4, indexBytesMax: 16 * 1024 * 1024 }

/** All documents of the simulation are plain texts and mails, so that no child process is needed. */
const DOCUMENTS: DocumentReader = {
  readText: async (bytes) => ({ text: new TextDecoder().decode(bytes), cut: false }),
  readMail
}

const NO_FOLDERS = { current: '/', config: '/nowhere', data: '/nowhere' }

/** A machine without files. */
const NO_FILES = { find: () => undefined } as unknown as Files

const refuseFetch: Fetch = async (request) => {
  throw new Error(`the simulation has no ${new URL(request.url).host}`)
}

/** Returns random bytes that depend on the seed. */
function createIds({ chance }: Scheduler, name: string): Ids {
  return {
    randomHex(bytes) {
      const drawn = chance.next(`${name} ids`)
      return Buffer.from(Array.from({ length: bytes }, () => drawn.number(256))).toString('hex')
    }
  }
}

/** Discards the output of a crashed node. */
function createLog(life: Life, onLog: (line: LogLine) => void): Log {
  const at =
    (level: string) =>
    (fields: LogFields, message: string): void => {
      if (life.isAlive) onLog({ node: life.name, level, message, fields })
    }
  return { error: at('error'), info: at('info'), debug: at('debug') }
}

import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { nodeFiles } from '../../../bin/node/node-files.ts'
import { makeRecordBatch } from '../../../server/recall/engine/make-record-batch.ts'
import { lineBytes, plainRecord } from '../../../server/recall/memories/plain-record.ts'
import { openSqliteStorage } from '../../../server/storage/open-sqlite-storage.ts'
import type { StoredConnection } from '../../../server/storage/port/connector-storage.ts'
import { RECORD_KINDS, type RecordBatch } from '../../../server/storage/port/record-batch.ts'
import type { Storage } from '../../../server/storage/port/storage.ts'
import type { StoredItem, StoredRun } from '../../../server/storage/port/sync-storage.ts'
import type { RunParts } from '../../../server/sync/run.ts'
import { type RunResult, runConnection } from '../../../server/sync/run-connection.ts'
import { createSerialQueue } from '../../../server/sync/serial-queue.ts'
import type { MakeMemories, MemoryInput, SyncSource } from '../../../server/sync/sync-parts.ts'
import type { ConnectionConfig } from '../../../src/contract/connection.ts'
import { epochNow, toEpochMs } from '../../../src/contract/epoch-ms.ts'
import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import type { MemoryRecord } from '../../../src/contract/snapshot.ts'
import type { DocumentReader } from '../../../src/documents/port/document-reader.ts'
import type { Fetch, Log, LogFields } from '../../../src/ports.ts'
import { readersOf } from '../../documents/documents-kit.ts'
import { temporaryFolder } from '../../snapshot/temporary-folder.ts'
import { made, newAttempt, ready } from '../../suites/storage-connector-things.ts'
import { idAt } from '../../suites/storage-place.ts'
import { type ManualClock, manualClock } from '../http/manual-clock.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const SETTINGS = {
  intervalMs: 4 * HOUR,
  leaseMs: MINUTE,
  workers: 4,
  retryBackoffMs: [30_000, 2 * MINUTE, 8 * MINUTE],
  cooldownMs: HOUR,
  reads: { attachmentBytesMax: 25 * 2 ** 20, comments: true }
} as const

/** One connection of collection 1 with its own storage. The test starts its runs. */
export type SyncKit = {
  parts: RunParts
  storage: Storage
  clock: ManualClock
  connectionId: string
  logged: { fields: LogFields; message: string }[]
  /** Syncs what is due on a node. Returns undefined if nothing is due. */
  sync(node?: string, stopping?: AbortSignal): Promise<RunResult | undefined>
  /** Lets the time pass, then syncs. */
  syncAfter(ms: number): Promise<RunResult | undefined>
  /** Syncs at the request of a user. */
  syncNow(): Promise<RunResult | undefined>
  connection(): Promise<StoredConnection>
  items(): Promise<StoredItem[]>
  lastRun(): Promise<StoredRun>
  select(folders: readonly string[]): Promise<void>
  configure(config: ConnectionConfig): Promise<void>
  /** Returns the memories of the collection. */
  memories(collection?: number): Promise<MemoryRecord[]>
}

export type KitOptions = {
  source: SyncSource
  clock?: ManualClock
  config?: ConnectionConfig
  fetch?: () => Fetch
  documents?: DocumentReader
  settings?: Partial<RunParts['settings']>
  storage?: Storage
  /** The number of the connection, and that of its collection. */
  number?: number
  into?: number
}

export async function syncKit(options: KitOptions): Promise<SyncKit> {
  const { source, clock = manualClock(), number = 1, into = 1 } = options
  const storage = options.storage ?? (await openStorage(clock))
  const { id: connectionId } = await connect(storage, {
    provider: source.provider.facts.id,
    number,
    into,
    options,
    clock
  })
  const logged: SyncKit['logged'] = []
  const parts = partsOf(options, { storage, clock, log: loggingTo(logged) })
  const kit: SyncKit = {
    parts,
    storage,
    clock,
    connectionId,
    logged,
    sync: (node, stopping) => syncDue(parts, node, stopping),
    async syncAfter(ms) {
      await clock.pass(ms)
      return await kit.sync()
    },
    async syncNow() {
      await storage.requestSync(connectionId, epochNow(clock))
      return await kit.sync()
    },
    connection: async () => there(await storage.findConnection(connectionId)),
    items: () => storage.listItems(connectionId, { status: undefined, after: undefined, limit: 10_000 }),
    lastRun: async () => there((await storage.listRuns(connectionId, { limit: 1 }))[0]),
    select: (folders) => kit.configure({ folder_ids: [...folders] }),
    async configure(config) {
      const { version } = await kit.connection()
      await storage.updateConnection(connectionId, { version, config, status: 'active', now: epochNow(clock) })
    },
    memories: (collection = into) => memoriesIn(storage, idAt(collection))
  }
  return kit
}

/** Opens an empty storage with the collections 1 to 3, and closes it after the test. */
export async function openStorage(clock: ManualClock): Promise<Storage> {
  const path = join(temporaryFolder(), 'memctl.db')
  const storage = await ready(() => openSqliteStorage({ path, files: nodeFiles, clock }))
  onTestFinished(() => storage.close())
  return storage
}

type Connecting = { provider: ProviderId; number: number; into: number; options: KitOptions; clock: ManualClock }

async function connect(
  storage: Storage,
  { provider, number, into, options, clock }: Connecting
): Promise<StoredConnection> {
  const config = options.config ?? {}
  const attempt = newAttempt(`attempt-${number}`, { provider, collectionId: idAt(into), config })
  await storage.createAttempt(attempt)
  await storage.useAttempt(attempt.id, toEpochMs(1500))
  const completion = await storage.completeAttempt(
    attempt.id,
    made(number, `account ${number}`, { status: 'active', now: epochNow(clock) })
  )
  if (!('connection' in completion)) throw new Error(completion.outcome)
  return completion.connection
}

type Around = { storage: Storage; clock: ManualClock; log: Log }

function partsOf(options: KitOptions, { storage, clock, log }: Around): RunParts {
  const { source, fetch = noFetch, documents = NO_DOCUMENTS, settings = {} } = options
  let ids = 1000 * (options.number ?? 1)
  return {
    storage,
    sources: new Map([[source.provider.facts.id, source]]),
    authorizedFetch: () => (request) => fetch()(request),
    documents: readersOf(documents),
    makeMemories: remember,
    world: { clock, log, ids: { randomHex: () => `node ${ids++}` } },
    newId: () => idAt(ids++),
    settings: { ...SETTINGS, ...settings },
    memoryQueue: createSerialQueue(),
    suspectQueue: createSerialQueue()
  }
}

/** Makes memories like the engine, but without extraction. */
const remember: MakeMemories = async (inputs) => inputs.map(memoryOf)

function memoryOf(input: MemoryInput): { memoryId: string; batch: RecordBatch } {
  const record = plainRecord(input)
  const line = lineBytes(record)
  const check = /"check":"([0-9a-f]{64})"\}\n$/.exec(Buffer.from(line).toString('latin1'))?.[1] ?? ''
  const row = { key: record.id.slice(4), atMs: Date.parse(record.at), extractor: 0, check, line: line.subarray(0, -1) }
  return { memoryId: record.id, batch: makeRecordBatch([{ kind: 'memory', ...row }]) }
}

/** Syncs as one node would when it finds a connection due. */
export async function syncDue(
  parts: RunParts,
  owner = 'one',
  stopping: AbortSignal = new AbortController().signal
): Promise<RunResult | undefined> {
  const now = parts.world.clock.now()
  const [claim] = await parts.storage.claimDue({
    owner,
    now: toEpochMs(now),
    until: toEpochMs(now + parts.settings.leaseMs),
    limit: 1,
    providers: [...parts.sources.keys()],
    runIds: [parts.newId()]
  })
  return claim === undefined ? undefined : await runConnection(parts, claim, stopping)
}

/** Returns the memories of a collection, sorted by id. */
export async function memoriesIn(storage: Storage, collectionId: string): Promise<MemoryRecord[]> {
  const found: MemoryRecord[] = []
  for (let after = 0; ; ) {
    const range = { after, upTo: Number.MAX_SAFE_INTEGER, maxBytes: 16 * 1024 * 1024 }
    const page = await storage.readPage(collectionId, range)
    if (page.count === 0) return found.sort((a, b) => (a.id < b.id ? -1 : 1))
    for (let row = 0; row < page.count; row += 1) {
      if (page.kinds[row] !== RECORD_KINDS.memory) continue
      const line = page.lines.subarray(row === 0 ? 0 : page.ends[row - 1], page.ends[row])
      found.push(JSON.parse(Buffer.from(line).toString('utf8')) as MemoryRecord)
    }
    after = page.seqs[page.count - 1] ?? after
  }
}

/** Returns their texts, sorted. */
export function textsOf(memories: readonly MemoryRecord[]): string[] {
  return memories.map(({ text }) => text).sort()
}

function loggingTo(logged: SyncKit['logged']): Log {
  const keep = (fields: LogFields, message: string) => void logged.push({ fields, message })
  return { error: keep, info: keep, debug: () => undefined }
}

function there<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('there is none')
  return value
}

const noFetch: () => Fetch = () => async () => {
  throw new Error('nothing is to be asked')
}

const NO_DOCUMENTS: DocumentReader = {
  readText: async (bytes) => ({ text: Buffer.from(bytes).toString(), cut: false }),
  readMail: async () => {
    throw new Error('no mail is read')
  }
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { nodeFiles } from '../../../bin/node/node-files.ts'
import { localThread } from '../../../bin/node/threads/thread-starter.ts'
import { engineMain } from '../../../bin/threads/engine-main.ts'
import { createEngine } from '../../../server/recall/create-engine.ts'
import type { Engine, SnapshotBytes } from '../../../server/recall/engine/engine.ts'
import { openSqliteStorage } from '../../../server/storage/open-sqlite-storage.ts'
import { RECORD_KINDS } from '../../../server/storage/port/record-batch.ts'
import type { Storage } from '../../../server/storage/port/storage.ts'
import { toEpochMs } from '../../../src/contract/epoch-ms.ts'
import { GROUPS } from '../../../src/contract/groups.ts'
import type { MemoryResponse } from '../../../src/contract/memory-response.ts'
import type { StartThread } from '../../../src/ports.ts'
import type { SearchQuestion } from '../../../src/search/answer/answer-query.ts'
import { bench } from '../../device/device-kit.ts'

/** Runs thread programs in this thread; messages are cloned and transferred as usual. */
export const startLocalThread: StartThread = (_program, data) => localThread(engineMain, data)

/** Creates an engine without threads over a storage in a file, which is removed after the test. */
export async function recallBench(threads = 1): Promise<{ engine: Engine; storage: Storage }> {
  const folder = mkdtempSync(join(tmpdir(), 'memctl-recall-'))
  const storage = await openSqliteStorage({ path: join(folder, 'server.db'), files: nodeFiles, clock: nodeClock })
  const engine = createEngine({ startThread: startLocalThread, storage, threads })
  onTestFinished(async () => {
    await engine.close()
    await storage.close()
    rmSync(folder, { recursive: true })
  })
  return { engine, storage }
}

/** Creates an empty collection with this id. */
export async function collection(storage: Storage, id: string, snapshotId = `snp_${'0'.repeat(32)}`): Promise<string> {
  const [createdAt, expiresAt, ownerKeyId] = [0, undefined, undefined]
  await storage.createCollection({ id, name: id, createdAt: toEpochMs(createdAt), expiresAt, ownerKeyId, snapshotId })
  return id
}

/** Puts the lines of a snapshot file into a collection. */
export async function restore({ engine, storage }: { engine: Engine; storage: Storage }, id: string, file: Buffer) {
  const { batches } = await engine.readRecords(sent(file))
  for (const batch of batches) await storage.append(id, batch)
}

/** Returns a file's bytes as sent with a request. */
export function sent(file: Uint8Array | string, form: SnapshotBytes['form'] = 'jsonl'): SnapshotBytes {
  const bytes = new Uint8Array(Buffer.from(file))
  return { bytes, from: 0, to: bytes.length, form }
}

export function question(query: string, more: Partial<SearchQuestion> = {}): SearchQuestion {
  return { query, limit: 10, groups: GROUPS, asOf: undefined, explain: false, ...more }
}

export function parsed<T = MemoryResponse>(bytes: Uint8Array): T {
  return JSON.parse(Buffer.from(bytes).toString('utf8'))
}

/** Returns the device's answer for a file with these bytes. */
export async function offlineAnswer(file: Buffer, query: string, more: object = {}): Promise<MemoryResponse> {
  return (await offline(file))(query, more)
}

/** Creates a device with a file of these bytes. */
export async function offline(file: Buffer): Promise<(query: string, more?: object) => Promise<MemoryResponse>> {
  const { device, write } = await bench()
  write(file)
  return async (query, more) => (await device.search(query, more)).response
}

/** Returns the live memories of collections as lines, each line once: the union of their exports. */
export async function liveLines(storage: Storage, ids: readonly string[]): Promise<string[]> {
  const lines = new Set<string>()
  for (const id of ids) {
    const page = await storage.readPage(id, { after: 0, upTo: Number.MAX_SAFE_INTEGER, maxBytes: 2 ** 30 })
    for (let row = 0; row < page.count; row++) {
      if (page.kinds[row] !== RECORD_KINDS.memory) continue
      lines.add(Buffer.from(page.lines.subarray(page.ends[row - 1] ?? 0, page.ends[row])).toString())
    }
  }
  return [...lines]
}

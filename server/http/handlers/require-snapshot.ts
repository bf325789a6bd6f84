import type { StoreBody } from '../../../src/contract/endpoints/memories.ts'
import { Fault } from '../../../src/contract/faults.ts'
import type { SearchQuestion } from '../../../src/search/answer/answer-query.ts'
import type { SnapshotBytes, SnapshotEngine } from '../../recall/engine/engine.ts'

/**
 * Handles the snapshot of a request. No function in this file receives a storage, so nothing of the snapshot can be
 * kept.
 */

/** Returns the bytes of a required snapshot. */
export function requireSnapshot({ snapshot }: { snapshot: SnapshotBytes | undefined }): SnapshotBytes {
  if (snapshot !== undefined) return snapshot
  throw new Fault('invalid_snapshot', 'the body contains no snapshot', {
    hint: 'send a snapshot that begins with a header line',
    errors: [{ path: 'snapshot', message: 'is missing' }]
  })
}

type ToSearch = { snapshot: SnapshotBytes; question: SearchQuestion; signal: AbortSignal }

/** Searches a snapshot and returns the reply as UTF-8. */
export async function searchInSnapshot(engine: SnapshotEngine, asking: ToSearch): Promise<Uint8Array> {
  return await engine.searchSnapshot(asking.snapshot, asking.question, asking.signal)
}

type ToStoreInto = { snapshot: SnapshotBytes; body: StoreBody; nowMs: number; signal: AbortSignal }

/** Stores a memory in a snapshot and returns `{"snapshot": …}` with the memory in it, as UTF-8. */
export async function storeInSnapshot(engine: SnapshotEngine, storing: ToStoreInto): Promise<Uint8Array> {
  const { snapshot, body, nowMs, signal } = storing
  const input = { text: body.raw_text, metadata: body.metadata, nowMs, copy: 1 }
  return await engine.storeIntoSnapshot(snapshot, input, signal)
}

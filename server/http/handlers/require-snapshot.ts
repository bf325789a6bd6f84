import type { StoreBody } from '../../../src/contract/endpoints/memories.ts'
import { Fault } from '../../../src/contract/faults.ts'
import type { EngineQuestion, SnapshotBytes, SnapshotEngine } from '../../recall/engine/engine.ts'

/**
 * What is done with a snapshot that a call brings along. Nothing in this file is given a storage, so that nothing of it
 * can be kept.
 */

/** The snapshot's bytes, where one has to be. */
export function requireSnapshot({ snapshot }: { snapshot: SnapshotBytes | undefined }): SnapshotBytes {
  if (snapshot !== undefined) return snapshot
  throw new Fault('invalid_snapshot', 'the body holds no snapshot', {
    hint: 'a snapshot begins with a header',
    errors: [{ path: 'snapshot', message: 'is missing' }]
  })
}

type ToSearch = { snapshot: SnapshotBytes; question: EngineQuestion; signal: AbortSignal }

/** The UTF-8 of the answer that the snapshot gives. */
export async function searchInSnapshot(engine: SnapshotEngine, asking: ToSearch): Promise<Uint8Array> {
  return await engine.searchSnapshot(asking.snapshot, asking.question, asking.signal)
}

type ToStoreInto = { snapshot: SnapshotBytes; body: StoreBody; nowMs: number; signal: AbortSignal }

/** The UTF-8 of `{"snapshot": …}`: what was sent, with the memory in it. */
export async function storeInSnapshot(engine: SnapshotEngine, storing: ToStoreInto): Promise<Uint8Array> {
  const { snapshot, body, nowMs, signal } = storing
  const input = { text: body.raw_text, metadata: body.metadata, nowMs, copy: 1 }
  return await engine.storeIntoSnapshot(snapshot, input, signal)
}

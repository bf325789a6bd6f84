import type { StoreBody } from '../../../src/contract/endpoints/memories.ts'
import { Fault } from '../../../src/contract/faults.ts'
import type { EngineQuestion, SnapshotBytes, SnapshotEngine } from '../../recall/engine.ts'

/**
 * What is done with a snapshot that a call brings along. Nothing in this file is given a storage, so that nothing of it
 * can be kept.
 */

/** The snapshot's bytes, where one has to be. */
export function givenSnapshot({ snapshot }: { snapshot: SnapshotBytes | undefined }): SnapshotBytes {
  if (snapshot !== undefined) return snapshot
  throw new Fault('not_a_snapshot', 'the body holds no snapshot', { hint: 'a snapshot begins with a header' })
}

/** The UTF-8 of the answer that the snapshot gives. */
export async function searchGiven(
  engine: SnapshotEngine,
  snapshot: SnapshotBytes,
  question: EngineQuestion
): Promise<Uint8Array> {
  return await engine.searchSnapshot(snapshot, question)
}

type Storing = { snapshot: SnapshotBytes; body: StoreBody; nowMs: number }

/** The UTF-8 of `{"snapshot": …}`: what was sent, with the memory in it. */
export async function storeIntoGiven(engine: SnapshotEngine, { snapshot, body, nowMs }: Storing): Promise<Uint8Array> {
  return await engine.storeIntoSnapshot(snapshot, { text: body.raw_text, metadata: body.metadata, nowMs, copy: 1 })
}

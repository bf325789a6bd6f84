import { createLineTaker } from '../../../src/device/index/create-line-taker.ts'
import type { Assets } from '../../../src/ports.ts'
import type { SearchQuestion } from '../../../src/search/answer/answer-query.ts'
import { createIndex } from '../../../src/search/search-index.ts'
import { answerBytes } from '../engine/answer-bytes.ts'
import type { SnapshotBytes } from '../engine/engine.ts'
import { readSent } from './read-sent.ts'

/** An empty index covers nothing. */
const NOTHING = { forgotten: '', lastTwist: -1 }

/**
 * Searches a snapshot that was sent with a request. The answer is the one that the device returns for the same file.
 */
export async function searchSnapshot(
  assets: Assets,
  snapshot: SnapshotBytes,
  question: SearchQuestion
): Promise<Uint8Array> {
  const index = await createIndex(assets)
  try {
    const { source } = readSent(snapshot, createLineTaker(index, NOTHING).take)
    return answerBytes(question, { index, source })
  } finally {
    index.close()
  }
}

import type { MemoryRecord } from '../../../src/contract/snapshot.ts'
import type { SearchQuestion } from '../../../src/search/answer/answer-query.ts'
import { answerQuery } from '../../../src/search/answer/answer-query.ts'
import type { LineBytes } from '../../../src/search/rank/create-ranker.ts'
import type { SearchIndex } from '../../../src/search/search-index.ts'
import type { Source } from '../../../src/snapshot/file/source.ts'

/**
 * An index and the source of its lines, in memory or in a private file. The lines were verified before they were
 * written there.
 */
export type Searched = { index: SearchIndex; source: Pick<Source, 'read'> }

/** Returns the answer to a question as the UTF-8 of a MemoryResponse, in its own memory. */
export function answerBytes(question: SearchQuestion, { index, source }: Searched): Uint8Array {
  const { response } = answerQuery(question, { inquire: index.inquire, read: createReader(source) })
  return new TextEncoder().encode(JSON.stringify(response))
}

/**
 * Creates a reader that reads each memory once per answer. Only this process writes to the source, so its lines are not
 * verified again.
 */
function createReader(source: Searched['source']): (place: LineBytes) => MemoryRecord {
  const known = new Map<number, MemoryRecord>()
  return ({ offset, length }) => {
    const record = known.get(offset) ?? readRecord(source, { offset, length })
    known.set(offset, record)
    return record
  }
}

function readRecord(source: Searched['source'], { offset, length }: LineBytes): MemoryRecord {
  const bytes = Buffer.allocUnsafe(length)
  const end = source.read(bytes, offset)
  return JSON.parse(bytes.toString('utf8', 0, end)) as MemoryRecord
}

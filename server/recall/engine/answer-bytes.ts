import type { MemoryRecord } from '../../../src/contract/snapshot.ts'
import { answerQuery } from '../../../src/search/answer/answer-query.ts'
import type { LineBytes } from '../../../src/search/rank/create-ranker.ts'
import type { SearchIndex } from '../../../src/search/search-index.ts'
import type { Source } from '../../../src/snapshot/file/source.ts'
import type { EngineQuestion } from './engine.ts'

/** An index, and where the lines of its memories stand: in memory or a file of our own, judged before they came there. */
export type Searched = { index: SearchIndex; source: Pick<Source, 'read'> }

/** The answer to a question as the UTF-8 of a MemoryResponse, with memory of its own. */
export function answerBytes(question: EngineQuestion, { index, source }: Searched): Uint8Array {
  const { response } = answerQuery(question, { inquire: index.inquire, read: createReader(source) })
  return new TextEncoder().encode(JSON.stringify(response))
}

/** Reads each memory once for an answer. Nobody else writes to the source, so that its line is as it was judged. */
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

import { createRecordReader } from '../../src/device/read-record.ts'
import { answerQuery } from '../../src/search/answer/answer-query.ts'
import type { SearchIndex } from '../../src/search/index/search-index.ts'
import type { Source } from '../../src/snapshot/source.ts'
import type { EngineQuestion } from './engine.ts'

/** An index, and where the lines of its memories stand. */
export type Searched = { index: SearchIndex; source: Pick<Source, 'read'> }

/** The answer to a question as the UTF-8 of a MemoryResponse, with memory of its own. */
export function answerBytes(question: EngineQuestion, { index, source }: Searched): Uint8Array {
  const { read } = createRecordReader(source)
  const { response } = answerQuery(question, { inquire: index.inquire, read })
  return new TextEncoder().encode(JSON.stringify(response))
}

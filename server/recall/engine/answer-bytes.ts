import type { MemoryRecord } from '../../../src/contract/snapshot.ts'
import {
  answerList,
  answerRead,
  type ListQuestion,
  type ReadQuestion
} from '../../../src/search/answer/answer-browse.ts'
import { answerQuery, type SearchQuestion } from '../../../src/search/answer/answer-query.ts'
import type { LineBytes } from '../../../src/search/rank/create-ranker.ts'
import type { SearchIndex } from '../../../src/search/search-index.ts'
import type { Source } from '../../../src/snapshot/file/source.ts'

/**
 * An index and the source of its lines, in memory or in a private file. The lines were verified before they were
 * written there.
 */
export type Searched = { index: SearchIndex; source: Pick<Source, 'read'> }

/** A question to an index: a search, or a request for a list or for memories by their ids. */
export type IndexQuestion = SearchQuestion | ListQuestion | ReadQuestion

/**
 * Returns the answer to a question as UTF-8 in its own memory: that of a MemoryResponse, a ListAnswer or a ReadAnswer.
 */
export function answerBytes(question: IndexQuestion, searched: Searched): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(answerQuestion(question, searched)))
}

function answerQuestion(question: IndexQuestion, { index, source }: Searched): unknown {
  const read = createReader(source)
  if (!('browse' in question)) return answerQuery(question, { inquire: index.inquire, read }).response
  return question.browse === 'list' ? answerList(question, { index, read }) : answerRead(question, { index, read })
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

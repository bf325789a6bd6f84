import { SUBJECT_MARK } from '../../index/index-writer.ts'
import { seek } from '../match-list.ts'
import type { Pool } from './pool.ts'

/**
 * How many of the names in the query a document has facts about, whether it says them or not: `I moved to Porto` is about
 * who says it. The same for all documents where a query names two who are not told of together.
 */
export function aboutNames({ index, query, documents }: Pool): Float64Array | undefined {
  if (query.names.size === 0) return undefined
  const values = new Float64Array(documents.length)
  for (const name of query.names) {
    const having = index.postings(SUBJECT_MARK + name).documents
    let at = 0
    for (let place = 0; place < values.length; place++) {
      const document = documents[place] ?? 0
      at = seek(having, document, at)
      if (having[at] === document) values[place] = (values[place] ?? 0) + 1 / query.names.size
    }
  }
  return values
}

import { SUBJECT_MARK } from '../../index/index-writer.ts'
import { type Pool, shareOfLists } from './pool.ts'

/**
 * How many of the names in the query a document has facts about, whether it says them or not: `I moved to Porto` is about
 * who says it. The same for all documents where a query names two who are not told of together.
 */
export function aboutNames({ index, query, documents }: Pool): Float64Array | undefined {
  if (query.names.size === 0) return undefined
  return shareOfLists(
    [...query.names].map((name) => index.postings(SUBJECT_MARK + name).documents),
    documents
  )
}

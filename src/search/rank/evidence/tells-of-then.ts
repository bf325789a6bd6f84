import { eventTerm } from '../../index/event-terms.ts'
import { type Pool, shareOfLists } from './pool.ts'

/**
 * How many of the parts of dates in the query fit something that a document tells of, as far as its own time says when that
 * was: `yesterday`, said on 8 May, was the 7th.
 */
export function tellsOfThen({ index, query, documents }: Pool): Float64Array | undefined {
  const lists = query.cues.flatMap((cue) =>
    cue.kind === 'date' ? [index.postings(eventTerm(cue.date.part, cue.date.value)).documents] : []
  )
  return lists.length === 0 ? undefined : shareOfLists(lists, documents)
}

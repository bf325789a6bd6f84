import { datePartOf } from '../date-parts.ts'
import type { Pool } from './pool.ts'

/** How many of the parts of dates in the query (year, month, day) fit the time that a document's source gave it. */
export function datedThen({ index, query, documents }: Pool): Float64Array | undefined {
  const parts = query.cues.flatMap((cue) => (cue.kind === 'date' ? [cue.date] : []))
  if (parts.length === 0) return undefined
  const dated = index.dated()
  const times = index.times()
  const values = new Float64Array(documents.length)
  for (const { part, value } of parts) {
    const read = datePartOf(part)
    documents.forEach((document, place) => {
      if (dated[document] !== 1 || read(times[document] ?? 0) !== value) return
      values[place] = (values[place] ?? 0) + 1 / parts.length
    })
  }
  return values
}

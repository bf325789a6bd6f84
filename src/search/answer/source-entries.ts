import type { SourceEntry } from '../../contract/memory-response.ts'
import { textPassages } from '../analyse/text-passages.ts'
import type { Explanation } from '../rank/explain.ts'
import { type Candidate, timeOf } from './candidate.ts'
import { foldNearDuplicates } from './near-duplicates.ts'
import type { TermPlace } from './term-place.ts'
import { writtenExplanation } from './written-explanation.ts'

/** Spans that an explanation names. */
const SPANS_MAX = 100

/**
 * The memories themselves, in the order they are given; those that say the same are one entry. An explanation also says
 * where in the text the query's words stand, and of a long text which passage it was that answered best.
 */
export function sourceEntries(
  candidates: Iterable<Candidate>,
  { limit, placesIn }: { limit: number; placesIn: (text: string) => TermPlace[] }
): SourceEntry[] {
  return foldNearDuplicates(candidates, limit).map(({ record, score, explanation, ids }) => {
    const metadata = record.metadata ?? {}
    return {
      id: record.id,
      score,
      source_ids: ids,
      text: record.text,
      speaker: record.speaker ?? null,
      timestamp: timeOf(record),
      title: typeof metadata.title === 'string' ? metadata.title : null,
      url: typeof metadata.url === 'string' ? metadata.url : null,
      metadata,
      ...(explanation === undefined
        ? {}
        : {
            explanation: {
              ...explained(writtenExplanation(explanation, record), record.text),
              spans: spansIn(placesIn(record.text))
            }
          })
    }
  })
}

function explained({ passage: place = 0, ...explanation }: Explanation, text: string): object {
  const passages = textPassages(text)
  const passage = passages.length === 1 ? undefined : passages[place]
  return { ...explanation, ...(passage === undefined ? {} : { passage: [passage.start, passage.end] }) }
}

function spansIn(places: readonly TermPlace[]): { term: string; span: [number, number] }[] {
  return places.slice(0, SPANS_MAX).map(({ term, start, end }) => ({ term, span: [start, end] }))
}

import type { SourceEntry } from '../../contract/memory-response.ts'
import { type Candidate, timeOf } from './candidate.ts'
import { foldNearDuplicates } from './near-duplicates.ts'

/** The memories themselves, in the order they are given; those that say the same are one entry. */
export function sourceEntries(candidates: Iterable<Candidate>, limit: number): SourceEntry[] {
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
      ...(explanation === undefined ? {} : { explanation })
    }
  })
}

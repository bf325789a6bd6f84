import type { SourceEntry } from '../../contract/memory-response.ts'
import { type Candidate, timeOf } from './candidate.ts'

/** The memories themselves, in the order they are given. */
export function sourceEntries(candidates: readonly Candidate[]): SourceEntry[] {
  return candidates.map(({ record, score, explanation }) => {
    const metadata = record.metadata ?? {}
    return {
      id: record.id,
      score,
      source_ids: [record.id],
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

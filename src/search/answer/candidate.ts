import type { MemoryRecord } from '../../contract/snapshot.ts'
import type { Explanation } from '../rank/explain.ts'

/** A memory that answers, with its record as the snapshot has it. */
export type Candidate = { record: MemoryRecord; score: number; explanation: Explanation | undefined }

/** When the source said it; null where it gave no time and the record holds that of storing. */
export function timeOf(record: MemoryRecord): string | null {
  return record.undated === true ? null : record.at
}

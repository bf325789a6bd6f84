import type { MemoryRecord } from '../../contract/snapshot.ts'
import type { Place } from '../rank/rank-documents.ts'
import type { Answering } from './answering.ts'

/** Memories as they are found. */
export type FoundMemories = {
  /** Reads those that stand there, as far as there is room. */
  take(places: readonly Place[]): void
  records(): MemoryRecord[]
}

/** Collects memories that were not known before, each once, and of all no more than `limit`. */
export function createFoundMemories(
  { read }: Pick<Answering, 'read'>,
  { known, limit }: { known: readonly MemoryRecord[]; limit: number }
): FoundMemories {
  const ids = new Set(known.map(({ id }) => id))
  const records: MemoryRecord[] = []
  return {
    take(places) {
      for (const place of places) {
        if (records.length >= limit) return
        const record = read(place)
        if (record === undefined || ids.has(record.id)) continue
        ids.add(record.id)
        records.push(record)
      }
    },
    records: () => [...records]
  }
}

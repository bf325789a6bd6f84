import type { Storage } from '../../storage/storage.ts'
import type { CollectionHead } from '../engine-calls.ts'

/** Says how far collections have come. */
export type HeadReader = {
  /**
   * One for each id that there is, in their order, as of now; those that are gone; and those that have gone backwards since
   * they were last asked for, as only a database does that was restored.
   */
  read(ids: readonly string[]): Promise<{ heads: CollectionHead[]; gone: string[]; restored: string[] }>
  /** How many lines of these collections are known to be damaged. */
  damaged(ids: readonly string[]): number
  /** So many damaged lines were found since the collection was read last. */
  addDamaged(id: string, lines: number): void
  /** What was known of a collection is void. */
  forget(id: string): void
}

/** A reader that has not asked for any. */
export function createHeadReader(storage: Pick<Storage, 'collections'>): HeadReader {
  const newest = new Map<string, number>()
  const damaged = new Map<string, number>()
  const noteDamaged = (id: string, lines: number): void => {
    if (lines === 0) damaged.delete(id)
    else damaged.set(id, lines)
  }
  return {
    async read(ids) {
      // Answers may overtake each other: only one that was asked for later must not be older.
      const before = new Map(ids.map((id) => [id, newest.get(id) ?? 0]))
      const found = new Map((await storage.collections(ids)).map((collection) => [collection.id, collection]))
      const gone = ids.filter((id) => !found.has(id))
      const heads = ids.flatMap((id) => {
        const { snapshotId, seq } = found.get(id) ?? {}
        return snapshotId === undefined || seq === undefined ? [] : [{ id, snapshotId, seq }]
      })
      for (const { id, seq } of heads) newest.set(id, Math.max(seq, newest.get(id) ?? 0))
      for (const id of ids) noteDamaged(id, found.get(id)?.damaged ?? 0)
      dropOldest(newest)
      return { heads, gone, restored: heads.filter(({ id, seq }) => seq < (before.get(id) ?? 0)).map(({ id }) => id) }
    },
    damaged: (ids) => ids.reduce((sum, id) => sum + (damaged.get(id) ?? 0), 0),
    addDamaged: (id, lines) => noteDamaged(id, (damaged.get(id) ?? 0) + lines),
    forget(id) {
      newest.delete(id)
      damaged.delete(id)
    }
  }
}

/** Collections whose newest number is remembered. Of one that is not, it is not seen that it went back. */
const KNOWN_MAX = 100_000

function dropOldest(newest: Map<string, number>): void {
  for (const id of newest.keys()) {
    if (newest.size <= KNOWN_MAX) return
    newest.delete(id)
  }
}

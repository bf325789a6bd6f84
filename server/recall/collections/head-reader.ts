import { Fault } from '../../../src/contract/faults.ts'
import type { Storage } from '../../storage/storage.ts'
import type { CollectionHead } from '../engine-calls.ts'

/** Says how far collections have come. */
export type HeadReader = {
  /**
   * One for each id, in their order, as of now; and those that have gone backwards since they were last asked for, as only a
   * database does that was restored.
   *
   * @throws Fault `not_found` where one is gone.
   */
  read(ids: readonly string[]): Promise<{ heads: CollectionHead[]; restored: string[] }>
  /** What was known of a collection is void. */
  forget(id: string): void
}

/** A reader that has not asked for any. */
export function createHeadReader(storage: Pick<Storage, 'collections'>): HeadReader {
  const newest = new Map<string, number>()
  return {
    async read(ids) {
      // Answers may overtake each other: only one that was asked for later must not be older.
      const before = ids.map((id) => newest.get(id) ?? 0)
      const found = new Map((await storage.collections(ids)).map((collection) => [collection.id, collection]))
      const heads = ids.map((id) => {
        const collection = found.get(id)
        if (collection === undefined) throw goneFault(id)
        return { id, snapshotId: collection.snapshotId, seq: collection.seq }
      })
      for (const { id, seq } of heads) newest.set(id, Math.max(seq, newest.get(id) ?? 0))
      const restored = heads.filter(({ seq }, i) => seq < (before[i] ?? 0)).map(({ id }) => id)
      return { heads, restored }
    },
    forget: (id) => void newest.delete(id)
  }
}

function goneFault(id: string): Fault {
  return new Fault('not_found', `there is no collection ${id}`, {
    hint: 'list those there are: memctl collections list'
  })
}

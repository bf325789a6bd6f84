import type {
  CollectionHead,
  IndexAnswers,
  IndexQuestions,
  IndexUsage,
  PageForIndex,
  PageTaken
} from '../engine/engine-calls.ts'
import { type CollectionIndex, type CollectionWorld, createCollectionIndex } from './collection-index.ts'

/** The indexes of one thread: the most recently used ones that fit into its memory limit. */
export type HeldIndexes = {
  take(part: PageForIndex): Promise<PageTaken>
  search(asked: IndexQuestions): Promise<IndexAnswers>
  /** Frees every index that contains a collection. */
  drop(collectionId: string): Promise<IndexUsage>
}

export type IndexLimits = { indexesMax: number; indexBytesMax: number }

/** Creates an empty set of indexes. Its calls must not overlap, as in a thread. */
export function createHeldIndexes(world: CollectionWorld, limits: IndexLimits): HeldIndexes {
  const { state, keys, free, openIndex: opened } = createShelf(world)

  /** Returns the index of these collections. An index of other collections with the same ids is freed first. */
  const fitting = async (ids: readonly string[], heads: readonly CollectionHead[]): Promise<CollectionIndex> => {
    const index = await opened(ids)
    if (!index.isWorn && heads.every((head) => index.mark(head) !== undefined)) return index
    free(joinIds(ids))
    return opened(ids)
  }

  /** Frees the index after a failure, since its state is unknown. It is rebuilt at the next search. */
  const using = <T>(ids: readonly string[], work: () => T): T => {
    try {
      return work()
    } catch (error) {
      free(joinIds(ids))
      throw error
    }
  }

  const makeRoom = (used: string): void => {
    for (const key of keys()) {
      const { indexes, bytes } = state()
      if (indexes <= limits.indexesMax && bytes <= limits.indexBytesMax) return
      if (key !== used) free(key)
    }
  }

  return {
    async take(part) {
      const index = await fitting(part.ids, [part.head])
      const damaged = using(part.ids, () => index.take(part))
      makeRoom(joinIds(part.ids))
      return { ...state(), mark: index.mark(part.head) ?? 0, damaged }
    },
    async search({ heads, questions }) {
      const ids = heads.map(({ id }) => id)
      const index = await fitting(ids, heads)
      const marks = heads.map((head) => index.mark(head) ?? 0)
      const isBehind = heads.some(({ seq }, i) => (marks[i] ?? 0) < seq)
      makeRoom(joinIds(ids))
      if (isBehind) return { ...state(), marks }
      return { answers: using(ids, () => questions.map(index.answer)), ...state() }
    },
    async drop(collectionId) {
      for (const key of keys()) if (key.split(' ').includes(collectionId)) free(key)
      return state()
    }
  }
}

/** Indexes by the ids of their collections, in order of last use. */
type Shelf = {
  state(): IndexUsage
  keys(): string[]
  free(key: string): void
  /** Returns the index of these collections, created if there is none. */
  openIndex(ids: readonly string[]): Promise<CollectionIndex>
}

function createShelf(world: CollectionWorld): Shelf {
  const held = new Map<string, Promise<CollectionIndex>>()
  const ready = new Map<string, CollectionIndex>()
  return {
    state: () => ({
      indexes: ready.size,
      bytes: [...ready.values()].reduce((sum, { bytes }) => sum + bytes, 0)
    }),
    keys: () => [...held.keys()],
    free(key) {
      ready.get(key)?.close()
      ready.delete(key)
      held.delete(key)
    },
    async openIndex(ids) {
      const key = joinIds(ids)
      const making = held.get(key) ?? createCollectionIndex(world, ids)
      held.delete(key)
      held.set(key, making)
      const index = await making
      ready.set(key, index)
      return index
    }
  }
}

/** Joins sorted ids, which contain no spaces, to a key. */
function joinIds(ids: readonly string[]): string {
  return ids.join(' ')
}

import { type EnginePool, LONG_LOAD } from '../pool/engine-pool.ts'
import type { EngineSlot } from '../pool/engine-slot.ts'

/** The known indexes of each thread. A thread may have evicted one meanwhile. */
export type IndexHomes = {
  /** Chooses a thread: the least busy one that has the index, or one that will build it. */
  choose(key: string): Promise<EngineSlot>
  /**
   * Returns an idle thread that could also build the index, if all threads that have it are busy with calls waiting.
   */
  spare(key: string): EngineSlot | undefined
  add(key: string, slot: EngineSlot): void
  /** Removes every index that contains a collection. */
  drop(collectionId: string): void
}

/** Keys that are remembered. The threads of other keys are determined again. */
const KEYS_MAX = 10_000
/** Current and waiting calls of a thread from which a second thread is worth its memory. */
const CROWDED = 2

/** Creates an empty registry. */
export function createIndexHomes(pool: EnginePool): IndexHomes {
  const homes = new Map<string, Set<EngineSlot>>()
  const { load } = pool
  const countHeld = (slot: EngineSlot): number => [...homes.values()].filter((slots) => slots.has(slot)).length
  const idle = (but: readonly EngineSlot[]): EngineSlot | undefined =>
    pool.slots().find((slot) => !but.includes(slot) && load(slot) === 0)

  const add = (key: string, slot: EngineSlot): void => {
    const known = homes.get(key) ?? new Set()
    homes.delete(key)
    homes.set(key, known.add(slot))
    const oldest = homes.keys().next()
    if (homes.size > KEYS_MAX && !oldest.done) homes.delete(oldest.value)
  }

  /** Chooses the least busy thread. If long work blocks it, building the index in an idle thread is faster. */
  const leastBusy = (key: string, known: readonly EngineSlot[]): EngineSlot => {
    const best = least(known, load)
    const other = load(best) < LONG_LOAD ? undefined : idle(known)
    if (other !== undefined) add(key, other)
    return other ?? best
  }

  return {
    async choose(key) {
      const known = [...(homes.get(key) ?? [])]
      if (known.length > 0) return leastBusy(key, known)
      // A thread that may take this call has started.
      if (pool.slots().length === 0) await pool.run({ name: 'start', send: () => ({ argument: undefined }) })
      const chosen = least(pool.slots(), (slot) => load(slot) * KEYS_MAX + countHeld(slot))
      add(key, chosen)
      return chosen
    },
    spare(key) {
      const known = homes.get(key)
      if (known === undefined || [...known].some((slot) => load(slot) < CROWDED)) return undefined
      const spare = idle([...known])
      if (spare === undefined) pool.grow()
      return spare
    },
    add,
    drop(collectionId) {
      for (const key of [...homes.keys()]) if (key.split(' ').includes(collectionId)) homes.delete(key)
    }
  }
}

function least(slots: readonly EngineSlot[], measure: (slot: EngineSlot) => number): EngineSlot {
  const [first, ...others] = slots
  if (first === undefined) throw new Error('the engine has no thread')
  return others.reduce((best, slot) => (measure(slot) < measure(best) ? slot : best), first)
}

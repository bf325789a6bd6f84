import { type EnginePool, LONG_LOAD } from '../pool/engine-pool.ts'
import type { EngineSlot } from '../pool/engine-slot.ts'

/** Which threads have which index, as far as is known: a thread may have let one go. */
export type IndexHomes = {
  /** The thread to ask: the least busy of those that have the index, or the one that is to have it from now on. */
  choose(key: string): Promise<EngineSlot>
  /** An idle thread that could have the index too, where all that have it are busy with calls waiting. */
  spare(key: string): EngineSlot | undefined
  add(key: string, slot: EngineSlot): void
  /** Takes out every index that a collection is part of. */
  drop(collectionId: string): void
}

/** Keys that are remembered; of others it is found out anew where they are. */
const KEYS_MAX = 10_000
/** Calls that a thread has under way or waiting, from which on a second thread is worth its memory. */
const CROWDED = 2

/** No thread has any index yet. */
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

  /** Where long work is in the way, loading the index elsewhere takes less time than the rest of that may. */
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
      // Whoever may do this call has started.
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

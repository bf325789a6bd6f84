import type { Storage } from '../../storage/storage.ts'
import type { CollectionHead } from '../engine-calls.ts'
import { buffersOf } from '../make-batch.ts'
import type { EnginePool } from '../pool/engine-pool.ts'
import type { EngineSlot } from '../pool/engine-slot.ts'

/** Lines that go to a thread at a time, in bytes: about 100 ms of work, between which it answers others. */
const PAGE_BYTES = 1024 * 1024

/** What an index in a thread lacks: it has each collection of `heads` up to the sequence number in `marks`. */
export type Behind = { slot: EngineSlot; heads: readonly CollectionHead[]; marks: readonly number[] }

/** Brings an index up to date; whoever asks while that is under way waits for the same. */
export type CatchUp = (behind: Behind) => Promise<void>

/** Reads from the storage, and hands over to threads of the pool. */
export function createCatchUp(pool: EnginePool, storage: Pick<Storage, 'page'>): CatchUp {
  const underWay = new Map<EngineSlot, Map<string, Promise<void>>>()
  return (behind) => {
    const key = behind.heads.map(({ id }) => id).join(' ')
    const ofSlot = underWay.get(behind.slot) ?? new Map<string, Promise<void>>()
    underWay.set(behind.slot, ofSlot)
    const loading = ofSlot.get(key) ?? load({ pool, storage }, behind).finally(() => ofSlot.delete(key))
    ofSlot.set(key, loading)
    return loading
  }
}

type Loading = { pool: EnginePool; storage: Pick<Storage, 'page'> }

async function load(loading: Loading, { slot, heads, marks }: Behind): Promise<void> {
  const ids = heads.map(({ id }) => id)
  for (const [i, head] of heads.entries()) {
    let after: number | undefined = marks[i] ?? 0
    while (after !== undefined) after = await takePage(loading, { slot, ids, head }, after)
  }
}

/**
 * Hands one page over. Gives up to where the index has the collection then, or undefined where that is all of it, or where
 * the thread has let the index go meanwhile.
 *
 * It is read to the very end, wherever that is by now: a line that is replaced while pages are read gets a number beyond
 * those that were asked for, and would be in none of them.
 */
async function takePage(
  { pool, storage }: Loading,
  { slot, ids, head }: { slot: EngineSlot; ids: readonly string[]; head: CollectionHead },
  after: number
): Promise<number | undefined> {
  const page = await storage.page(head.id, { after, upTo: Number.MAX_SAFE_INTEGER, maxBytes: PAGE_BYTES })
  const last = page.seqs[page.count - 1] ?? after
  const isLast = page.count === 0 || (last >= head.seq && page.lines.length < PAGE_BYTES / 2)
  const upTo = isLast ? Math.max(last, head.seq) : last
  const argument = { ids, head, after, upTo, page }
  const { mark } = await pool.run({ name: 'takePage', slot, send: () => ({ argument, hand: buffersOf(page) }) })
  return isLast || mark < upTo ? undefined : upTo
}

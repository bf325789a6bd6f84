import type { RecordPage } from '../../storage/record-batch.ts'
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

/** Reads from the storage, and hands over to threads of the pool. What these find damaged is noted in the storage. */
export function createCatchUp(pool: EnginePool, storage: LineStorage): CatchUp {
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

/** Where lines come from, and where damaged ones are noted. */
export type LineStorage = Pick<Storage, 'page' | 'noteDamage'>

type Loading = { pool: EnginePool; storage: LineStorage }

async function load(loading: Loading, { slot, heads, marks }: Behind): Promise<void> {
  const ids = heads.map(({ id }) => id)
  for (const [i, head] of heads.entries()) await takePages(loading, { slot, ids, head }, marks[i] ?? 0)
}

type Taking = { slot: EngineSlot; ids: readonly string[]; head: CollectionHead }

/**
 * Hands the pages of a collection over, the next one read while the thread works on one. It is read to the very end,
 * wherever that is by now: a line that is replaced while pages are read gets a number beyond those that were asked for, and
 * would be in none of them. Ends early where the thread has let the index go meanwhile.
 */
async function takePages({ pool, storage }: Loading, { slot, ids, head }: Taking, mark: number): Promise<void> {
  let next: Promise<Part> | undefined = readPart(storage, head, mark)
  while (next !== undefined) {
    const part: Part = await next
    next = part.isLast ? undefined : readPart(storage, head, part.upTo)
    // Where this page cannot be handed over, nobody waits for the one after it.
    next?.catch(() => undefined)
    const argument = { ids, head, after: part.after, upTo: part.upTo, page: part.page }
    const hand = buffersOf(part.page)
    const taken = await pool.run({ name: 'takePage', slot, send: () => ({ argument, hand }) })
    if (taken.damaged.length > 0)
      await storage.noteDamage(head.id, { after: part.after, upTo: part.upTo, damaged: taken.damaged })
    if (taken.mark < part.upTo) return
  }
}

/** A page, and up to where the index has the collection with it. */
type Part = { page: RecordPage; after: number; upTo: number; isLast: boolean }

async function readPart(storage: Loading['storage'], { id, seq }: CollectionHead, after: number): Promise<Part> {
  const range = { after, upTo: Number.MAX_SAFE_INTEGER, maxBytes: PAGE_BYTES, isUnverified: true }
  const page = await storage.page(id, range)
  const last = page.seqs[page.count - 1] ?? after
  const isLast = page.count === 0 || (last >= seq && page.lines.length < PAGE_BYTES / 2)
  return { page, after, upTo: isLast ? Math.max(last, seq) : last, isLast }
}

import type { KnownItem } from '../storage/sync-storage.ts'
import { type Found, findItem } from './find-item.ts'
import type { PassState } from './progress.ts'
import type { Run } from './run.ts'
import { writeInParts } from './write-in-parts.ts'

/** Items that are looked up at once. */
const ITEMS_MAX = 500
/** That of no pass: what is only tried again counts as seen in none. */
const NO_PASS = 0

/**
 * Tries failed items again whose time has come.
 *
 * @throws ProviderFailure where it is about more than an item; what was found until then is written.
 */
export async function retryItems(run: Run): Promise<void> {
  const { storage, world } = run.parts
  const now = world.clock.now()
  await readAll(run, NO_PASS, (id) => storage.dueItems(id, { now, limit: ITEMS_MAX }))
}

/**
 * Asks for what a full pass has not seen, one by one: what the provider says is gone goes, and the rest counts as seen.
 *
 * @throws as `retryItems` does.
 */
export async function askUnseen(run: Run, { number }: PassState): Promise<void> {
  const unseen = { before: number }
  await readAll(run, number, (id) => run.parts.storage.unseenItems(id, { unseen, limit: ITEMS_MAX }))
}

/** Until there are none left. */
async function readAll(run: Run, pass: number, next: (connectionId: string) => Promise<KnownItem[]>): Promise<void> {
  for (;;) {
    const inputs = await next(run.held.hold.connectionId)
    if (inputs.length === 0) return
    await writeInParts(run, { pass, inputs, find: (known) => findAgain(run, known) })
  }
}

/** It is read, whatever is known of it, and its version is the one that a page last told of. */
async function findAgain(run: Run, known: KnownItem): Promise<Found> {
  const { id, place, version } = known
  const told = { id, ...(place !== undefined && { place }) }
  const found = await findItem(run, told, { ...known, nextTryAt: undefined })
  return { ...found, item: { ...found.item, version: version ?? found.item.version } }
}

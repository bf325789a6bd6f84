import { epochNow } from '../../src/contract/epoch-ms.ts'
import type { KnownItem } from '../storage/port/sync-storage.ts'
import { type Found, findItem } from './find-item.ts'
import type { Run } from './run.ts'
import { writeInParts } from './write-in-parts.ts'

/** Items that are looked up at once. */
const ITEMS_MAX = 500
/** That of no pass: what is only tried again counts as seen in none. */
const NO_PASS = 0

/**
 * Tries failed items again whose time has come, until there are none left.
 *
 * @throws ProviderFailure where it is about more than an item; what was found until then is written.
 */
export async function retryItems(run: Run): Promise<void> {
  const { storage, world } = run.parts
  const now = epochNow(world.clock)
  for (;;) {
    const inputs = await storage.dueItems(run.held.hold.connectionId, { now, limit: ITEMS_MAX })
    if (inputs.length === 0) return
    await writeInParts(run, { pass: NO_PASS, inputs, readOf: (known) => known, find: (known) => findAgain(run, known) })
  }
}

/** It is read, whatever is known of it, and its version is the one that a page last told of. */
async function findAgain(run: Run, known: KnownItem): Promise<Found> {
  const { id, place, version } = known
  const told = { id, ...(place !== undefined && { place }) }
  const found = await findItem(run, told, { ...known, nextTryAt: undefined })
  return { ...found, item: { ...found.item, version: version ?? found.item.version } }
}

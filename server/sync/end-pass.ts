import type { LookedUp } from '../providers/port/provider.ts'
import { ProviderFailure } from '../providers/port/provider-failure.ts'
import type { KnownItem, Unseen } from '../storage/port/item-storage.ts'
import { absent, foundBy, lookUp } from './look-up-item.ts'
import { LISTINGS_APART_MS, type PassState, withLookUps } from './progress.ts'
import type { Found } from './resolve-item.ts'
import type { Run } from './run.ts'
import { takeProgress, writeInParts } from './store-page.ts'

/** Items that are read from the storage at a time. */
const ITEMS_MAX = 500
/**
 * What one pass may spend on look-ups: items and runs that they park in all, time in one run, and failures in a row. What is beyond waits for
 * a second listing, so that changes are followed meanwhile.
 */
const LOOK_UPS = { ITEMS_MAX: 2000, PARKED_MAX: 10, MS_MAX: 30 * 60_000, FAILURES_MAX: 5 }

/** `isWhole`: a second listing that lacks the items is proof enough where they cannot be looked up. */
export type Absences = { unseen: Unseen; isWhole: boolean }

/**
 * Looks up the items that a complete listing lacked. Deletes those that the provider says are gone, takes the others in, and keeps those of
 * which it says nothing until a second complete listing lacks them, too. Returns the pass with what was spent on look-ups.
 *
 * @throws ProviderFailure where the run cannot go on; what was settled until then is written, and the next run goes on behind it.
 */
export async function confirmAbsences(run: Run, pass: PassState, { unseen, isWhole }: Absences): Promise<PassState> {
  const { storage, world } = run.parts
  const spent = { ...(pass.lookUps ?? { asked: 0, parked: 0, open: 0 }), failuresInARow: 0 }
  const began = world.clock.now()
  const after = (): PassState => withLookUps(pass, spent)
  for (;;) {
    const query = { unseen, notNotedIn: pass.number, limit: ITEMS_MAX }
    const inputs = await storage.unseenItems(run.held.hold.connectionId, query)
    if (inputs.length === 0) return after()
    try {
      await writeInParts(run, { pass: pass.number, inputs, readOf: (known) => known, find })
    } catch (error) {
      spent.parked += 1
      if (error instanceof ProviderFailure) await takeProgress(run, after())
      throw error
    }
  }

  async function find(known: KnownItem): Promise<Found> {
    const answer = isSpent() ? 'unknown' : await counted(lookUp(run, known))
    if (answer !== 'unknown') return await foundBy(run, known, answer)
    const isLackedTwice = known.absentSince !== undefined && pass.beganAt - known.absentSince >= LISTINGS_APART_MS
    if (isWhole && isLackedTwice) return absent(known, { isConfirmed: true })
    spent.open += 1
    return absent(known, { isConfirmed: false })
  }

  function isSpent(): boolean {
    const isLate = began + LOOK_UPS.MS_MAX <= world.clock.now() || spent.parked >= LOOK_UPS.PARKED_MAX
    return isLate || spent.asked >= LOOK_UPS.ITEMS_MAX || spent.failuresInARow >= LOOK_UPS.FAILURES_MAX
  }

  async function counted(answer: Promise<LookedUp | 'failed'>): Promise<LookedUp> {
    spent.asked += 1
    const settled = await answer
    spent.failuresInARow = settled === 'failed' ? spent.failuresInARow + 1 : 0
    return settled === 'failed' ? 'unknown' : settled
  }
}

/** So many may always go. */
const UNSEEN_MAX = 20
/** And such a part of those that were synced. */
const UNSEEN_PART_MAX = 0.3

/**
 * Whether so much was not seen that it is not believed yet: a second full pass has to miss it, too. Where a listing is broken in a
 * way that nobody notices, nothing is lost until then.
 */
export function isHeldBack({ unseen, synced }: { unseen: number; synced: number }): boolean {
  return unseen > UNSEEN_MAX && unseen > synced * UNSEEN_PART_MAX
}

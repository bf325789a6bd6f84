import type { LookedUp } from '../providers/port/provider.ts'
import { ProviderFailure } from '../providers/port/provider-failure.ts'
import type { KnownItem, Unseen } from '../storage/port/sync-storage.ts'
import { findUnsyncedSelection, NothingToSync } from './find-unsynced-selection.ts'
import { lookUpItem, resolveLookedUp, toAbsentItem } from './look-up-item.ts'
import type { ResolvedItem } from './resolve-item.ts'
import type { Run } from './run.ts'
import { EMPTY_PAGE, storeItems, storePage, storeProgress } from './store-page.ts'
import { findConfirmable, LISTINGS_APART_MS, type PassState, type SyncProgress, setLookUps } from './sync-progress.ts'

/** The number of unseen items that are loaded at once. */
const ITEMS_MAX = 500
/**
 * Limits the look-ups of one pass: items and parked runs in total, time in one run, and failures in a row. Items beyond
 * a limit wait for a second listing, so that changes are followed meanwhile.
 */
const LOOK_UPS = { ITEMS_MAX: 2000, PARKED_MAX: 10, MS_MAX: 30 * 60_000, FAILURES_MAX: 5 }

/**
 * Limits of the mass-deletion guard: the number of items that may always be deleted, and the share of the synced items
 * that may be deleted beyond it.
 */
const UNSEEN_MAX = 20
const UNSEEN_PART_MAX = 0.3

/**
 * Ends a pass. Looks up or deletes the items that the pass did not see, unless the mass-deletion guard holds them back,
 * and stores the new progress.
 *
 * @throws ProviderFailure if the run cannot continue; NothingToSync.
 */
export async function endPass(run: Run, pass: PassState): Promise<void> {
  if (pass.full && !pass.braked) await assertSomethingToSync(run, pass)
  const confirmable = pass.full ? findConfirmable(run.progress, pass.beganAt) : undefined
  let isHeld = false
  let settled = pass
  for (const { unseenSince, isWhole, isGuarded } of listAbsenceKinds(run, pass)) {
    if (isGuarded && confirmable !== undefined)
      settled = await confirmAbsences(run, settled, { unseen: unseenSince(confirmable), isWhole })
    const unseen = unseenSince(undefined)
    if (pass.braked && isGuarded && (await isGuardTripped(run, unseen))) isHeld = true
    else settled = await confirmAbsences(run, settled, { unseen, isWhole })
  }
  await storePage(run, EMPTY_PAGE, {
    pass,
    progress: progressAfter(run, settled, { isHeld, isConfirmed: confirmable !== undefined })
  })
}

/**
 * Throws if nothing of the selection can be synced. Without this check, a changed selection would delete everything
 * outside of it, because the guard is off then. Nothing is deleted, and the next run starts from the beginning.
 *
 * @throws NothingToSync
 */
async function assertSomethingToSync(run: Run, pass: PassState): Promise<void> {
  const unsynced = await findUnsyncedSelection(run)
  if (unsynced.length === 0 || unsynced.length < run.selection.length) return
  await storePage(run, EMPTY_PAGE, { pass, progress: { v: 1, fullAt: run.progress.fullAt } })
  throw new NothingToSync(run, unsynced)
}

/** With `isWhole`, a second listing that lacks the items proves that they are gone, if they cannot be looked up. */
type Absences = { unseen: Unseen; isWhole: boolean }

type AbsenceKind = Pick<Absences, 'isWhole'> & {
  isGuarded: boolean
  /** Selects the unseen items. With a pass number, only those that this pass and all later ones lacked. */
  unseenSince(since: number | undefined): Unseen
}

/**
 * Lists the ways in which an item can be absent from a pass. An incomplete listing proves nothing, but the items that
 * it lacks can be looked up. A section that a page lists as a whole counts as a complete listing.
 */
function listAbsenceKinds({ source }: Run, { full, stretches, number }: PassState): AbsenceKind[] {
  const { listsAll, asksUnlisted } = source.provider.facts
  const findUnlisted = (since: number | undefined): Unseen => ({ before: since ?? number })
  const findMissing = (since: number | undefined): Unseen => ({
    missingIn: number,
    ...(since !== undefined && { before: since })
  })
  return [
    ...(full && listsAll ? [{ isWhole: true, isGuarded: true, unseenSince: findUnlisted }] : []),
    ...(full && !listsAll && asksUnlisted ? [{ isWhole: false, isGuarded: false, unseenSince: findUnlisted }] : []),
    ...(stretches ? [{ isWhole: true, isGuarded: true, unseenSince: findMissing }] : [])
  ]
}

async function isGuardTripped({ parts, lease }: Run, unseen: Unseen): Promise<boolean> {
  return isMassDeletion(await parts.storage.countUnseen(lease.hold.connectionId, unseen))
}

/**
 * Returns whether the share of unseen items is so large that a second full pass must confirm it. Until then, a listing
 * that is broken without an error deletes nothing.
 */
export function isMassDeletion({ unseen, synced }: { unseen: number; synced: number }): boolean {
  return unseen > UNSEEN_MAX && unseen > synced * UNSEEN_PART_MAX
}

/**
 * Looks up the items that a complete listing lacked. Deletes those that the provider reports as gone and stores those
 * that it returns. Keeps those that it does not know until a second complete listing lacks them too. Returns the pass
 * with the look-ups made.
 *
 * @throws ProviderFailure if the run cannot continue. The items resolved before are written, and the next run continues
 * after them.
 */
async function confirmAbsences(run: Run, pass: PassState, { unseen, isWhole }: Absences): Promise<PassState> {
  const { storage, world } = run.parts
  const spent = { ...(pass.lookUps ?? { asked: 0, parked: 0, open: 0 }), failuresInARow: 0 }
  const began = world.clock.now()
  const after = (): PassState => setLookUps(pass, spent)
  for (;;) {
    const query = { unseen, notNotedIn: pass.number, limit: ITEMS_MAX }
    const inputs = await storage.listUnseenItems(run.lease.hold.connectionId, query)
    if (inputs.length === 0) return after()
    try {
      await storeItems(run, { pass: pass.number, inputs, toRead: (known) => known, resolve })
    } catch (error) {
      spent.parked += 1
      if (error instanceof ProviderFailure) await storeProgress(run, after())
      throw error
    }
  }

  async function resolve(known: KnownItem): Promise<ResolvedItem> {
    const lookedUp = isSpent() ? 'unknown' : await countLookUp(lookUpItem(run, known))
    if (lookedUp !== 'unknown') return await resolveLookedUp(run, known, lookedUp)
    const isMissingTwice = known.absentSince !== undefined && pass.beganAt - known.absentSince >= LISTINGS_APART_MS
    if (isWhole && isMissingTwice) return toAbsentItem(known, { isConfirmed: true })
    spent.open += 1
    return toAbsentItem(known, { isConfirmed: false })
  }

  function isSpent(): boolean {
    const isLate = began + LOOK_UPS.MS_MAX <= world.clock.now() || spent.parked >= LOOK_UPS.PARKED_MAX
    return isLate || spent.asked >= LOOK_UPS.ITEMS_MAX || spent.failuresInARow >= LOOK_UPS.FAILURES_MAX
  }

  async function countLookUp(lookUp: Promise<LookedUp | 'failed'>): Promise<LookedUp> {
    spent.asked += 1
    const result = await lookUp
    spent.failuresInARow = result === 'failed' ? spent.failuresInARow + 1 : 0
    return result === 'failed' ? 'unknown' : result
  }
}

/** What a pass means for the mass-deletion guard: it held deletions back, or confirmed those held back before. */
type GuardOutcome = { isHeld: boolean; isConfirmed: boolean }

/** Returns the progress after a pass. */
function progressAfter(run: Run, pass: PassState, { isHeld, isConfirmed }: GuardOutcome): SyncProgress {
  const { pass: _, listing, heldSince, heldAt, unconfirmedAt, ...rest } = run.progress
  const now = run.parts.world.clock.now()
  const isOldHold = heldSince !== undefined && !isConfirmed
  const hold = isOldHold ? { heldSince, heldAt } : isHeld ? { heldSince: pass.number, heldAt: now } : undefined
  const isOpen = (pass.lookUps?.open ?? 0) > 0 && listAbsenceKinds(run, pass).some(({ isWhole }) => isWhole)
  const openAt = pass.full ? (isOpen ? now : undefined) : unconfirmedAt
  return {
    ...rest,
    // A full pass replaces a listing that was in progress.
    ...(listing !== undefined && !pass.full && { listing }),
    ...hold,
    ...(openAt !== undefined && { unconfirmedAt: openAt }),
    fullAt: pass.full ? pass.beganAt : rest.fullAt
  }
}

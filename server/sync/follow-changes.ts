import { Buffer } from 'node:buffer'
import { CURSOR_BYTES_MAX } from '../providers/http/read-cursor-text.ts'
import type { Page, SeenItem, SyncCall } from '../providers/port/provider.ts'
import { ProviderFailure } from '../providers/port/provider-failure.ts'
import type { Unseen } from '../storage/port/item-storage.ts'
import { afterFailure } from './choose-reaction.ts'
import { type Absences, confirmAbsences, isHeldBack } from './end-pass.ts'
import { LISTINGS_APART_MS, newPass, type PassState, type Progress } from './progress.ts'
import { asked, type Run } from './run.ts'
import { NO_PAGE, takePage } from './store-page.ts'
import { leftOutOf, NothingToRead } from './unsynced-selection.ts'

/** A page may take many calls, each within a time of its own, in milliseconds. */
const PAGE_MS_MAX = 15 * 60_000
/** After which what the changes did not tell is looked for. */
const RECONCILE_MS = 7 * 24 * 3_600_000
/** How often in a run everything may be listed anew. */
const RESTARTS_MAX = 3

/**
 * Takes in what changed since the cursor; without one, everything. A pass that an earlier run began is followed by another, since
 * what it had been through already may have changed meanwhile.
 *
 * @throws ProviderFailure where the run cannot go on.
 */
export async function followChanges(run: Run): Promise<void> {
  const { pass, cursor } = run.progress
  const isOld = pass !== undefined && cursor !== undefined
  if (pass?.ended) await endPass(run, pass)
  else await onePass(run)
  if (isOld) await onePass(run)
}

async function onePass(run: Run): Promise<void> {
  let restarts = 0
  for (;;) {
    const { cursor } = run.progress
    const page = await pageAfter(run, cursor, (call, from) => run.source.provider.changes(call, from))
    if (page === 'start over') {
      if (++restarts > RESTARTS_MAX) throw refusedAgain()
      startOver(run)
      continue
    }
    // Nothing known of a cursor means that a person chose anew what is synced, or that this is the first sync: there is no brake then.
    const full = cursor === undefined
    const begun = run.progress.pass ?? beginning(run, { full, braked: !full })
    const pass = after(begun, page)
    const isOver = pass.ended && !pass.full && !pass.stretches
    await takePage(run, page, {
      pass,
      progress: { ...run.progress, cursor: page.cursor, pass: isOver ? undefined : pass }
    })
    if (!pass.ended) continue
    if (!isOver) await endPass(run, pass)
    return
  }
}

/** Whether a listing of everything is due: weekly, and where a second one has to confirm what the last one lacked. */
export function isListingDue({ progress, parts }: Run): boolean {
  const { listing, heldSince, unconfirmedAt = Number.POSITIVE_INFINITY, fullAt } = progress
  const now = parts.world.clock.now()
  const isSecondDue = unconfirmedAt + LISTINGS_APART_MS <= now
  return listing !== undefined || heldSince !== undefined || isSecondDue || fullAt + RECONCILE_MS <= now
}

/**
 * Lists everything, for a comparison with what is known.
 *
 * @throws ProviderFailure where the run cannot go on.
 */
export async function listEverything(run: Run): Promise<void> {
  let restarts = 0
  for (;;) {
    const { cursor, ...begun }: Listing = run.progress.listing ?? beginning(run, { full: true, braked: true })
    if (begun.ended) return await endPass(run, begun)
    const page = await pageAfter(run, cursor, (call, from) => run.source.provider.list(call, from))
    if (page === 'start over') {
      if (++restarts > RESTARTS_MAX) throw refusedAgain()
      run.progress = { ...run.progress, listing: undefined }
      continue
    }
    const pass = after(begun, page)
    await takePage(run, page, { pass, progress: { ...run.progress, listing: { ...pass, cursor: page.cursor } } })
    if (pass.ended) return await endPass(run, pass)
  }
}

type Listing = NonNullable<Progress['listing']>

type Ask = (call: SyncCall, from: { selection: readonly string[]; cursor: string | undefined }) => Promise<Page>

async function pageAfter(run: Run, cursor: string | undefined, ask: Ask): Promise<Page | 'start over'> {
  try {
    const page = await asked(run, PAGE_MS_MAX, (call) => ask(call, { selection: run.selection, cursor }))
    return soundPage(page, cursor)
  } catch (error) {
    if (error instanceof ProviderFailure && afterFailure(error.kind, 'listing') === 'start_over') return 'start over'
    throw error
  }
}

/** The cursor is lost: everything is listed, as it would be at first. A listing that was under way has nothing left to tell. */
function startOver(run: Run): void {
  const { fullAt, heldSince, unconfirmedAt, pass } = run.progress
  const braked = pass?.full ? pass.braked : true
  run.progress = {
    v: 1,
    fullAt,
    ...(heldSince !== undefined && { heldSince }),
    ...(unconfirmedAt !== undefined && { unconfirmedAt }),
    pass: beginning(run, { full: true, braked })
  }
}

function beginning(run: Run, kind: Pick<PassState, 'full' | 'braked'>): PassState {
  run.lastPass += 1
  return newPass({ ...kind, number: run.lastPass, beganAt: run.parts.world.clock.now() })
}

function after(pass: PassState, { covered, more }: Page): PassState {
  return { ...pass, stretches: pass.stretches || (covered ?? []).length > 0, ended: !more }
}

function refusedAgain(): ProviderFailure {
  return new ProviderFailure('contract_broken', 'the place where the last page ended is refused again and again')
}

/** Settles what a pass has not seen, as far as the brake lets it, and notes that the pass is over. */
async function endPass(run: Run, pass: PassState): Promise<void> {
  if (pass.full && !pass.braked) await refuseNothing(run, pass)
  const { heldSince } = run.progress
  let isHeld = false
  let settled = pass
  for (const { unseenSince, isWhole, isBraked } of absencesOf(run, pass)) {
    if (pass.full && isBraked && heldSince !== undefined)
      settled = await confirmAbsences(run, settled, { unseen: unseenSince(heldSince), isWhole })
    const unseen = unseenSince(undefined)
    if (pass.braked && isBraked && (await isTooMuch(run, unseen))) isHeld = true
    else settled = await confirmAbsences(run, settled, { unseen, isWhole })
  }
  await takePage(run, NO_PAGE, { pass, progress: progressAfter(run, settled, isHeld) })
}

function progressAfter(run: Run, pass: PassState, isHeld: boolean): Progress {
  const { pass: _, listing, heldSince, unconfirmedAt, ...rest } = run.progress
  const held = pass.full ? undefined : heldSince
  const since = held ?? (isHeld ? pass.number : undefined)
  const now = run.parts.world.clock.now()
  const isOpen = (pass.lookUps?.open ?? 0) > 0 && absencesOf(run, pass).some(({ isWhole }) => isWhole)
  const openAt = pass.full ? (isOpen ? now : undefined) : unconfirmedAt
  return {
    ...rest,
    // A full pass is as good as the listing that was under way.
    ...(listing !== undefined && !pass.full && { listing }),
    ...(since !== undefined && { heldSince: since }),
    ...(openAt !== undefined && { unconfirmedAt: openAt }),
    fullAt: pass.full ? pass.beganAt : rest.fullAt
  }
}

/**
 * After a person chose anew, all that left the selection goes without a brake. Not so where nothing of the choice is there: the next run
 * begins from the start.
 *
 * @throws NothingToRead
 */
async function refuseNothing(run: Run, pass: PassState): Promise<void> {
  const leftOut = await leftOutOf(run)
  if (leftOut.length === 0 || leftOut.length < run.selection.length) return
  await takePage(run, NO_PAGE, { pass, progress: { v: 1, fullAt: run.progress.fullAt } })
  throw new NothingToRead(run, leftOut)
}

type AbsenceKind = Pick<Absences, 'isWhole'> & {
  isBraked: boolean
  /** With a pass, only what that one and all after it lacked. */
  unseenSince(since: number | undefined): Unseen
}

/**
 * What the absence of an item from a pass may mean. A listing that may leave things out proves nothing, but what it lacks may be looked up;
 * what it lists as a whole is as good as complete.
 */
function absencesOf({ source }: Run, { full, stretches, number }: PassState): AbsenceKind[] {
  const { listsAll, asksUnlisted } = source.provider.facts
  const unlisted = (since: number | undefined): Unseen => ({ before: since ?? number })
  const lacking = (since: number | undefined): Unseen => ({
    missingIn: number,
    ...(since !== undefined && { before: since })
  })
  return [
    ...(full && listsAll ? [{ isWhole: true, isBraked: true, unseenSince: unlisted }] : []),
    ...(full && !listsAll && asksUnlisted ? [{ isWhole: false, isBraked: false, unseenSince: unlisted }] : []),
    ...(stretches ? [{ isWhole: true, isBraked: true, unseenSince: lacking }] : [])
  ]
}

async function isTooMuch({ parts, held }: Run, unseen: Unseen): Promise<boolean> {
  return isHeldBack(await parts.storage.countUnseen(held.hold.connectionId, unseen))
}

const ID_BYTES_MAX = 1024

/**
 * A page that keeps to its port: each item once, as it was told of last, and nothing gone that is there. What was left out of the
 * selection is an item that is skipped.
 *
 * @throws ProviderFailure `contract_broken` where ids or the cursor cannot be kept, or the page leads to itself.
 */
function soundPage(page: Page, before: string | undefined): Page {
  const { cursor, more, gone, left = [], leftOut = [], ledger } = page
  const seen = [...page.seen, ...leftOut.map(({ id, why }): SeenItem => ({ id, skipped: why }))]
  if (typeof cursor !== 'string' || !cursor.isWellFormed() || Buffer.byteLength(cursor) > CURSOR_BYTES_MAX)
    throw broken('a page has no cursor that can be kept')
  if (more && cursor === before && seen.length === 0 && gone.length === 0 && left.length === 0 && !ledger?.length)
    throw broken('a page leads to itself')
  const items = new Map<string, SeenItem>()
  for (const item of seen) {
    checkId(item.id)
    // What is told again stands where it was told last.
    items.delete(item.id)
    items.set(item.id, item)
  }
  for (const id of [...gone, ...left]) checkId(id)
  const isSettled = new Set([...items.keys(), ...gone])
  return {
    ...page,
    seen: [...items.values()],
    gone: gone.filter((id) => !items.has(id)),
    left: [...new Set(left)].filter((id) => !isSettled.has(id))
  }
}

function checkId(id: unknown): void {
  const isSound =
    typeof id === 'string' && id !== '' && id.isWellFormed() && (id.length * 3 <= ID_BYTES_MAX || fits(id))
  if (!isSound) throw broken('an item has no id that can be kept')
}

function fits(id: string): boolean {
  return Buffer.byteLength(id) <= ID_BYTES_MAX
}

function broken(message: string): ProviderFailure {
  return new ProviderFailure('contract_broken', message)
}

import { Buffer } from 'node:buffer'
import { CURSOR_BYTES_MAX } from '../providers/http/read-cursor-text.ts'
import type { Page, SeenItem, SyncCall } from '../providers/port/provider.ts'
import { ProviderFailure } from '../providers/port/provider-failure.ts'
import { chooseReaction } from './choose-reaction.ts'
import { endPass } from './end-pass.ts'
import { callProvider, type Run } from './run.ts'
import { storePage } from './store-page.ts'
import { findConfirmable, LISTINGS_APART_MS, newPass, type PassState, type SyncProgress } from './sync-progress.ts'

/** The time limit of a page, in milliseconds. A page may need many calls, each with its own limit. */
const PAGE_MS_MAX = 15 * 60_000
/** The interval between full listings, in milliseconds. A listing finds what the changes missed. */
const RECONCILE_MS = 7 * 24 * 3_600_000
/** The number of times that a run may start over because its cursor is refused. */
const RESTARTS_MAX = 3

const ID_BYTES_MAX = 1024

/**
 * Syncs the changes since the cursor, page by page, or everything if there is no cursor. After a pass that an earlier
 * run began, makes another pass, because the pages already read may have changed since.
 *
 * @throws ProviderFailure if the run cannot continue; NothingToSync.
 */
export async function followChanges(run: Run): Promise<void> {
  const { pass, cursor } = run.progress
  const isOld = pass !== undefined && cursor !== undefined
  if (pass?.ended) await endPass(run, pass)
  else await followPass(run)
  if (isOld) await followPass(run)
}

/**
 * Returns whether a full listing is due. One is due weekly, and when a second one has to confirm what the last one
 * lacked.
 */
export function isListingDue({ progress, parts }: Run): boolean {
  const { listing, unconfirmedAt = Number.POSITIVE_INFINITY, fullAt } = progress
  const now = parts.world.clock.now()
  const isSecondDue = unconfirmedAt + LISTINGS_APART_MS <= now
  const isConfirmationDue = findConfirmable(progress, now) !== undefined
  return listing !== undefined || isConfirmationDue || isSecondDue || fullAt + RECONCILE_MS <= now
}

/**
 * Lists everything, page by page, and compares it with the known items.
 *
 * @throws ProviderFailure if the run cannot continue.
 */
export async function listEverything(run: Run): Promise<void> {
  let restarts = 0
  for (;;) {
    const { cursor, ...begun }: Listing = run.progress.listing ?? beginPass(run, { full: true, braked: true })
    if (begun.ended) return await endPass(run, begun)
    const page = await requestPage(run, cursor, (call, from) => run.source.provider.list(call, from))
    if (page === 'start over') {
      if (++restarts > RESTARTS_MAX) throw cursorRefusedError()
      run.progress = { ...run.progress, listing: undefined }
      continue
    }
    const pass = advancePass(begun, page)
    await storePage(run, page, { pass, progress: { ...run.progress, listing: { ...pass, cursor: page.cursor } } })
    if (pass.ended) return await endPass(run, pass)
  }
}

type Listing = NonNullable<SyncProgress['listing']>

/** Follows one pass through the changes to its end. */
async function followPass(run: Run): Promise<void> {
  let restarts = 0
  for (;;) {
    const { cursor } = run.progress
    const page = await requestPage(run, cursor, (call, from) => run.source.provider.changes(call, from))
    if (page === 'start over') {
      if (++restarts > RESTARTS_MAX) throw cursorRefusedError()
      startOver(run)
      continue
    }
    // There is no cursor on the first sync and after a user changed the selection. The mass-deletion guard is off in
    // both cases.
    const full = cursor === undefined
    const current = run.progress.pass ?? beginPass(run, { full, braked: !full })
    const pass = advancePass(current, page)
    const isOver = pass.ended && !pass.full && !pass.stretches
    await storePage(run, page, {
      pass,
      progress: { ...run.progress, cursor: page.cursor, pass: isOver ? undefined : pass }
    })
    if (!pass.ended) continue
    if (!isOver) await endPass(run, pass)
    return
  }
}

type PageRequest = (call: SyncCall, from: { selection: readonly string[]; cursor: string | undefined }) => Promise<Page>

/** Requests the page at a cursor. Returns `start over` if the provider refuses the cursor. */
async function requestPage(run: Run, cursor: string | undefined, request: PageRequest): Promise<Page | 'start over'> {
  try {
    const page = await callProvider(run, PAGE_MS_MAX, (call) => request(call, { selection: run.selection, cursor }))
    return checkPage(page, cursor)
  } catch (error) {
    if (error instanceof ProviderFailure && chooseReaction(error.kind, 'listing') === 'start_over') return 'start over'
    throw error
  }
}

/**
 * Validates a page and removes duplicates: each item appears once, in its last state, and an item that is seen is not
 * also gone. Selected items that were left out become skipped items.
 *
 * @throws ProviderFailure `contract_broken` if an id or the cursor cannot be stored, or if the page leads to itself.
 */
function checkPage(page: Page, before: string | undefined): Page {
  const { cursor, more, gone, left = [], leftOut = [], ledger } = page
  const seen = [...page.seen, ...leftOut.map(({ id, why }): SeenItem => ({ id, skipped: why }))]
  if (typeof cursor !== 'string' || !cursor.isWellFormed() || Buffer.byteLength(cursor) > CURSOR_BYTES_MAX)
    throw contractError('the provider returned a page without a valid cursor')
  if (more && cursor === before && seen.length === 0 && gone.length === 0 && left.length === 0 && !ledger?.length)
    throw contractError('the provider returned a page whose cursor leads back to itself')
  const items = new Map<string, SeenItem>()
  for (const item of seen) {
    checkId(item.id)
    // A repeated item takes its last position.
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
  const isValid =
    typeof id === 'string' && id !== '' && id.isWellFormed() && (id.length * 3 <= ID_BYTES_MAX || fitsBytes(id))
  if (!isValid) throw contractError('the provider returned an item without a valid id')
}

function fitsBytes(id: string): boolean {
  return Buffer.byteLength(id) <= ID_BYTES_MAX
}

/** Drops a refused cursor. The next pass lists everything, which also replaces a listing that was in progress. */
function startOver(run: Run): void {
  const { fullAt, heldSince, heldAt, unconfirmedAt, pass } = run.progress
  const braked = pass?.full ? pass.braked : true
  run.progress = {
    v: 1,
    fullAt,
    ...(heldSince !== undefined && { heldSince }),
    ...(heldAt !== undefined && { heldAt }),
    ...(unconfirmedAt !== undefined && { unconfirmedAt }),
    pass: beginPass(run, { full: true, braked })
  }
}

function beginPass(run: Run, kind: Pick<PassState, 'full' | 'braked'>): PassState {
  run.lastPass += 1
  return newPass({ ...kind, number: run.lastPass, beganAt: run.parts.world.clock.now() })
}

function advancePass(pass: PassState, { covered, more }: Page): PassState {
  return { ...pass, stretches: pass.stretches || (covered ?? []).length > 0, ended: !more }
}

function cursorRefusedError(): ProviderFailure {
  return new ProviderFailure('contract_broken', 'the provider repeatedly rejects the cursor of the last page')
}

function contractError(message: string): ProviderFailure {
  return new ProviderFailure('contract_broken', message)
}

import { epochNow, toEpochMs } from '../../src/contract/epoch-ms.ts'
import type { ProviderFailure } from '../providers/port/provider-failure.ts'
import type { ItemChange, PageChange, PageCounts, PageOutcome } from '../storage/port/sync-storage.ts'

import { cleanMessage, shortenReason } from './describe-failure.ts'
import { type ItemMemories, type ItemRows, joinRows, makeCopies, makeMemories } from './make-memories.ts'
import type { ResolvedItem } from './resolve-item.ts'
import type { Run } from './run.ts'
import { scheduleItemRetry } from './schedule-run.ts'

/** Limits the copies of one memory. Each time a source repeats a memory that it had removed, another copy is made. */
const COPIES_MAX = 1000

/** The changes that one transaction writes. With `pass` 0, the items were not seen in a pass. */
export type ItemBatch = Pick<
  PageChange,
  'pass' | 'gone' | 'emptied' | 'covered' | 'ledger' | 'progress' | 'placeNames'
> & {
  resolved: readonly ResolvedItem[]
}

/**
 * Makes the memories of resolved items and writes the batch in one transaction.
 *
 * @throws LeaseLost
 */
export async function commitBatch(run: Run, { resolved, gone, ...batch }: ItemBatch): Promise<void> {
  const memories = await makeMemories(run, resolved)
  const effects = resolved.map((one) => toEffect(run, one, memories.byItem.get(one)))
  const seen = batch.pass > 0 ? resolved.filter(({ state }) => state.kind !== 'absent').length : 0
  const counts = countEffects(effects, seen)
  const items = effects.flatMap(({ change }) => change ?? [])
  const allGone = [...gone, ...resolved.filter(isGone).map(({ item }) => item.id)]
  const change = {
    ...batch,
    ...attachedChange(run, { ...batch, resolved, gone: allGone }),
    items,
    gone: allGone,
    counts
  }
  const deleted = await commitWithCopies(run, change, memories)
  addCounts(run.counts, { ...counts, deleted, memories: memories.rows.length })
}

/**
 * Returns the changes to attached items, whose place is the id of their item: they are deleted with it, and if a
 * reading of it lacks them; otherwise they are seen with it.
 */
function attachedChange(
  { source }: Run,
  { resolved, gone, emptied }: ItemBatch
): Pick<PageChange, 'emptied' | 'seenIn'> {
  if (!source.provider.facts.attaches) return { emptied }
  const read = resolved.filter(({ attached }) => attached !== undefined)
  const kept = resolved.filter(({ attached, state }) => attached === undefined && KEPT.has(state.kind))
  return {
    emptied: [...emptied, ...gone, ...read.map(({ item }) => item.id)],
    seenIn: kept.map(({ item }) => item.id)
  }
}

const KEPT: ReadonlySet<ResolvedItem['state']['kind']> = new Set(['unchanged', 'failed'])

function isGone({ state }: ResolvedItem): boolean {
  return state.kind === 'gone' || (state.kind === 'absent' && state.isConfirmed)
}

type Change = Omit<PageChange, 'now' | 'until' | 'memories'>

/**
 * Commits a page and returns how many items it deleted. If the source removed an equal memory earlier, this function
 * first makes another copy of it.
 */
async function commitWithCopies(run: Run, change: Change, memories: ItemMemories): Promise<number> {
  for (let round = 0; round < COPIES_MAX; round += 1) {
    const outcome = await commitPage(run, { ...change, memories: joinRows(memories) })
    if (outcome.outcome === 'committed') return outcome.deleted
    await makeCopies(run, memories, outcome.rows)
  }
  throw new Error('a repeated memory exceeds the limit of copies')
}

/**
 * Writes a page under the lease of the run.
 *
 * @throws LeaseLost
 */
async function commitPage(
  { parts, lease }: Run,
  page: Omit<PageChange, 'now' | 'until'>
): Promise<Exclude<PageOutcome, { outcome: 'lost' }>> {
  lease.signal.throwIfAborted()
  const outcome = await parts.storage.commitPage(lease.hold, { ...page, ...lease.times() })
  if (outcome.outcome === 'lost') throw lease.lose()
  return outcome
}

/**
 * The changes that a resolved item causes in the storage and in the counts. `change` is undefined if the item is gone.
 */
type ItemEffect = {
  change: ItemChange | undefined
  as: 'created' | 'updated' | 'unchanged' | 'failed' | 'skipped' | undefined
  reason?: string
}

function toEffect(run: Run, resolved: ResolvedItem, made: ItemRows | undefined): ItemEffect {
  const { item, state } = resolved
  const about = { ...item, title: resolved.title, url: resolved.url }
  switch (state.kind) {
    case 'gone':
      return { change: undefined, as: undefined }
    case 'absent':
      if (state.isConfirmed) return { change: undefined, as: undefined }
      return { change: { ...about, state: { kind: 'absent' } }, as: undefined, reason: UNCONFIRMED }
    case 'unchanged':
      return { change: { ...about, state }, as: 'unchanged' }
    case 'skipped': {
      const reason = cleanMessage(state.reason)
      return { change: { ...about, state: { ...state, reason } }, as: 'skipped', reason: shortenReason(reason) }
    }
    case 'failed':
      return toFailedEffect(run, resolved, state.failure)
    case 'content':
      if (made === undefined || 'tooLarge' in made)
        return toFailedEffect(run, resolved, { message: made?.tooLarge ?? '' })
      return toSyncedEffect(resolved, { ...state, ...made })
  }
}

/** The reason that a run counts for an item that a listing lacked and that is kept. */
const UNCONFIRMED = 'missing from a listing but not confirmed as deleted, so it is kept'

function toSyncedEffect(
  { item, known, title, url }: ResolvedItem,
  { contentHash, from, to, cut }: { contentHash: Uint8Array; from: number; to: number; cut: string | undefined }
): ItemEffect {
  const reason = cut === undefined ? undefined : cleanMessage(cut)
  const state = { kind: 'synced', contentHash, from, to, ...(reason !== undefined && { cut: reason }) } as const
  return {
    change: { ...item, title, url, state },
    as: known?.contentHash === undefined ? 'created' : 'updated',
    ...(reason !== undefined && { reason: shortenReason(reason) })
  }
}

type ItemFault = { message: string } & Partial<Pick<ProviderFailure, 'kind' | 'retryAfterMs'>>

/** Counts the attempts to read this version of an item and schedules the next one. */
function toFailedEffect(
  { parts }: Run,
  { item, known, title, url }: ResolvedItem,
  { message, kind, retryAfterMs }: ItemFault
): ItemEffect {
  const now = epochNow(parts.world.clock)
  const before = known?.status === 'failed' && known.version === item.version ? known.tries : 0
  const tries = before + 1
  const nextTryAt = toEpochMs(Math.max(scheduleItemRetry(now, tries, parts.settings), now + (retryAfterMs ?? 0)))
  const error = cleanMessage(kind === 'contract_broken' ? `contract broken: ${message}` : message)
  const state = { kind: 'failed', error, tries, nextTryAt } as const
  const change = { ...item, title, url, state }
  return { change, as: 'failed', reason: shortenReason(message) }
}

function countEffects(effects: readonly ItemEffect[], seen: number): PageCounts {
  const counts = { seen, created: 0, updated: 0, unchanged: 0, failed: 0, skipped: 0 }
  const reasons = new Map<string, number>()
  for (const { as, reason } of effects) {
    if (as !== undefined) counts[as] += 1
    if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  }
  return { ...counts, reasons: Object.fromEntries(reasons) }
}

function addCounts(all: Run['counts'], more: PageCounts & Run['counts']): void {
  for (const name of Object.keys(all) as (keyof Run['counts'])[]) all[name] += more[name]
}

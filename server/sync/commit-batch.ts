import { epochNow, toEpochMs } from '../../src/contract/epoch-ms.ts'
import type { ProviderFailure } from '../providers/port/provider-failure.ts'
import type { ItemChange, PageChange } from '../storage/port/page-storage.ts'
import type { PageCounts } from '../storage/port/run-storage.ts'
import { countedReason, sentence } from './describe-failure.ts'
import { batchOf, type Lines, type Made, makeCopies, makeMemories } from './make-memories.ts'
import type { Found } from './resolve-item.ts'
import { commit, type Run } from './run.ts'
import { itemDueAt } from './schedule-run.ts'

/** How often what a source took back may be said again: each time is a further copy. */
const COPIES_MAX = 1000

/** What is written at once. `pass` 0: it belongs to none. */
export type Part = Pick<PageChange, 'pass' | 'gone' | 'emptied' | 'covered' | 'ledger' | 'progress'> & {
  found: readonly Found[]
}

/**
 * Has memories made of what was found, and writes it.
 *
 * @throws HoldLost
 */
export async function writePart(run: Run, { found, gone, ...part }: Part): Promise<void> {
  const lines = await makeMemories(run, found)
  const settled = found.map((one) => settle(run, one, lines.of.get(one)))
  const seen = part.pass > 0 ? found.filter(({ state }) => state.kind !== 'absent').length : 0
  const counts = countsOf(settled, seen)
  const items = settled.flatMap(({ change }) => change ?? [])
  const alsoGone = found.flatMap((one) => (isGone(one) ? [one.item.id] : []))
  const deleted = await write(run, { ...part, items, gone: [...gone, ...alsoGone], counts }, lines)
  add(run.counts, { ...counts, deleted, memories: lines.rows.length })
}

function isGone({ state }: Found): boolean {
  return state.kind === 'gone' || (state.kind === 'absent' && state.isConfirmed)
}

type Change = Omit<PageChange, 'now' | 'until' | 'memories'>

async function write(run: Run, change: Change, lines: Lines): Promise<number> {
  for (let round = 0; round < COPIES_MAX; round += 1) {
    const outcome = await commit(run, { ...change, memories: batchOf(lines) })
    if (outcome.outcome === 'committed') return outcome.deleted
    await makeCopies(run, lines, outcome.rows)
  }
  throw new Error('what was said again has more copies than there may be')
}

/** `change`: undefined where the item is gone. */
type Settled = {
  change: ItemChange | undefined
  as: 'created' | 'updated' | 'unchanged' | 'failed' | 'skipped' | undefined
  reason?: string
}

function settle(run: Run, found: Found, made: Made | undefined): Settled {
  const { item, state } = found
  const about = { ...item, title: found.title, url: found.url }
  switch (state.kind) {
    case 'gone':
      return { change: undefined, as: undefined }
    case 'absent':
      if (state.isConfirmed) return { change: undefined, as: undefined }
      return { change: { ...about, state: { kind: 'absent' } }, as: undefined, reason: UNCONFIRMED }
    case 'unchanged':
      return { change: { ...about, state }, as: 'unchanged' }
    case 'skipped': {
      const reason = sentence(state.reason)
      return { change: { ...about, state: { ...state, reason } }, as: 'skipped', reason: countedReason(reason) }
    }
    case 'failed':
      return failed(run, found, state.failure)
    case 'content':
      if (made === undefined || 'tooLarge' in made) return failed(run, found, { message: made?.tooLarge ?? '' })
      return synced(found, { ...state, ...made })
  }
}

/** What a run counts an item under that a listing lacked and that is kept. */
const UNCONFIRMED = 'missing from a listing, but not confirmed to be gone: kept'

function synced(
  { item, known, title, url }: Found,
  { contentHash, from, to, cut }: { contentHash: Uint8Array; from: number; to: number; cut: string | undefined }
): Settled {
  const said = cut === undefined ? undefined : sentence(cut)
  const state = { kind: 'synced', contentHash, from, to, ...(said !== undefined && { cut: said }) } as const
  return {
    change: { ...item, title, url, state },
    as: known?.contentHash === undefined ? 'created' : 'updated',
    ...(said !== undefined && { reason: countedReason(said) })
  }
}

type Flaw = { message: string } & Partial<Pick<ProviderFailure, 'kind' | 'retryAfterMs'>>

/** A version that changed begins its tries anew. */
function failed({ parts }: Run, { item, known, title, url }: Found, { message, kind, retryAfterMs }: Flaw): Settled {
  const now = epochNow(parts.world.clock)
  const before = known?.status === 'failed' && known.version === item.version ? known.tries : 0
  const tries = before + 1
  const nextTryAt = toEpochMs(Math.max(itemDueAt(now, tries, parts.settings), now + (retryAfterMs ?? 0)))
  const error = sentence(kind === 'contract_broken' ? `contract broken: ${message}` : message)
  const state = { kind: 'failed', error, tries, nextTryAt } as const
  const change = { ...item, title, url, state }
  return { change, as: 'failed', reason: countedReason(message) }
}

function countsOf(settled: readonly Settled[], seen: number): PageCounts {
  const counts = { seen, created: 0, updated: 0, unchanged: 0, failed: 0, skipped: 0 }
  const reasons = new Map<string, number>()
  for (const { as, reason } of settled) {
    if (as !== undefined) counts[as] += 1
    if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  }
  return { ...counts, reasons: Object.fromEntries(reasons) }
}

function add(all: Run['counts'], more: PageCounts & Run['counts']): void {
  for (const name of Object.keys(all) as (keyof Run['counts'])[]) all[name] += more[name]
}

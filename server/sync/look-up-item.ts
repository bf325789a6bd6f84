import type { Ledger, LookedUp, Page } from '../providers/port/provider.ts'
import { ProviderFailure } from '../providers/port/provider-failure.ts'
import type { KnownItem } from '../storage/port/sync-storage.ts'
import { chooseReaction } from './choose-reaction.ts'
import { type ResolvedItem, resolveItem } from './resolve-item.ts'
import { callProvider, type Run } from './run.ts'

/** The time limit of one look-up, in milliseconds. */
const LOOK_UP_MS_MAX = 2 * 60_000

/**
 * Looks up an item that seems to have left the selection, using the ledger with the changes of this page. If the
 * provider does not know the item, it is kept until the next full listing.
 *
 * @throws ProviderFailure if the run cannot continue.
 */
export async function resolveLeftItem(
  run: Run,
  known: KnownItem,
  { ledger = [] }: Pick<Page, 'ledger'>
): Promise<ResolvedItem> {
  const lookedUp = await lookUpItem(run, known, ledger)
  if (lookedUp === 'unknown' || lookedUp === 'failed') return toAbsentItem(known, { isConfirmed: false })
  return await resolveLookedUp(run, known, lookedUp)
}

/**
 * Looks up an item at the provider by its id. Returns `failed` on an error that concerns this item only.
 *
 * @throws ProviderFailure if the error does not concern this item only; the reason of the lease's signal.
 */
export async function lookUpItem(
  run: Run,
  { id, place }: KnownItem,
  changes: NonNullable<Page['ledger']> = []
): Promise<LookedUp | 'failed'> {
  const { provider } = run.source
  const item = { id, ...(place !== undefined && { place }) }
  try {
    return await callProvider(run, LOOK_UP_MS_MAX, async (call) => {
      const ledger = overlayLedger(call.ledger, changes)
      return (await provider.lookUp?.({ ...call, ledger }, item, run.selection)) ?? 'unknown'
    })
  } catch (error) {
    if (!(error instanceof ProviderFailure) || error.ofAccount) throw error
    const reaction = chooseReaction(error.kind, 'reading')
    if (reaction !== 'fail_item' && reaction !== 'drop_item') throw error
    run.parts.world.log.debug({ item: id, why: error.message }, 'could not look up an absent item')
    return 'failed'
  }
}

/** Resolves an item from the result of its look-up. */
export function resolveLookedUp(
  run: Run,
  known: KnownItem,
  answer: Exclude<LookedUp, 'unknown'>
): Promise<ResolvedItem> | ResolvedItem {
  return answer === 'absent' ? toAbsentItem(known, { isConfirmed: true }) : resolveItem(run, answer, known)
}

/** Builds a resolved item for one that a listing lacked, from its known values. */
export function toAbsentItem(known: KnownItem, { isConfirmed }: { isConfirmed: boolean }): ResolvedItem {
  const { id, place, version } = known
  return { item: { id, place, version }, known, weight: 0, state: { kind: 'absent', isConfirmed } }
}

/** Returns a view of the ledger that includes changes not yet written. */
function overlayLedger(ledger: Ledger, changes: NonNullable<Page['ledger']>): Ledger {
  if (changes.length === 0) return ledger
  const changed = new Map(changes)
  return {
    get: async (key) => (changed.has(key) ? changed.get(key) : await ledger.get(key)),
    async entries(prefix) {
      const entries = new Map(await ledger.entries(prefix))
      for (const [key, value] of changed) {
        if (!key.startsWith(prefix)) continue
        if (value === undefined) entries.delete(key)
        else entries.set(key, value)
      }
      return entries
    }
  }
}

import type { Ledger, LookedUp, Page } from '../providers/port/provider.ts'
import { ProviderFailure } from '../providers/port/provider-failure.ts'
import type { KnownItem } from '../storage/port/item-storage.ts'

import { afterFailure } from './choose-reaction.ts'
import { type Found, findItem } from './resolve-item.ts'
import { asked, type Run } from './run.ts'

/** How long one look-up may take, in milliseconds. */
const LOOK_UP_MS_MAX = 2 * 60_000

/**
 * Looks up an item that seems to have left the selection, with the ledger as the page will leave it. The item is kept where the provider says nothing of it: the next listing of everything
 * decides.
 *
 * @throws ProviderFailure where the run cannot go on.
 */
export async function findLeft(run: Run, known: KnownItem, { ledger = [] }: Pick<Page, 'ledger'>): Promise<Found> {
  const answer = await lookUp(run, known, ledger)
  if (answer === 'unknown' || answer === 'failed') return absent(known, { isConfirmed: false })
  return await foundBy(run, known, answer)
}

/**
 * Asks the provider for an item by its id. `failed`: the provider could not say.
 *
 * @throws ProviderFailure where it is not about the item alone; the reason of the run's signal.
 */
export async function lookUp(
  run: Run,
  { id, place }: KnownItem,
  changes: NonNullable<Page['ledger']> = []
): Promise<LookedUp | 'failed'> {
  const { provider } = run.source
  const item = { id, ...(place !== undefined && { place }) }
  try {
    return await asked(run, LOOK_UP_MS_MAX, async (call) => {
      const ledger = changedLedger(call.ledger, changes)
      return (await provider.lookUp?.({ ...call, ledger }, item, run.selection)) ?? 'unknown'
    })
  } catch (error) {
    if (!(error instanceof ProviderFailure) || error.ofAccount) throw error
    const consequence = afterFailure(error.kind, 'reading')
    if (consequence !== 'fail_item' && consequence !== 'drop_item') throw error
    run.parts.world.log.debug({ item: id, why: error.message }, 'an absent item could not be looked up')
    return 'failed'
  }
}

/** What becomes of an item after the provider's answer. */
export function foundBy(run: Run, known: KnownItem, answer: Exclude<LookedUp, 'unknown'>): Promise<Found> | Found {
  return answer === 'absent' ? absent(known, { isConfirmed: true }) : findItem(run, answer, known)
}

/** An item that a listing lacked, as it was known. */
export function absent(known: KnownItem, { isConfirmed }: { isConfirmed: boolean }): Found {
  const { id, place, version } = known
  return { item: { id, place, version }, known, weight: 0, state: { kind: 'absent', isConfirmed } }
}

/** A ledger with changes that are not written yet. */
function changedLedger(ledger: Ledger, changes: NonNullable<Page['ledger']>): Ledger {
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

import { epochNow } from '../../src/contract/epoch-ms.ts'
import type { KnownItem } from '../storage/port/item-storage.ts'
import type { Claim } from '../storage/port/queue-storage.ts'
import type { RunOutcome } from '../storage/port/run-storage.ts'
import { keepLease } from './connection-lease.ts'
import { followChanges, isListingDue, listEverything } from './follow-changes.ts'
import { type ResolvedItem, resolveItem } from './resolve-item.ts'
import { openRun, type Run, type RunParts, toLogFields } from './run.ts'
import { toCompleteEnd, toFailedEnd } from './run-end.ts'
import { storeItems } from './store-page.ts'

/** Failed items that are retried at once. */
const ITEMS_MAX = 500
/** The pass of retried items: they count as seen in none. */
const NO_PASS = 0

/** What a run came to. `lost`: another server has the connection, or it was deleted. */
export type RunResult = { outcome: RunOutcome | 'lost' } & Run['counts']

/**
 * Syncs a claimed connection. A page of the provider passes through: `followChanges` or `listEverything` (asks for it and checks it),
 * `storePage` (compares it with the items that are known), `resolveItem` (reads and chunks an item), `commitBatch` (makes memories and
 * writes them in one transaction). `endPass` deletes what a pass has not seen.
 */
export async function runConnection(parts: RunParts, claim: Claim, stopping: AbortSignal): Promise<RunResult> {
  const { storage, world, settings } = parts
  const lease = keepLease({ storage, world, leaseMs: settings.leaseMs }, claim.hold, stopping)
  const run = openRun(parts, claim, lease)
  const startedAt = world.clock.now()
  try {
    const end = await syncConnection(run).then(
      () => toCompleteEnd(run),
      (thrown: unknown) => toFailedEnd(run, thrown)
    )
    const outcome = end !== undefined && (await storage.endRun(claim.hold, end)) ? end.outcome : 'lost'
    // The next server must not conclude that this one was ended by an item that it was reading.
    if (outcome === 'lost') await storage.endReads(claim.hold)
    logEnd(run, { outcome, error: end?.error, ms: world.clock.now() - startedAt })
    return { outcome, ...run.counts }
  } catch (error) {
    // The lease runs out by itself.
    world.log.error({ ...toLogFields(run), err: error }, 'the end of a sync could not be written')
    return { outcome: 'lost', ...run.counts }
  } finally {
    lease.release()
  }
}

async function syncConnection(run: Run): Promise<void> {
  await retryItems(run)
  const { heldSince, unconfirmedAt } = run.progress
  // A listing that this run made due waits for the next run.
  const isDue = () =>
    isListingDue(run) &&
    [undefined, heldSince].includes(run.progress.heldSince) &&
    [undefined, unconfirmedAt].includes(run.progress.unconfirmedAt)
  await followChanges(run)
  if (isDue()) await listEverything(run)
  // A listing that an earlier run began, a week ago or more, missed what changed since in the pages that were read.
  if (isDue()) await listEverything(run)
}

/**
 * Retries failed items that are due, until there are none left.
 *
 * @throws ProviderFailure if it is about more than an item; the items resolved before are written.
 */
async function retryItems(run: Run): Promise<void> {
  const { storage, world } = run.parts
  const now = epochNow(world.clock)
  for (;;) {
    const inputs = await storage.dueItems(run.lease.hold.connectionId, { now, limit: ITEMS_MAX })
    if (inputs.length === 0) return
    await storeItems(run, {
      pass: NO_PASS,
      inputs,
      toRead: (known) => known,
      resolve: (known) => retryItem(run, known)
    })
  }
}

/** Reads an item even if its version is known. The version that a page last named is kept. */
async function retryItem(run: Run, known: KnownItem): Promise<ResolvedItem> {
  const { id, place, version } = known
  const seen = { id, ...(place !== undefined && { place }) }
  const resolved = await resolveItem(run, seen, { ...known, nextTryAt: undefined })
  return { ...resolved, item: { ...resolved.item, version: version ?? resolved.item.version } }
}

/** Logs one line for each run: numbers and ids, no content. */
function logEnd(run: Run, ended: { outcome: RunResult['outcome']; error: string | undefined; ms: number }): void {
  const { outcome, error, ms } = ended
  const fields = { ...toLogFields(run), trigger: run.claim.trigger, outcome, ...(error !== undefined && { error }), ms }
  run.parts.world.log.info({ ...fields, ...run.counts }, 'a sync ended')
}

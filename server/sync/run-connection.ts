import { addMillis, epochNow, type Millis, toEpochMs } from '../../src/contract/epoch-ms.ts'
import { Fault } from '../../src/contract/faults.ts'
import { UNSAID_WAIT_MS } from '../providers/http/create-paced-fetch.ts'
import { ProviderFailure } from '../providers/port/provider-failure.ts'
import type { Claim, KnownItem, RunEnd, RunOutcome } from '../storage/port/sync-storage.ts'

import { chooseReaction } from './choose-reaction.ts'
import { keepLease, LeaseLost, ServerStopped } from './connection-lease.ts'
import { describeFailure } from './describe-failure.ts'
import { describeUnsynced, findUnsyncedSelection, NothingToSync } from './find-unsynced-selection.ts'
import { followChanges, isListingDue, listEverything } from './follow-changes.ts'
import { type ResolvedItem, resolveItem } from './resolve-item.ts'
import { openRun, type Run, type RunParts, toLogFields } from './run.ts'
import { scheduleRun, scheduleRunRetry } from './schedule-run.ts'
import { storeItems } from './store-page.ts'
import { LISTINGS_APART_MS } from './sync-progress.ts'

/** The number of failed items that are loaded for a retry at once. */
const ITEMS_MAX = 500
/** The pass of retried items. They do not count as seen in any pass. */
const NO_PASS = 0

/** The result of a run. `lost` means that another server took the connection, or that it was deleted. */
export type RunResult = { outcome: RunOutcome | 'lost' } & Run['counts']

/**
 * Syncs a claimed connection. `followChanges` or `listEverything` requests and validates a page. `storePage` compares
 * it with the known items, `resolveItem` reads and chunks an item, and `commitBatch` makes the memories and writes
 * everything in one transaction. `endPass` deletes the items that a pass has not seen.
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
    // Otherwise the next server would conclude that reading an item had crashed this one.
    if (outcome === 'lost') await storage.endReads(claim.hold)
    logEnd(run, { outcome, error: end?.error, ms: world.clock.now() - startedAt })
    return { outcome, ...run.counts }
  } catch (error) {
    // The lease expires by itself.
    world.log.error({ ...toLogFields(run), err: error }, 'could not store the end of a sync')
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
  // A listing that began a week ago or more has missed later changes in the pages that it had already read.
  if (isDue()) await listEverything(run)
}

/**
 * Retries failed items that are due until none are left.
 *
 * @throws ProviderFailure if the error concerns more than one item. The items resolved before are written.
 */
async function retryItems(run: Run): Promise<void> {
  const { storage, world } = run.parts
  const now = epochNow(world.clock)
  for (;;) {
    const inputs = await storage.listDueItems(run.lease.hold.connectionId, { now, limit: ITEMS_MAX })
    if (inputs.length === 0) return
    await storeItems(run, {
      pass: NO_PASS,
      inputs,
      toRead: (known) => known,
      resolve: (known) => retryItem(run, known)
    })
  }
}

/** Reads an item even if its version is known. Keeps the version that a page last named. */
async function retryItem(run: Run, known: KnownItem): Promise<ResolvedItem> {
  const { id, place, version } = known
  const seen = { id, ...(place !== undefined && { place }) }
  const resolved = await resolveItem(run, seen, { ...known, nextTryAt: undefined })
  return { ...resolved, item: { ...resolved.item, version: version ?? resolved.item.version } }
}

/** Logs one line for each run, with numbers and ids but no content. */
function logEnd(run: Run, ended: { outcome: RunResult['outcome']; error: string | undefined; ms: number }): void {
  const { outcome, error, ms } = ended
  const fields = { ...toLogFields(run), trigger: run.claim.trigger, outcome, ...(error !== undefined && { error }), ms }
  run.parts.world.log.info({ ...fields, ...run.counts }, 'sync ended')
}

/** Builds the end of a complete run, with the time of the next one. */
async function toCompleteEnd(run: Run): Promise<RunEnd> {
  const { storage, settings, world } = run.parts
  const { connectionId } = run.lease.hold
  const [nextTry, unsynced] = [await storage.findNextTry(connectionId), await findUnsyncedSelection(run)]
  const now = epochNow(world.clock)
  const regular = scheduleRun(now, connectionId, settings.intervalMs)
  const { unconfirmedAt } = run.progress
  const secondListing = unconfirmedAt === undefined ? regular : unconfirmedAt + LISTINGS_APART_MS
  return {
    now,
    outcome: run.counts.failed > 0 || unsynced.length > 0 ? 'partial' : 'succeeded',
    error: unsynced.length > 0 ? describeUnsynced(run, unsynced) : undefined,
    nextRunAt: toEpochMs(Math.min(regular, Math.max(nextTry ?? regular, now), Math.max(secondListing, now))),
    complete: true,
    failures: 0
  }
}

/**
 * Builds the end of a run that an error stopped. Returns undefined if the lease is lost, because the run may not write
 * then.
 */
function toFailedEnd(run: Run, thrown: unknown): RunEnd | undefined {
  const { signal } = run.lease
  const reason: unknown = signal.aborted ? signal.reason : thrown
  if (reason instanceof LeaseLost) return undefined
  const { failures, connection } = run.claim
  const now = epochNow(run.parts.world.clock)
  const end = { now, error: undefined, complete: false, failures }
  if (reason instanceof ServerStopped) return { ...end, outcome: 'stopped', nextRunAt: now }
  if (reason instanceof NothingToSync)
    return buildFailedEnd(run, { isPassing: false, error: reason.message, waitMs: undefined })
  if (!(reason instanceof ProviderFailure)) {
    run.parts.world.log.error({ ...toLogFields(run), err: reason }, 'sync failed with an unexpected error')
    return buildFailedEnd(run, { isPassing: true, error: describeOwnFailure(reason), waitMs: undefined })
  }
  const reaction = chooseReaction(reason.kind, 'listing')
  if (reaction === 'park')
    return { ...end, outcome: 'parked', nextRunAt: addMillis(now, reason.retryAfterMs ?? UNSAID_WAIT_MS) }
  const error = describeFailure(reason, { service: run.source.provider.facts.service, connection })
  return buildFailedEnd(run, { isPassing: reaction === 'fail_soon', error, waitMs: reason.retryAfterMs })
}

/** With `isPassing`, the cause may be temporary, so the next run starts sooner. */
type FailedRun = { isPassing: boolean; error: string; waitMs: Millis | undefined }

function buildFailedEnd({ parts, claim }: Run, { isPassing, error, waitMs }: FailedRun): RunEnd {
  const { settings, world } = parts
  const now = epochNow(world.clock)
  const failures = claim.failures + 1
  const regular = scheduleRun(now, claim.hold.connectionId, settings.intervalMs)
  const nextRunAt = isPassing ? scheduleRunRetry(regular, { now, failures, waitMs }, settings) : regular
  return { now, outcome: 'failed', error, nextRunAt, complete: false, failures }
}

/**
 * Describes an internal error of the server. A damaged database needs an administrator, so its error and hint are
 * shown.
 */
function describeOwnFailure(reason: unknown): string {
  if (!(reason instanceof Fault)) return OUR_FAILURE
  if (reason.code === 'damaged_storage') return [reason.message, reason.hint].filter(Boolean).join('; ')
  return reason.code === 'unavailable' ? SERVER_AWAY : OUR_FAILURE
}

const OUR_FAILURE = "the sync failed because of a server error unrelated to the account; see the server's log"
const SERVER_AWAY = 'the server was overloaded or its storage was unavailable; it will retry soon'

import { addMillis, epochNow, type Millis, toEpochMs } from '../../src/contract/epoch-ms.ts'
import { Fault } from '../../src/contract/faults.ts'
import { UNSAID_WAIT_MS } from '../providers/http/create-paced-fetch.ts'
import { ProviderFailure } from '../providers/port/provider-failure.ts'
import type { KnownItem } from '../storage/port/item-storage.ts'
import type { Claim, RunEnd } from '../storage/port/queue-storage.ts'
import type { RunOutcome } from '../storage/port/run-storage.ts'
import { afterFailure } from './choose-reaction.ts'
import { HoldLost, holdConnection, ServerStops } from './connection-lease.ts'
import { OUR_FAILURE, runError, SERVER_AWAY } from './describe-failure.ts'
import { followChanges, isListingDue, listEverything } from './follow-changes.ts'
import { LISTINGS_APART_MS, NO_PROGRESS, newPass, type Progress, readProgress } from './progress.ts'
import { type Found, findItem } from './resolve-item.ts'
import type { Run, RunParts } from './run.ts'
import { regularRunAt, retryRunAt } from './schedule-run.ts'
import { writeInParts } from './store-page.ts'
import { leftOutError, leftOutOf, NothingToRead } from './unsynced-selection.ts'

/** What a run came to; `lost`: another has its connection, or nobody has it any more. */
export type RunResult = { outcome: RunOutcome | 'lost' } & Run['counts']

/** Syncs a connection that was claimed, from what is left of earlier runs to its end. */
export async function runConnection(parts: RunParts, claim: Claim, stopping: AbortSignal): Promise<RunResult> {
  const { storage, world, settings } = parts
  const held = holdConnection({ storage, world, leaseMs: settings.leaseMs }, claim.hold, stopping)
  const run = openRun(parts, claim, held)
  const startedAt = world.clock.now()
  try {
    const end = await worked(run).then(
      () => complete(run),
      (thrown: unknown) => failedEnd(run, thrown)
    )
    const outcome = end !== undefined && (await storage.endRun(claim.hold, end)) ? end.outcome : 'lost'
    // Whoever has the connection now must not take this server for one that was ended by what it read.
    if (outcome === 'lost') await storage.endReads(claim.hold)
    tell(run, { outcome, error: end?.error, ms: world.clock.now() - startedAt })
    return { outcome, ...run.counts }
  } catch (error) {
    // The lease runs out by itself.
    world.log.error({ ...about(run), err: error }, 'the end of a sync could not be written')
    return { outcome: 'lost', ...run.counts }
  } finally {
    held.release()
  }
}

function openRun(parts: RunParts, claim: Claim, held: Run['held']): Run {
  const { connection, progress, lastPass } = claim
  const startedAt = parts.world.clock.now()
  const source = parts.sources.get(connection.provider)
  if (source === undefined) throw new Error(`a connection of ${connection.provider} was claimed, which is not enabled`)
  const { selection } = source.provider.facts
  const counts = { seen: 0, created: 0, updated: 0, unchanged: 0, failed: 0, skipped: 0, deleted: 0, memories: 0 }
  return {
    parts,
    claim,
    source,
    selection: (selection === undefined ? undefined : connection.config[selection]) ?? [],
    held,
    progress: progress === undefined ? NO_PROGRESS : (readProgress(progress) ?? anew(lastPass, startedAt)),
    lastPass: lastPass + 1,
    setAside: new Set(),
    counts
  }
}

/** What another version left cannot be gone on with. */
function anew(lastPass: number, beganAt: number): Progress {
  return { ...NO_PROGRESS, pass: newPass({ number: lastPass + 1, beganAt, full: true, braked: true }) }
}

async function worked(run: Run): Promise<void> {
  await retryItems(run)
  const { heldSince, unconfirmedAt } = run.progress
  // What waits for a second listing from this run on is listed again in the next one.
  const isDue = () =>
    isListingDue(run) &&
    [undefined, heldSince].includes(run.progress.heldSince) &&
    [undefined, unconfirmedAt].includes(run.progress.unconfirmedAt)
  await followChanges(run)
  if (isDue()) await listEverything(run)
  // One that an earlier run began, a week ago or more, knows nothing of what changed since where it had been.
  if (isDue()) await listEverything(run)
}

async function complete(run: Run): Promise<RunEnd> {
  const { storage, settings, world } = run.parts
  const { connectionId } = run.held.hold
  const [nextTry, leftOut] = [await storage.nextTry(connectionId), await leftOutOf(run)]
  const now = epochNow(world.clock)
  const regular = regularRunAt(now, connectionId, settings.intervalMs)
  const { unconfirmedAt } = run.progress
  const secondListing = unconfirmedAt === undefined ? regular : unconfirmedAt + LISTINGS_APART_MS
  return {
    now,
    outcome: run.counts.failed > 0 || leftOut.length > 0 ? 'partial' : 'succeeded',
    error: leftOut.length > 0 ? leftOutError(run, leftOut) : undefined,
    nextRunAt: toEpochMs(Math.min(regular, Math.max(nextTry ?? regular, now), Math.max(secondListing, now))),
    complete: true,
    failures: 0
  }
}

/** Damage of the database lasts: it says what helps. */
function ownFailure(reason: unknown): string {
  if (!(reason instanceof Fault)) return OUR_FAILURE
  if (reason.code === 'damaged_storage') return [reason.message, reason.hint].filter(Boolean).join('; ')
  return reason.code === 'unavailable' ? SERVER_AWAY : OUR_FAILURE
}

/** Undefined where nothing may be written any more. */
function failedEnd(run: Run, thrown: unknown): RunEnd | undefined {
  const { signal } = run.held
  const reason: unknown = signal.aborted ? signal.reason : thrown
  if (reason instanceof HoldLost) return undefined
  const { failures } = run.claim
  const now = epochNow(run.parts.world.clock)
  const end = { now, error: undefined, complete: false, failures }
  if (reason instanceof ServerStops) return { ...end, outcome: 'stopped', nextRunAt: now }
  if (reason instanceof NothingToRead)
    return failedRun(run, { isPassing: false, error: reason.message, waitMs: undefined })
  if (!(reason instanceof ProviderFailure)) {
    run.parts.world.log.error({ ...about(run), err: reason }, 'a sync failed by something of ours')
    return failedRun(run, { isPassing: true, error: ownFailure(reason), waitMs: undefined })
  }
  const consequence = afterFailure(reason.kind, 'listing')
  if (consequence === 'park')
    return { ...end, outcome: 'parked', nextRunAt: addMillis(now, reason.retryAfterMs ?? UNSAID_WAIT_MS) }
  const { connection } = run.claim
  const error = runError(reason, { service: run.source.provider.facts.service, connection })
  return failedRun(run, { isPassing: consequence === 'fail_soon', error, waitMs: reason.retryAfterMs })
}

type Failed = { isPassing: boolean; error: string; waitMs: Millis | undefined }

function failedRun({ parts, claim }: Run, { isPassing, error, waitMs }: Failed): RunEnd {
  const { settings, world } = parts
  const now = epochNow(world.clock)
  const failures = claim.failures + 1
  const regular = regularRunAt(now, claim.hold.connectionId, settings.intervalMs)
  const nextRunAt = isPassing ? retryRunAt(regular, { now, failures, waitMs }, settings) : regular
  return { now, outcome: 'failed', error, nextRunAt, complete: false, failures }
}

/** One line a run: numbers and ids, nothing of what was read. */
function tell(run: Run, ended: { outcome: RunResult['outcome']; error: string | undefined; ms: number }): void {
  const { outcome, error, ms } = ended
  const said = { ...about(run), trigger: run.claim.trigger, outcome, ...(error !== undefined && { error }), ms }
  run.parts.world.log.info({ ...said, ...run.counts }, 'a sync ended')
}

function about({ claim }: Run) {
  const { connectionId, runId } = claim.hold
  return { connectionId, runId, provider: claim.connection.provider }
}

/** Items that are looked up at once. */
const ITEMS_MAX = 500
/** That of no pass: what is only tried again counts as seen in none. */
const NO_PASS = 0

/**
 * Tries failed items again whose time has come, until there are none left.
 *
 * @throws ProviderFailure where it is about more than an item; what was found until then is written.
 */
async function retryItems(run: Run): Promise<void> {
  const { storage, world } = run.parts
  const now = epochNow(world.clock)
  for (;;) {
    const inputs = await storage.dueItems(run.held.hold.connectionId, { now, limit: ITEMS_MAX })
    if (inputs.length === 0) return
    await writeInParts(run, { pass: NO_PASS, inputs, readOf: (known) => known, find: (known) => findAgain(run, known) })
  }
}

/** It is read, whatever is known of it, and its version is the one that a page last told of. */
async function findAgain(run: Run, known: KnownItem): Promise<Found> {
  const { id, place, version } = known
  const told = { id, ...(place !== undefined && { place }) }
  const found = await findItem(run, told, { ...known, nextTryAt: undefined })
  return { ...found, item: { ...found.item, version: version ?? found.item.version } }
}

import { addMillis, epochNow, type Millis, toEpochMs } from '../../src/contract/epoch-ms.ts'
import { Fault } from '../../src/contract/faults.ts'
import { UNSAID_WAIT_MS } from '../providers/http/create-paced-fetch.ts'
import { ProviderFailure } from '../providers/port/provider-failure.ts'
import type { RunEnd } from '../storage/port/queue-storage.ts'
import { chooseReaction } from './choose-reaction.ts'
import { LeaseLost, ServerStopped } from './connection-lease.ts'
import { describeFailure } from './describe-failure.ts'
import { LISTINGS_APART_MS } from './progress.ts'
import { type Run, toLogFields } from './run.ts'
import { scheduleRun, scheduleRunRetry } from './schedule-run.ts'
import { describeUnsynced, findUnsyncedSelection, NothingToSync } from './unsynced-selection.ts'

/** Builds the end of a run that did all there was to do, with the time of the next one. */
export async function toCompleteEnd(run: Run): Promise<RunEnd> {
  const { storage, settings, world } = run.parts
  const { connectionId } = run.lease.hold
  const [nextTry, unsynced] = [await storage.nextTry(connectionId), await findUnsyncedSelection(run)]
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

/** Builds the end of a run that an error stopped; undefined if the lease is lost, so that nothing may be written. */
export function toFailedEnd(run: Run, thrown: unknown): RunEnd | undefined {
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
    run.parts.world.log.error({ ...toLogFields(run), err: reason }, 'a sync failed by something of ours')
    return buildFailedEnd(run, { isPassing: true, error: describeOwnFailure(reason), waitMs: undefined })
  }
  const reaction = chooseReaction(reason.kind, 'listing')
  if (reaction === 'park')
    return { ...end, outcome: 'parked', nextRunAt: addMillis(now, reason.retryAfterMs ?? UNSAID_WAIT_MS) }
  const error = describeFailure(reason, { service: run.source.provider.facts.service, connection })
  return buildFailedEnd(run, { isPassing: reaction === 'fail_soon', error, waitMs: reason.retryAfterMs })
}

/** `isPassing`: the cause may pass, so the next run comes sooner. */
type FailedRun = { isPassing: boolean; error: string; waitMs: Millis | undefined }

function buildFailedEnd({ parts, claim }: Run, { isPassing, error, waitMs }: FailedRun): RunEnd {
  const { settings, world } = parts
  const now = epochNow(world.clock)
  const failures = claim.failures + 1
  const regular = scheduleRun(now, claim.hold.connectionId, settings.intervalMs)
  const nextRunAt = isPassing ? scheduleRunRetry(regular, { now, failures, waitMs }, settings) : regular
  return { now, outcome: 'failed', error, nextRunAt, complete: false, failures }
}

/** Describes an error of the server itself. A damaged database needs a person, so its error and hint are shown. */
function describeOwnFailure(reason: unknown): string {
  if (!(reason instanceof Fault)) return OUR_FAILURE
  if (reason.code === 'damaged_storage') return [reason.message, reason.hint].filter(Boolean).join('; ')
  return reason.code === 'unavailable' ? SERVER_AWAY : OUR_FAILURE
}

const OUR_FAILURE = 'the server failed at something that has nothing to do with the account: its log says more'
const SERVER_AWAY = 'the server has too much to do, or its storage was away: it is tried again soon'

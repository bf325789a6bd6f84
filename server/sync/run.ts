import { unlessAborted } from '../../src/contract/unless-aborted.ts'
import type { SyncCall } from '../providers/port/provider.ts'
import { ProviderFailure } from '../providers/port/provider-failure.ts'
import { toProviderReader } from '../providers/port/to-provider-reader.ts'
import { damagedValueError } from '../storage/database/stored-values.ts'

import type { PlaceNames } from '../storage/port/connector-storage.ts'
import type { Claim, PageCounts } from '../storage/port/sync-storage.ts'

import type { ConnectionLease } from './connection-lease.ts'
import type { SerialQueue } from './serial-queue.ts'
import type { SyncParts, SyncSource } from './sync-parts.ts'
import { NO_PROGRESS, newPass, readProgress, type SyncProgress } from './sync-progress.ts'

/**
 * All runs of the server share `memoryQueue` and `suspectQueue`, so that memories are made, and suspect items read, one
 * at a time.
 */
export type RunParts = SyncParts & { memoryQueue: SerialQueue; suspectQueue: SerialQueue }

/** One sync of a connection while it is running. */
export type Run = {
  parts: RunParts
  claim: Claim
  source: SyncSource
  selection: readonly string[]
  /** The names of selected folders or channels, as of the last written page. */
  placeNames: PlaceNames
  lease: ConnectionLease
  /** The progress as of the last written page. */
  progress: SyncProgress
  /** The highest pass number so far. */
  lastPass: number
  /** The ids of items that are not read any more, because reading them ended the server twice. */
  setAside: Set<string>
  counts: Omit<PageCounts, 'reasons'> & { deleted: number; memories: number }
}

/** Opens the run of a claimed connection. */
export function openRun(parts: RunParts, claim: Claim, lease: Run['lease']): Run {
  const { connection, progress, lastPass } = claim
  const startedAt = parts.world.clock.now()
  const source = parts.sources.get(connection.provider)
  if (source === undefined) throw new Error(`claimed a connection of ${connection.provider}, which is not enabled`)
  const { selection } = source.provider.facts
  const counts = { seen: 0, created: 0, updated: 0, unchanged: 0, failed: 0, skipped: 0, deleted: 0, memories: 0 }
  return {
    parts,
    claim,
    source,
    selection: (selection === undefined ? undefined : connection.config[selection]) ?? [],
    placeNames: connection.placeNames ?? {},
    lease,
    progress: progress === undefined ? NO_PROGRESS : (readProgress(progress) ?? restartProgress(lastPass, startedAt)),
    lastPass: lastPass + 1,
    setAside: new Set(),
    counts
  }
}

/**
 * Returns the progress of a run that lists everything, because a different version of the server wrote the stored
 * progress.
 */
function restartProgress(lastPass: number, beganAt: number): SyncProgress {
  return { ...NO_PROGRESS, pass: newPass({ number: lastPass + 1, beganAt, full: true, braked: true }) }
}

/** Returns the fields common to all log lines of a run. */
export function toLogFields({ claim }: Run) {
  const { connectionId, runId } = claim.hold
  return { connectionId, runId, provider: claim.connection.provider }
}

/**
 * Calls a provider for a run, within a time limit.
 *
 * @throws ProviderFailure `transient` if the call takes longer; any error of the call; the reason of the lease's
 * signal.
 */
export async function callProvider<T>(run: Run, waitMs: number, work: (call: SyncCall) => Promise<T>): Promise<T> {
  const { lease, parts } = run
  lease.signal.throwIfAborted()
  const { clock } = parts.world
  const either = new AbortController()
  const ended = new AbortController()
  const leave = () => either.abort(lease.signal.reason)
  lease.signal.addEventListener('abort', leave)
  clock.wait(waitMs, ended.signal).then(
    () => either.abort(new ProviderFailure('transient', `it took longer than ${Math.round(waitMs / 60_000)} minutes`)),
    () => undefined
  )
  try {
    return await unlessAborted(work(toSyncCall(run, either.signal)), either.signal)
  } finally {
    lease.signal.removeEventListener('abort', leave)
    ended.abort(ENDED)
  }
}

/** A custom abort reason costs less than the default, which is an error with a stack. */
const ENDED = 'ended'

function toSyncCall({ parts, claim, source }: Run, signal: AbortSignal): SyncCall {
  const { storage, documents, world, settings } = parts
  const { id, credentialId } = claim.connection
  if (credentialId === undefined) throw damagedValueError(`connection ${id} is active but has no credential`)
  return {
    fetch: parts.authorizedFetch(credentialId),
    apiUrl: source.apiUrl,
    clock: world.clock,
    log: world.log,
    signal,
    reads: settings.reads,
    documents: toProviderReader(documents.of(id)),
    ledger: {
      get: (key) => storage.findLedgerValue(id, key),
      entries: (prefix) => storage.listLedgerEntries(id, prefix)
    }
  }
}

import { unlessAborted } from '../providers/http/unless-aborted.ts'
import type { SyncCall } from '../providers/port/provider.ts'
import { ProviderFailure } from '../providers/port/provider-failure.ts'
import { damagedValue } from '../storage/database/tables.ts'
import type { PageChange, PageOutcome } from '../storage/port/page-storage.ts'
import type { Claim } from '../storage/port/queue-storage.ts'
import type { PageCounts } from '../storage/port/run-storage.ts'
import type { HeldConnection } from './connection-lease.ts'
import type { Progress } from './progress.ts'
import type { Turns } from './serial-queue.ts'
import type { SyncParts, SyncSource } from './sync-parts.ts'

/** Whose turn it is, of all runs of the server: `turns` to have memories made, `suspectTurns` to read what may end the server. */
export type RunParts = SyncParts & { turns: Turns; suspectTurns: Turns }

/** One sync of a connection while it is under way. */
export type Run = {
  parts: RunParts
  claim: Claim
  source: SyncSource
  selection: readonly string[]
  held: HeldConnection
  /** As the last page that was written left it. */
  progress: Progress
  /** The highest number of a pass so far. */
  lastPass: number
  /** Ids of items that are not read any more: they ended the server twice. */
  setAside: Set<string>
  counts: Omit<PageCounts, 'reasons'> & { deleted: number; memories: number }
}

/**
 * Has a provider do something for a run, within a time of its own.
 *
 * @throws ProviderFailure `transient` where it takes longer; whatever the work rejects with; the reason of the run's signal.
 */
export async function asked<T>(run: Run, waitMs: number, work: (call: SyncCall) => Promise<T>): Promise<T> {
  const { held, parts } = run
  held.signal.throwIfAborted()
  const { clock } = parts.world
  const either = new AbortController()
  const ended = new AbortController()
  const leave = () => either.abort(held.signal.reason)
  held.signal.addEventListener('abort', leave)
  clock.wait(waitMs, ended.signal).then(
    () => either.abort(new ProviderFailure('transient', `it took longer than ${Math.round(waitMs / 60_000)} minutes`)),
    () => undefined
  )
  try {
    return await unlessAborted(work(callOf(run, either.signal)), either.signal)
  } finally {
    held.signal.removeEventListener('abort', leave)
    ended.abort(ENDED)
  }
}

/** A reason of its own costs less than the error that would be made otherwise. */
const ENDED = 'ended'

function callOf({ parts, claim, source }: Run, signal: AbortSignal): SyncCall {
  const { storage, documents, world } = parts
  const { id, credentialId } = claim.connection
  if (credentialId === undefined) throw damagedValue(`connection ${id} is active, yet has no credential`)
  return {
    fetch: parts.authorizedFetch(credentialId),
    apiUrl: source.apiUrl,
    clock: world.clock,
    log: world.log,
    signal,
    documents: documents.of(id),
    ledger: {
      get: (key) => storage.ledgerValue(id, key),
      entries: (prefix) => storage.ledgerEntries(id, prefix)
    }
  }
}

/**
 * Writes what a page tells.
 *
 * @throws HoldLost
 */
export async function commit(
  { parts, held }: Run,
  page: Omit<PageChange, 'now' | 'until'>
): Promise<Exclude<PageOutcome, { outcome: 'lost' }>> {
  held.signal.throwIfAborted()
  const outcome = await parts.storage.commitPage(held.hold, { ...page, ...held.times() })
  if (outcome.outcome === 'lost') throw held.lose()
  return outcome
}

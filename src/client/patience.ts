import type { EndpointName } from '../contract/endpoints/endpoints.ts'
import { Fault } from '../contract/faults.ts'
import type { Clock } from '../ports.ts'
import type { AnyInput } from './client.ts'

/** How long a call may wait when the service asks it to retry later. */
export type Patience = {
  clock: Pick<Clock, 'ticks' | 'wait'>
  /** Limit for all waits of one call together, in milliseconds. */
  totalMs: number
  /** Called before every wait. */
  onWait(fault: Fault, waitMs: number): Promise<void>
  signal?: AbortSignal | undefined
}

/**
 * Makes a call, and repeats it after the time that the service names (429 and 503 with `Retry-After`) until `totalMs`
 * is used up. Repeats only idempotent calls whose body can be sent twice.
 */
export async function withPatience<Value>(
  { clock, totalMs, onWait, signal }: Patience,
  called: { name: EndpointName; input: AnyInput },
  call: () => Promise<Value>
): Promise<Value> {
  const start = clock.ticks()
  for (;;) {
    try {
      return await call()
    } catch (error) {
      const waitMs = findWait(error)
      if (waitMs === undefined || !isRepeatable(called) || clock.ticks() - start + waitMs > totalMs) throw error
      await onWait(error as Fault, waitMs)
      await clock.wait(waitMs, signal)
    }
  }
}

const SECOND_MS = 1000

function findWait(error: unknown): number | undefined {
  if (!(error instanceof Fault) || error.retryAfter === undefined) return undefined
  if (error.code !== 'rate_limited' && error.code !== 'unavailable') return undefined
  return Math.max(1, error.retryAfter) * SECOND_MS
}

/**
 * Endpoints that may be repeated: those that change nothing, and those that a second call leaves unchanged. A memory's
 * id derives from its content, a line of a snapshot counts once, a revoked connection stays revoked, and a requested
 * sync is already due. Creation is excluded, and so is deletion, which reports `not_found` the second time. A selection
 * is excluded because another client may have changed it in between.
 */
const REPEATABLE: ReadonlySet<EndpointName> = new Set([
  ...(['listCollections', 'getCollection', 'restoreRecords', 'readChanges', 'listKeys'] as const),
  ...(['storeMemory', 'searchMemories', 'exportSnapshot'] as const),
  ...(['listProviders', 'getAttempt', 'listConnections', 'getConnection'] as const),
  ...(['listFolders', 'listChannels', 'disconnect'] as const),
  ...(['syncConnection', 'listRuns', 'getRun', 'listItems', 'retryItem'] as const),
  ...(['getSchedule', 'pauseConnection', 'resumeConnection'] as const),
  ...(['getHealth', 'getReadiness', 'getMetrics', 'getOpenApi', 'getDocs'] as const)
])

/** A stream has been consumed when its request is refused. */
function isRepeatable({ name, input }: { name: EndpointName; input: AnyInput }): boolean {
  return REPEATABLE.has(name) && (input.lines === undefined || input.lines instanceof Uint8Array)
}

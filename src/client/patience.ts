import type { EndpointName } from '../contract/endpoints/endpoints.ts'
import { Fault } from '../contract/faults.ts'
import type { Clock } from '../ports.ts'
import type { AnyInput } from './client.ts'

/** Who waits when the service says that it has no time, and how long. */
export type Patience = {
  clock: Pick<Clock, 'ticks' | 'wait'>
  /** All waits of one call together, in milliseconds. */
  totalMs: number
  /** Told of every wait before it begins. */
  onWait(fault: Fault, waitMs: number): Promise<void>
  signal?: AbortSignal | undefined
}

/**
 * The answer of a call, asked for again after the time that the service names (429 and 503 with `Retry-After`), as long
 * as patience lasts. Only for what does no harm when it is done twice, and whose body can be sent twice.
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
 * Endpoints that may be asked again: those that change nothing, those whose second time finds the work done (a memory has
 * its id from its content, a line of a snapshot counts once, a connection that has ended stays so, one that was asked to
 * sync is at it). Making things is not among them, and a deletion that was done is not found again; nor is a choice of what
 * is synced, which somebody else may have made meanwhile.
 */
const REPEATABLE: ReadonlySet<EndpointName> = new Set([
  ...(['listCollections', 'getCollection', 'restoreRecords', 'listKeys'] as const),
  ...(['storeMemory', 'searchMemories', 'exportSnapshot'] as const),
  ...(['listProviders', 'getAttempt', 'listConnections', 'getConnection'] as const),
  ...(['listFolders', 'listChannels', 'disconnect'] as const),
  ...(['syncConnection', 'listRuns', 'getRun', 'listItems', 'retryItem'] as const),
  ...(['getSchedule', 'pauseConnection', 'resumeConnection'] as const),
  ...(['getHealth', 'getReadiness', 'getMetrics', 'getOpenApi', 'getDocs'] as const)
])

/** A stream has been read by the time that its request is refused. */
function isRepeatable({ name, input }: { name: EndpointName; input: AnyInput }): boolean {
  return REPEATABLE.has(name) && (input.lines === undefined || input.lines instanceof Uint8Array)
}

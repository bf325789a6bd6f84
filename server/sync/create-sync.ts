import { addMillis, epochNow } from '../../src/contract/epoch-ms.ts'
import type { DocumentsState } from '../../src/documents/port/document-reader.ts'
import type { Claim } from '../storage/port/sync-storage.ts'
import type { RunParts } from './run.ts'
import { type RunResult, runConnection } from './run-connection.ts'
import { createSerialQueue } from './serial-queue.ts'
import type { SyncParts } from './sync-parts.ts'

/**
 * The longest wait between two checks for due connections. Another node can make one due without notifying this one.
 */
const LOOK_MS_MAX = 5000
/** The shortest wait between two checks if a due connection could not be claimed. */
const PAUSE_MS = 1000

/** Syncs due connections until it is stopped. */
export type Sync = {
  /** Checks for due connections now instead of at the next regular check. */
  wake(): void
  /** Returns the numbers for the metrics. */
  state(): SyncState
  /** Stops starting new runs. Running ones end at their next page, and other nodes can then claim their connections. */
  stop(): Promise<void>
}

/** `running` is the number of current runs of this server. The other values are totals since its start. */
export type SyncState = {
  running: number
  runs: Readonly<Record<string, number>>
  items: number
  memories: number
  documents: DocumentsState
}

/** Starts to sync due connections, several at a time. */
export function createSync(syncParts: SyncParts): Sync {
  const parts: RunParts = { ...syncParts, memoryQueue: createSerialQueue(), suspectQueue: createSerialQueue() }
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const state = { items: 0, memories: 0, runs: new Map<string, number>() }
  let awake = new AbortController()
  const wake = () => awake.abort()
  const look = createLook(parts, begin)
  const ended = keepLooking()

  return {
    wake,
    state: (): SyncState => ({
      ...state,
      running: running.size,
      runs: Object.fromEntries(state.runs),
      documents: parts.documents.state()
    }),
    async stop() {
      stopping.abort()
      wake()
      await ended
      await Promise.all(running)
    }
  }

  async function keepLooking(): Promise<void> {
    while (!stopping.signal.aborted) {
      // Created before the check, so that a wake-up during the check is not lost.
      awake = new AbortController()
      const waitMs = await look(parts.settings.workers - running.size)
      if (!stopping.signal.aborted) await parts.world.clock.wait(waitMs, awake.signal).catch(() => undefined)
    }
  }

  function begin(claim: Claim): void {
    const run = runConnection(parts, claim, stopping.signal)
      .then(note, (error: unknown) => parts.world.log.error({ ...claim.hold, err: error }, 'could not start a sync'))
      .finally(() => {
        running.delete(run)
        wake()
      })
    running.add(run)
  }

  function note({ outcome, created, updated, memories }: RunResult): void {
    state.items += created + updated
    state.memories += memories
    state.runs.set(outcome, (state.runs.get(outcome) ?? 0) + 1)
  }
}

/**
 * Creates a function that claims as many due connections as there are free workers and returns the wait until the next
 * check.
 */
function createLook(parts: RunParts, begin: (claim: Claim) => void): (room: number) => Promise<number> {
  const { storage, sources, settings, world } = parts
  const owner = world.ids.randomHex(16)
  const providers = [...sources.keys()]
  return async (room) => {
    // The end of each run wakes the loop.
    if (room <= 0) return LOOK_MS_MAX
    try {
      const now = epochNow(world.clock)
      const runIds = Array.from({ length: room }, () => parts.newId())
      const claims = await storage.claimDue({
        owner,
        now,
        until: addMillis(now, settings.leaseMs),
        limit: room,
        providers,
        runIds
      })
      for (const claim of claims) begin(claim)
      if (claims.length === room) return LOOK_MS_MAX
      const due = await storage.findNextDue(providers)
      const waitMs = (due ?? Number.POSITIVE_INFINITY) - world.clock.now()
      return Math.min(Math.max(waitMs, PAUSE_MS), LOOK_MS_MAX)
    } catch (error) {
      world.log.error({ err: error }, 'could not check for due syncs')
      return LOOK_MS_MAX
    }
  }
}

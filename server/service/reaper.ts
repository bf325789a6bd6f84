import { epochNow } from '../../src/contract/epoch-ms.ts'
import { Fault } from '../../src/contract/faults.ts'
import type { Clock, Ids, Log } from '../../src/ports.ts'
import type { CollectionEngine } from '../recall/engine/engine.ts'
import type { Storage } from '../storage/port/storage.ts'

export type ReaperParts = {
  storage: Pick<Storage, 'listExpiredCollections' | 'deleteCollection'>
  engine: Pick<CollectionEngine, 'dropCollection'>
  /** Also runs each time. */
  sweep(signal: AbortSignal): Promise<void>
  world: { clock: Clock; ids: Ids; log: Log }
}

/** Runs periodically, until it is stopped. */
export type Reaper = {
  /** Runs now instead of at the next regular time. */
  wake(): void
  stop(): Promise<void>
}

/**
 * Deletes expired collections, about once a minute and when it is woken; until then access to them is denied. Several servers over one
 * storage each do so, at different moments.
 */
export function startReaper(parts: ReaperParts): Reaper {
  const stopping = new AbortController()
  let awake = new AbortController()
  const ended = run(parts, stopping.signal, () => {
    awake = new AbortController()
    return AbortSignal.any([stopping.signal, awake.signal])
  })
  return {
    wake: () => awake.abort(),
    async stop() {
      stopping.abort()
      await ended
    }
  }
}

const PERIOD_MS = 60_000
const AT_ONCE_MAX = 100

/** `rest` returns the signal that ends the next wait. It is called before the work, so that a wake during it is not lost. */
async function run(parts: ReaperParts, signal: AbortSignal, rest: () => AbortSignal): Promise<void> {
  const { clock, ids } = parts.world
  while (!signal.aborted) {
    const awake = rest()
    await logIfAway(parts, 'could not delete expired collections', () => reap(parts, signal))
    if (!signal.aborted)
      await logIfAway(parts, 'could not clean up after connectors', () => sweepUntilStopped(parts, signal))
    await clock.wait(addJitter(PERIOD_MS, ids), awake).catch(() => undefined)
  }
}

/** Returns a wait of 75 to 125 % of `ms`, so that servers over one storage do not work at the same moments. */
export function addJitter(ms: number, ids: Ids): number {
  const chance = Number.parseInt(ids.randomHex(2), 16) / 0xffff
  return ms * (0.75 + chance / 2)
}

/** Deletes all collections that are expired now. */
async function reap({ storage, engine, world }: ReaperParts, signal: AbortSignal): Promise<void> {
  for (let more = true; more && !signal.aborted; ) {
    const ids = await storage.listExpiredCollections(epochNow(world.clock), AT_ONCE_MAX)
    for (const id of ids) {
      if (signal.aborted) return
      if (await storage.deleteCollection(id)) world.log.info({ collectionId: id }, 'deleted an expired collection')
      await engine.dropCollection(id)
    }
    more = ids.length === AT_ONCE_MAX
  }
}

async function sweepUntilStopped({ sweep }: ReaperParts, signal: AbortSignal): Promise<void> {
  try {
    await sweep(signal)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** Logs the error of an unavailable storage. The next run tries again. */
async function logIfAway({ world }: ReaperParts, failed: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    world.log.error({ fault: error.code, reason: error.message }, failed)
  }
}

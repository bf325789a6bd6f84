import { epochNow } from '../../src/contract/epoch-ms.ts'
import { Fault } from '../../src/contract/faults.ts'
import type { Clock, Ids, Log } from '../../src/ports.ts'
import type { CollectionEngine } from '../recall/engine/engine.ts'
import type { Storage } from '../storage/port/storage.ts'

export type ReaperParts = {
  storage: Pick<Storage, 'expiredCollections' | 'deleteCollection'>
  engine: Pick<CollectionEngine, 'dropCollection'>
  /** What else is done each time, after it. */
  sweep(signal: AbortSignal): Promise<void>
  world: { clock: Clock; ids: Ids; log: Log }
}

/** What is done from time to time until it is stopped. */
export type Reaper = {
  /** Something is to be done now. */
  wake(): void
  stop(): Promise<void>
}

/**
 * Deletes collections whose time is over, about once a minute and when it is woken; until then nobody is let into them. Several
 * servers over one storage each do so, at moments of their own.
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

/** `rest`: what ends the wait that comes next. Asked before the work, so that who wakes it meanwhile is heard. */
async function run(parts: ReaperParts, signal: AbortSignal, rest: () => AbortSignal): Promise<void> {
  const { clock, ids } = parts.world
  while (!signal.aborted) {
    const awake = rest()
    await unlessAway(parts, 'collections whose time is over could not be deleted', () => reap(parts, signal))
    if (!signal.aborted)
      await unlessAway(parts, 'what connectors left could not be cleared away', () => swept(parts, signal))
    await clock.wait(addJitter(PERIOD_MS, ids), awake).catch(() => undefined)
  }
}

/** Returns a wait of 75 to 125 % of `ms`, so that servers over one storage do not work at the same moments. */
export function addJitter(ms: number, ids: Ids): number {
  const chance = Number.parseInt(ids.randomHex(2), 16) / 0xffff
  return ms * (0.75 + chance / 2)
}

/** All that are over now. */
async function reap({ storage, engine, world }: ReaperParts, signal: AbortSignal): Promise<void> {
  for (let more = true; more && !signal.aborted; ) {
    const ids = await storage.expiredCollections(epochNow(world.clock), AT_ONCE_MAX)
    for (const id of ids) {
      if (signal.aborted) return
      if (await storage.deleteCollection(id))
        world.log.info({ collectionId: id }, 'deleted a collection: its time is over')
      await engine.dropCollection(id)
    }
    more = ids.length === AT_ONCE_MAX
  }
}

async function swept({ sweep }: ReaperParts, signal: AbortSignal): Promise<void> {
  try {
    await sweep(signal)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** A storage that is away is asked again next time. */
async function unlessAway({ world }: ReaperParts, failed: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    world.log.error({ fault: error.code, reason: error.message }, failed)
  }
}

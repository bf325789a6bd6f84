import type { Storage } from '../../server/storage/port/storage.ts'
import { STORAGE_METHODS, type StorageMethod } from '../../server/storage/port/storage.ts'
import { wrapStorage } from '../../server/storage/wrap-storage.ts'
import { Fault } from '../../src/contract/faults.ts'
import type { ArmedFaults } from './faults.ts'
import type { Life, Scheduler } from './scheduler.ts'

/** Observes the storage. `before` sees the arguments, whose memory the call may transfer. */
export type Watch = {
  before(call: WatchedCall): void
  after(call: WatchedCall, result: unknown): Promise<void>
  failed(call: WatchedCall, error: unknown): void
}

export type WatchedCall = { life: Life; method: StorageMethod; given: readonly unknown[] }

export type StorageLineParts = {
  scheduler: Scheduler
  faults: ArmedFaults
  storage: Storage
  watch: Watch
  /** Ends the node of a life. */
  crash(life: Life): void
}

/** Duration of a slow call in milliseconds: shorter than any lease. */
const SLOW_MS = 15_000

/**
 * Creates the storage as one node accesses it. Each call takes time, may fail, and has no effect once its node has
 * crashed. A node may crash before a call has an effect, or between the effect and the reply.
 */
export function createStorageLine(parts: StorageLineParts, life: Life): Storage {
  const { scheduler, faults, storage } = parts
  return wrapStorage(storage, async (call, method, given) => {
    const name = `${life.name} ${method}`
    const effect = faults.takeStorage(life.name, method)
    if (effect !== undefined) scheduler.note(`${effect}: ${name}`)
    await scheduler.hop(`${name} >`, life, 4)
    if (effect === 'slow') await scheduler.pause(`${name} slow`, SLOW_MS, life)
    if (effect === 'refused') throw refusal()
    if (effect === 'crash_before') parts.crash(life)
    if (!life.isAlive) return await never()
    const watched = { life, method, given }
    const result = await watchCall(parts.watch, watched, call)
    if (effect === 'crash_after') parts.crash(life)
    await scheduler.hop(`${name} <`, life, 2)
    return effect === 'lost_answer' ? await repeatLost(parts.watch, watched, call) : result
  })
}

async function watchCall<T>(watch: Watch, made: WatchedCall, call: () => Promise<T>): Promise<T> {
  watch.before(made)
  let result: T
  try {
    result = await call()
  } catch (error) {
    watch.failed(made, error)
    throw error
  }
  await watch.after(made, result)
  return result
}

/** A repetition needs the memory that the first call transferred. */
const TAKES_MEMORY: ReadonlySet<StorageMethod> = new Set(['append', 'commitPage'])

/** Behaves like the storage when a connection breaks before the reply: repeats the calls that can be repeated. */
async function repeatLost<T>(watch: Watch, made: WatchedCall, call: () => Promise<T>): Promise<T> {
  if (STORAGE_METHODS[made.method].isOnce === true || TAKES_MEMORY.has(made.method)) throw refusal()
  return await watchCall(watch, made, call)
}

function refusal(): Fault {
  return new Fault('unavailable', 'the storage is unavailable: it is away, as the simulation wants it')
}

function never(): Promise<never> {
  return new Promise(() => undefined)
}

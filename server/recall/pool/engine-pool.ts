import { Fault } from '../../../src/contract/faults.ts'
import type { Thread } from '../../../src/ports.ts'
import type { CallName, EngineCalls } from '../engine/engine-calls.ts'
import { createEngineSlot, type EngineSlot } from './engine-slot.ts'
import { createJobQueue, type Job, type QueueLimits, type Work } from './job-queue.ts'

/** Threads that share the work. The first one starts with the first call, others when calls wait. */
export type EnginePool = {
  /**
   * Runs a job. Rejects with `unavailable` if too many jobs wait, and with `cancelled` if it is cancelled while it
   * waits.
   */
  run<Name extends CallName>(job: Job<Name>): Promise<EngineCalls[Name]['answer']>
  /** Returns the threads that have started. */
  slots(): readonly EngineSlot[]
  /** Starts one more thread, unless the limit is reached. */
  grow(): void
  /** Returns the number of calls that wait for a thread. */
  waiting(): number
  /** Returns the load of a thread: its current and waiting calls, where a long one counts as many. */
  load(slot: EngineSlot): number
  close(): Promise<void>
}

type PoolLimits = QueueLimits & { threads: number }

/** `long` are the threads with long work. */
type State = { slots: EngineSlot[]; starting: Set<EngineSlot>; long: Set<EngineSlot>; isClosed: boolean }

/** Creates a pool of at most `threads` threads, each created by `startThread`. */
export function createEnginePool(startThread: () => Thread, limits: PoolLimits): EnginePool {
  const state: State = { slots: [], starting: new Set(), long: new Set(), isClosed: false }
  const queue = createJobQueue(limits)

  const dispatch = (): void => {
    for (const slot of state.slots.toReversed()) {
      if (!slot.isBusy) queue.take((job) => isFor(slot, job, { ...state, threads: limits.threads }))?.(slot)
    }
    if (queue.has(({ slot }) => slot === undefined)) grow()
  }

  /**
   * Starts a thread. It takes its first call once it has started; until then other threads may serve the waiting calls.
   */
  const grow = (): void => {
    if (state.starting.size > 0 || state.slots.length >= limits.threads || state.isClosed) return
    const slot = createEngineSlot(startThread())
    state.starting.add(slot)
    slot.call('start', { argument: undefined }).then(
      () => {
        state.starting.delete(slot)
        state.slots.push(slot)
        dispatch()
      },
      (error: unknown) => {
        state.starting.delete(slot)
        queue.rejectAll(error)
      }
    )
  }

  const work: Work = async (job, slot) => {
    if (job.isLong) state.long.add(slot)
    try {
      return await slot.call(job.name, job.send())
    } finally {
      state.long.delete(slot)
      queueMicrotask(dispatch)
    }
  }

  return {
    async run(job) {
      if (state.isClosed) throw stopping()
      queueMicrotask(dispatch)
      return queue.wait(job, work)
    },
    slots: () => state.slots,
    grow,
    waiting: () => queue.waiting(),
    load: (slot) => queue.waiting(slot) + (slot.isBusy ? 1 : 0) + (state.long.has(slot) ? LONG_LOAD : 0),
    async close() {
      state.isClosed = true
      queue.rejectAll(stopping())
      await Promise.all([...state.slots, ...state.starting].map((slot) => slot.end()))
    }
  }
}

/** The number of calls that long work counts as. */
export const LONG_LOAD = 1000

/**
 * Reports whether an idle thread may do a job now. The first thread is kept free of long work if there are others.
 * Storing prefers a thread that has loaded the language data, unless it is busy for seconds.
 */
function isFor(slot: EngineSlot, job: Job<CallName>, { slots, long, threads }: State & { threads: number }): boolean {
  if (job.slot !== undefined) return job.slot === slot
  if (job.isLong) return threads === 1 || slot !== slots[0]
  if (job.name !== 'remember' || slot.hasBegun('remember')) return true
  return !slots.some((other) => other.hasBegun('remember') && !long.has(other))
}

function stopping(): Fault {
  return new Fault('unavailable', 'the server is stopping', { hint: 'try again later', retryAfter: 1 })
}

import { Fault } from '../../../src/contract/faults.ts'
import type { CallName, EngineCalls } from '../engine/engine-calls.ts'
import type { EngineSlot, Sent } from './engine-slot.ts'

/** Work for an engine thread. */
export type Job<Name extends CallName> = {
  name: Name
  /** Called when a thread is free. Until then the job may grow. */
  send: () => Sent<Name>
  /** The only thread that may do the job. */
  slot?: EngineSlot | undefined
  /** The job may take seconds. One thread is kept free of such jobs. */
  isLong?: boolean
  /** Bytes of memory that it needs while it waits. */
  bytes?: number
  signal?: AbortSignal | undefined
}

/** Limits on waiting calls and on the memory that they need. */
export type QueueLimits = { waitingMax: number; waitingBytesMax: number }

/** Waiting jobs, in order of arrival. */
export type JobQueue = {
  /** Returns the number of waiting jobs, or of those that only this thread may do. */
  waiting(slot?: EngineSlot): number
  /**
   * Waits for a thread and resolves with the result of `work`.
   *
   * @throws Fault `unavailable` if too many jobs wait; `cancelled` if it is cancelled while it waits.
   */
  wait<Name extends CallName>(job: Job<Name>, work: Work): Promise<EngineCalls[Name]['answer']>
  /** Removes the first matching job and returns a function that begins it in a thread. */
  take(fits: (job: Job<CallName>) => boolean): ((slot: EngineSlot) => void) | undefined
  has(fits: (job: Job<CallName>) => boolean): boolean
  rejectAll(reason: unknown): void
}

/** Does a job in a thread. */
export type Work = <Name extends CallName>(job: Job<Name>, slot: EngineSlot) => Promise<EngineCalls[Name]['answer']>

type Waiting = { job: Job<CallName>; begin: (slot: EngineSlot) => void; reject: (reason: unknown) => void }

/** Creates an empty queue. */
export function createJobQueue(limits: QueueLimits): JobQueue {
  const queue: Waiting[] = []
  const remove = (waiting: Waiting): void => {
    const place = queue.indexOf(waiting)
    if (place >= 0) queue.splice(place, 1)
  }
  return {
    waiting: (slot) => (slot === undefined ? queue.length : queue.filter(({ job }) => job.slot === slot).length),
    wait: (job, work) =>
      new Promise((resolve, reject) => {
        const { signal } = job
        refuseTooMany(queue, job, limits)
        if (signal?.aborted) throw makeCancelledFault()
        const stop = (): void => {
          remove(waiting)
          reject(makeCancelledFault())
        }
        const waiting: Waiting = {
          job: job as unknown as Job<CallName>,
          reject,
          begin(slot) {
            signal?.removeEventListener('abort', stop)
            work(job, slot).then(resolve, reject)
          }
        }
        signal?.addEventListener('abort', stop, { once: true })
        queue.push(waiting)
      }),
    take(fits) {
      const waiting = queue.find(({ job }) => fits(job))
      if (waiting === undefined) return undefined
      remove(waiting)
      return waiting.begin
    },
    has: (fits) => queue.some(({ job }) => fits(job)),
    rejectAll(reason) {
      for (const { reject } of queue.splice(0)) reject(reason)
    }
  }
}

function refuseTooMany(queue: readonly Waiting[], { bytes = 0 }: { bytes?: number }, limits: QueueLimits): void {
  const waitingBytes = queue.reduce((sum, { job }) => sum + (job.bytes ?? 0), bytes)
  // A single body may always wait. Its size is limited where it is read.
  if (queue.length < limits.waitingMax && (queue.length === 0 || waitingBytes <= limits.waitingBytesMax)) return
  throw new Fault('unavailable', 'the server is overloaded', { hint: 'try again later', retryAfter: 1 })
}

function makeCancelledFault(): Fault {
  return new Fault('cancelled', 'the client disconnected')
}

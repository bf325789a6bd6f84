import type { Clock } from '../../src/ports.ts'
import { createKeyedChance, hashText, type KeyedChance } from './keyed-chance.ts'

/**
 * The only source of time and order in a simulation. Every call through a port becomes an event. An event is released at
 * its time; the next one is released when all work that it caused is idle.
 */
export type Scheduler = {
  /** Milliseconds since the simulation began. */
  now(): number
  chance: KeyedChance
  /** Resolves after `ms` milliseconds; never if the life ends earlier. */
  pause(name: string, ms: number, life?: Life): Promise<void>
  /** Resolves after a delay that the seed chooses, mostly of a few milliseconds. */
  hop(name: string, life?: Life, msMax?: number): Promise<void>
  /** Calls a function after `ms` milliseconds. Returns a function that cancels it. */
  after(event: Timed, act: () => void): () => void
  /**
   * Releases no event until this has settled, such as work of a database outside of this thread. Returns its result.
   */
  attend<T>(work: Promise<T>): Promise<T>
  /** Advances the time without releasing events. Events due by then are released late, as after a machine slept. */
  leap(ms: number): void
  /** Releases events until `isOver`, until the given time has passed without leaps, or until no event is left. */
  run(isOver: () => boolean, msMax: number): Promise<void>
  /** Adds a line to the trace. */
  note(text: string): void
  /** Returns a hash of all lines of the trace, in order. */
  hash(): string
  /** Returns the last lines of the trace. */
  tail(): readonly string[]
  events(): number
  /** Drops the events that were not released. */
  close(): void
}

/** Adds an event after a number of milliseconds. The event of a life that has ended is dropped instead of released. */
export type Timed = { name: string; ms: number; life?: Life | undefined; onDrop?: () => void }

/** The part of a node that ends with a crash: the events of a dead life are never released. */
export type Life = { isAlive: boolean; name: string }

type Event = Omit<Timed, 'ms'> & { at: number; rank: number; number: number; act: () => void }

const TAIL_LINES = 400

/** A simulation that releases more events than this is considered endless. */
const EVENTS_MAX = 100_000

export function createScheduler(seed: number): Scheduler {
  const chance = createKeyedChance(seed)
  const heap = createHeap()
  const trace = createTrace()
  const { attend, rest } = createRest()
  let [now, leapt, numbers, released] = [0, 0, 0, 0]
  const note = (text: string): void => trace.add(`${now} ${text}`)

  const after: Scheduler['after'] = ({ ms, ...timed }, act) => {
    const rank = chance.next('rank').number(1 << 30)
    const event: Event = { ...timed, at: now + Math.max(0, ms), rank, number: numbers++, act }
    heap.push(event)
    return () => {
      event.act = () => undefined
      event.name = ''
    }
  }

  const pause: Scheduler['pause'] = (name, ms, life) =>
    new Promise((resolve) => {
      after({ name, ms, life }, resolve)
    })

  return {
    now: () => now,
    chance,
    after,
    pause,
    attend,
    hop(name, life, msMax = 8) {
      const drawn = chance.next(name)
      return pause(name, drawn.percent(4) ? drawn.number(msMax * 50) : drawn.number(msMax), life)
    },
    leap(ms) {
      now += ms
      leapt += ms
      note(`leap ${ms}`)
    },
    async run(isOver, msMax) {
      await rest()
      const began = now - leapt
      while (!isOver()) {
        const next = heap.first()
        if (next === undefined) return
        const end = began + leapt + msMax
        now = Math.max(now, Math.min(next.at, end))
        if (next.at > end) return
        heap.pop()
        if (isDropped(next)) continue
        released += 1
        if (released > EVENTS_MAX) throw new Error(`the simulation has released ${EVENTS_MAX} events and does not end`)
        note(next.name)
        next.act()
        await rest()
      }
    },
    note,
    hash: trace.hash,
    tail: trace.tail,
    events: () => released,
    close: heap.clear
  }
}

/** Returns whether an event is not to be released: it was canceled, or its life has ended. */
function isDropped(event: Event): boolean {
  if (event.life?.isAlive === false) event.onDrop?.()
  return event.name === '' || event.life?.isAlive === false
}

/** The trace: a hash of all lines, and the last lines themselves. */
function createTrace() {
  const lines: string[] = []
  let digest = 0
  return {
    add(line: string): void {
      digest = hashText(`${digest} ${line}`)
      lines.push(line)
      if (lines.length > 2 * TAIL_LINES) lines.splice(0, TAIL_LINES)
    },
    hash: () => digest.toString(16).padStart(8, '0'),
    tail: () => lines.slice(-TAIL_LINES)
  }
}

/** Creates the wait between two events. */
function createRest(): Pick<Scheduler, 'attend'> & { rest(): Promise<void> } {
  const attended = new Set<Promise<unknown>>()
  return {
    attend(work) {
      attended.add(work)
      const forget = (): boolean => attended.delete(work)
      work.then(forget, forget)
      return work
    },
    /**
     * Resolves when only events are awaited. The simulation runs in this thread, except for a real database, and all
     * other asynchronous work (hashing, files, timers) passes through a port. So this is after the microtasks of a turn.
     */
    async rest() {
      do {
        await Promise.allSettled(attended)
        await new Promise((resolve) => setImmediate(resolve))
      } while (attended.size > 0)
    }
  }
}

/** The clock of one machine: it runs with the scheduler and is ahead by `aheadMs`. */
export function createMachineClock(scheduler: Scheduler, { life, epochMs, aheadMs }: MachineClock): Clock {
  return {
    now: () => epochMs + Math.floor(scheduler.now()) + aheadMs(),
    ticks: () => scheduler.now(),
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const leave = (): void => {
          cancel()
          reject(signal?.reason)
        }
        const late = ms <= 0 ? 0 : scheduler.chance.next('late').number(4)
        const end = (): void => {
          signal?.removeEventListener('abort', leave)
          resolve()
        }
        // A listener makes Node keep a signal that combines several signals.
        const onDrop = (): void => signal?.removeEventListener('abort', leave)
        const cancel = scheduler.after({ name: `${life.name} timer`, ms: ms + late, life, onDrop }, end)
        signal?.addEventListener('abort', leave, { once: true })
      })
  }
}

export type MachineClock = { life: Life; epochMs: number; aheadMs(): number }

type Heap = { push(event: Event): void; first(): Event | undefined; pop(): void; clear(): void }

/** A binary heap with the earliest event first. For events of one time, the rank from the seed decides. */
function createHeap(): Heap {
  const all: Event[] = []
  const isBefore = (a: Event, b: Event): boolean =>
    a.at !== b.at ? a.at < b.at : a.rank !== b.rank ? a.rank < b.rank : a.number < b.number
  return {
    first: () => all[0],
    clear() {
      for (const { onDrop } of all.splice(0)) onDrop?.()
    },
    push(event) {
      let at = all.length
      all.push(event)
      while (at > 0) {
        const above = (at - 1) >> 1
        const parent = all[above]
        if (parent === undefined || !isBefore(event, parent)) break
        all[at] = parent
        at = above
      }
      all[at] = event
    },
    pop() {
      const last = all.pop()
      if (last === undefined || all.length === 0) return
      let at = 0
      for (;;) {
        let below = 2 * at + 1
        const [left, right] = [all[below], all[below + 1]]
        if (left === undefined) break
        if (right !== undefined && isBefore(right, left)) below += 1
        const child = all[below]
        if (child === undefined || !isBefore(child, last)) break
        all[at] = child
        at = below
      }
      all[at] = last
    }
  }
}

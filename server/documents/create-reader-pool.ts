import type { Clock, Thread } from '../../src/ports.ts'

/** Readers that work at a time. One of them is always left for other connections. */
const READERS = 2
const OF_ONE_CONNECTION = READERS - 1

/** How long an idle reader is kept, in milliseconds. */
const IDLE_MS = 60_000

/** Reads one file with an idle reader. `spoil` ends the reader afterwards, because something of the file is left in it. */
type ReaderWork<T> = (reader: Thread, spoil: () => void) => Promise<T>

/**
 * Readers of files, each of which does one thing at a time. They start when they are needed and end when they have been idle. Connections
 * take turns, so that a file of one waits for at most one file of each other connection.
 */
type ReaderPool = {
  /** Rejects with the reason of the signal where it is aborted before its turn. */
  run<T>(connectionId: string, signal: AbortSignal, work: ReaderWork<T>): Promise<T>
  /** Readers that have started, files that are being read, and files that wait. */
  state(): { started: number; reading: number; waiting: number }
  /** Ends all readers. Running and waiting calls reject. */
  end(): Promise<void>
}

type Slot = { reader: Thread | undefined; isBusy: boolean; idle: AbortController }

type Waiting = { begin(slot: Slot): Promise<void>; reject(reason: unknown): void }

type PoolWorld = { startReader: () => Thread; clock: Clock }

/** Creates a pool of readers, none of which has started. */
export function createReaderPool(world: PoolWorld): ReaderPool {
  const slots = Array.from({ length: READERS }, newSlot)
  const turns = createConnectionTurns<Waiting>(OF_ONE_CONNECTION)
  let isEnded = false

  const dispatch = (): void => {
    for (;;) {
      // A reader that has started is used before another is started.
      const slot = slots.find(isFree(true)) ?? slots.find(isFree(false))
      const next = slot && turns.next()
      if (slot === undefined || next === undefined) return
      void begin(slot, next.connectionId, next.one)
    }
  }
  const begin = async (slot: Slot, connectionId: string, waiting: Waiting): Promise<void> => {
    slot.isBusy = true
    slot.idle.abort()
    await waiting.begin(slot)
    slot.isBusy = false
    turns.end(connectionId)
    dispatch()
    if (!slot.isBusy && slot.reader !== undefined) endWhenIdle(slot, world.clock)
  }

  return {
    run: (connectionId, signal, work) =>
      new Promise((resolve, reject) => {
        if (isEnded) throw poolEndedError()
        signal.throwIfAborted()
        const leave = (): void => {
          turns.remove(connectionId, waiting)
          reject(signal.reason)
        }
        const waiting: Waiting = {
          reject,
          async begin(slot) {
            signal.removeEventListener('abort', leave)
            await readWith(slot, work, world).then(resolve, reject)
          }
        }
        signal.addEventListener('abort', leave, { once: true })
        turns.add(connectionId, waiting)
        dispatch()
      }),
    state: () => ({
      started: slots.filter(({ reader }) => reader !== undefined).length,
      reading: slots.filter(({ isBusy }) => isBusy).length,
      waiting: turns.waiting()
    }),
    async end() {
      isEnded = true
      for (const { reject } of turns.clear()) reject(poolEndedError())
      await Promise.all(slots.map(endReader))
    }
  }
}

function newSlot(): Slot {
  return { reader: undefined, isBusy: false, idle: new AbortController() }
}

function isFree(hasStarted: boolean): (slot: Slot) => boolean {
  return ({ isBusy, reader }) => !isBusy && (reader !== undefined) === hasStarted
}

async function readWith<T>(slot: Slot, work: ReaderWork<T>, { startReader }: PoolWorld): Promise<T> {
  slot.reader ??= startReader()
  let isSpoiled = false
  try {
    return await work(slot.reader, () => {
      isSpoiled = true
    })
  } finally {
    if (isSpoiled) await endReader(slot)
  }
}

function endWhenIdle(slot: Slot, clock: Clock): void {
  slot.idle = new AbortController()
  clock.wait(IDLE_MS, slot.idle.signal).then(
    () => endReader(slot),
    () => undefined
  )
}

async function endReader(slot: Slot): Promise<void> {
  const { reader } = slot
  slot.reader = undefined
  slot.idle.abort()
  await reader?.end()
}

function poolEndedError(): Error {
  return new Error('the reading of documents has ended')
}

/** A queue of waiting calls by connection, which decides whose turn is next. */
type ConnectionTurns<T> = {
  add(connectionId: string, one: T): void
  /** Removes a call that no longer waits for its turn. */
  remove(connectionId: string, one: T): void
  /** Begins the next turn; undefined if no connection may have another turn now. */
  next(): { connectionId: string; one: T } | undefined
  /** Ends a turn. */
  end(connectionId: string): void
  /** Empties the queue, and returns the calls that were waiting. */
  clear(): T[]
  waiting(): number
}

/**
 * Creates a queue that gives each connection at most `atOnceMax` turns at a time. Next is the connection whose last turn began the longest
 * ago, so that no connection waits for two turns of another.
 */
function createConnectionTurns<T>(atOnceMax: number): ConnectionTurns<T> {
  const queues = new Map<string, T[]>()
  const running = new Map<string, number>()
  /** The number of the last turn of each connection that runs or waits. */
  const lastTurns = new Map<string, number>()
  let turns = 0

  const remove = (connectionId: string, one: T): void => {
    const rest = (queues.get(connectionId) ?? []).filter((other) => other !== one)
    if (rest.length > 0) queues.set(connectionId, rest)
    else queues.delete(connectionId)
  }
  return {
    add(connectionId, one) {
      queues.set(connectionId, [...(queues.get(connectionId) ?? []), one])
    },
    remove,
    next() {
      const able = [...queues].filter(([id]) => (running.get(id) ?? 0) < atOnceMax)
      const [found] = able.sort(([one], [other]) => (lastTurns.get(one) ?? 0) - (lastTurns.get(other) ?? 0))
      const [connectionId, [one] = []] = found ?? []
      if (connectionId === undefined || one === undefined) return undefined
      remove(connectionId, one)
      running.set(connectionId, (running.get(connectionId) ?? 0) + 1)
      lastTurns.set(connectionId, ++turns)
      return { connectionId, one }
    },
    end(connectionId) {
      const left = (running.get(connectionId) ?? 1) - 1
      if (left > 0) running.set(connectionId, left)
      else running.delete(connectionId)
      if (left === 0 && !queues.has(connectionId)) lastTurns.delete(connectionId)
    },
    clear() {
      const all = [...queues.values()].flat()
      queues.clear()
      return all
    },
    waiting: () => [...queues.values()].flat().length
  }
}

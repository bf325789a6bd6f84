import type { Clock, Thread } from '../ports.ts'

/** Readers that work at a time. One of them is always left for other clients. */
const READERS = 2
const OF_ONE_CLIENT = READERS - 1

/** How long an idle reader is kept, in milliseconds. */
const IDLE_MS = 60_000

/** Reads one file with an idle reader. `spoil` ends the reader afterwards, because something of the file is left in it. */
type ReaderWork<T> = (reader: Thread, spoil: () => void) => Promise<T>

/**
 * Readers of files, each of which does one thing at a time. They start when they are needed and end when they have been idle. Clients
 * take turns, so that a file of one waits for at most one file of each other client.
 */
type ReaderPool = {
  /** Rejects with the reason of the signal if it is aborted before its turn. */
  run<T>(client: string, signal: AbortSignal, work: ReaderWork<T>): Promise<T>
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
  const turns = createClientTurns<Waiting>(OF_ONE_CLIENT)
  let isEnded = false

  const dispatch = (): void => {
    for (;;) {
      // A reader that has started is used before another is started.
      const slot = slots.find(isFree(true)) ?? slots.find(isFree(false))
      const next = slot && turns.next()
      if (slot === undefined || next === undefined) return
      void begin(slot, next.client, next.one)
    }
  }
  const begin = async (slot: Slot, client: string, waiting: Waiting): Promise<void> => {
    slot.isBusy = true
    slot.idle.abort()
    await waiting.begin(slot)
    slot.isBusy = false
    turns.end(client)
    dispatch()
    if (!slot.isBusy && slot.reader !== undefined) endWhenIdle(slot, world.clock)
  }

  return {
    run: (client, signal, work) =>
      new Promise((resolve, reject) => {
        if (isEnded) throw poolEndedError()
        signal.throwIfAborted()
        const leave = (): void => {
          turns.remove(client, waiting)
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
        turns.add(client, waiting)
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
  return new Error('document reading has been shut down')
}

/** A queue of waiting calls by client, which decides whose turn is next. */
type ClientTurns<T> = {
  add(client: string, one: T): void
  /** Removes a call that no longer waits for its turn. */
  remove(client: string, one: T): void
  /** Begins the next turn; undefined if no client may have another turn now. */
  next(): { client: string; one: T } | undefined
  /** Ends a turn. */
  end(client: string): void
  /** Empties the queue, and returns the calls that were waiting. */
  clear(): T[]
  waiting(): number
}

/**
 * Creates a queue that gives each client at most `atOnceMax` turns at a time. Next is the client whose last turn began the longest
 * ago, so that no client waits for two turns of another.
 */
function createClientTurns<T>(atOnceMax: number): ClientTurns<T> {
  const queues = new Map<string, T[]>()
  const running = new Map<string, number>()
  /** The number of the last turn of each client that runs or waits. */
  const lastTurns = new Map<string, number>()
  let turns = 0

  const remove = (client: string, one: T): void => {
    const rest = (queues.get(client) ?? []).filter((other) => other !== one)
    if (rest.length > 0) queues.set(client, rest)
    else queues.delete(client)
  }
  return {
    add(client, one) {
      queues.set(client, [...(queues.get(client) ?? []), one])
    },
    remove,
    next() {
      const able = [...queues].filter(([id]) => (running.get(id) ?? 0) < atOnceMax)
      const [found] = able.sort(([one], [other]) => (lastTurns.get(one) ?? 0) - (lastTurns.get(other) ?? 0))
      const [client, [one] = []] = found ?? []
      if (client === undefined || one === undefined) return undefined
      remove(client, one)
      running.set(client, (running.get(client) ?? 0) + 1)
      lastTurns.set(client, ++turns)
      return { client, one }
    },
    end(client) {
      const left = (running.get(client) ?? 1) - 1
      if (left > 0) running.set(client, left)
      else running.delete(client)
      if (left === 0 && !queues.has(client)) lastTurns.delete(client)
    },
    clear() {
      const all = [...queues.values()].flat()
      queues.clear()
      return all
    },
    waiting: () => [...queues.values()].flat().length
  }
}

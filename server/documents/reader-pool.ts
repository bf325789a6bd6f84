import type { Clock, Thread } from '../../src/ports.ts'
import { createConnectionTurns } from './connection-turns.ts'

/** Readers that work at a time. One of them is always left to other connections. */
const READERS = 2
const OF_ONE_CONNECTION = READERS - 1

/** How long a reader is kept that has nothing to do, in milliseconds. */
const IDLE_MS = 60_000

/** Reads one file with a reader that has nothing else to do. `spoil` has the reader ended afterwards: something is left in it. */
export type Reading<T> = (reader: Thread, spoil: () => void) => Promise<T>

/**
 * Readers of files, each of which does one thing at a time. They start when they are needed and end when they have been idle. Connections
 * take turns, so that a file of one waits for at most one file of each other connection.
 */
export type ReaderPool = {
  /** Rejects with the reason of the signal where it is aborted before its turn. */
  run<T>(connectionId: string, signal: AbortSignal, work: Reading<T>): Promise<T>
  /** Readers that have started, files that are being read, and files that wait. */
  state(): { started: number; reading: number; waiting: number }
  /** Ends all readers. What they were at rejects, and what waits, too. */
  end(): Promise<void>
}

type Slot = { reader: Thread | undefined; isBusy: boolean; idle: AbortController }
type Waiting = { begin(slot: Slot): Promise<void>; reject(reason: unknown): void }
type PoolWorld = { startReader: () => Thread; clock: Clock }

/** A pool of readers, none of which has started. */
export function createReaderPool(world: PoolWorld): ReaderPool {
  const slots = Array.from({ length: READERS }, newSlot)
  const turns = createConnectionTurns<Waiting>(OF_ONE_CONNECTION)
  let isEnded = false

  const dispatch = (): void => {
    for (;;) {
      // One that has started is used before another is started.
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
        if (isEnded) throw hasEnded()
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
      for (const { reject } of turns.clear()) reject(hasEnded())
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

async function readWith<T>(slot: Slot, work: Reading<T>, { startReader }: PoolWorld): Promise<T> {
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

function hasEnded(): Error {
  return new Error('the reading of documents has ended')
}

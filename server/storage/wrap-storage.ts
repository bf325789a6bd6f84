import { Fault } from '../../src/contract/faults.ts'
import type { Clock } from '../../src/ports.ts'
import type { Dialect, StorageFailure } from './database/dialect.ts'
import type { Appended, StoredCollection } from './port/collection-storage.ts'
import { joinBatches, type RecordBatch } from './port/record-batch.ts'
import { type Rules, STORAGE_METHOD_NAMES, STORAGE_METHODS, type Storage, type StorageMethod } from './port/storage.ts'

/**
 * The same storage with all that surrounds a call of either engine: arguments are checked, what failed by chance is repeated, what
 * the engine refuses becomes a Fault, and closing waits for the calls under way.
 */
export function guardCalls(storage: Storage, engine: { dialect: FailingEngine; clock: Clock }): Storage {
  return closeQuietly(checkArguments(nameFailures(repeatCalls(storage, engine), engine.dialect)))
}

/** What is needed of an engine: the meaning of its errors. */
type FailingEngine = Pick<Dialect, 'toFailure'>

/** What surrounds every call: it makes the call, once or more often, and returns what came of it. */
type Around = <T>(call: () => Promise<T>, method: StorageMethod, given: readonly unknown[]) => Promise<T>

/** The same storage with something around each call but `close`. */
export function wrapStorage(storage: Storage, around: Around): Storage {
  const wrapped = STORAGE_METHOD_NAMES.map((method) => {
    // Which arguments belong to which method is lost in a list of them; they are handed on as they came.
    const call = storage[method] as (...given: unknown[]) => Promise<unknown>
    return [method, (...given: unknown[]) => around(() => call(...given), method, given)]
  })
  return { ...storage, ...(Object.fromEntries(wrapped) as Omit<Storage, 'close'>) }
}

/**
 * Refuses what one engine would refuse, round or cut, before a statement is sent, so that both keep the same values. The types say
 * most of it; a value that gets here against them is a bug of ours and rejects with a TypeError that names method and value.
 */
function checkArguments(storage: Storage): Storage {
  return wrapStorage(storage, async (call, method, given) => {
    const rules = STORAGE_METHODS[method].arguments ?? []
    for (const [at, value] of given.entries()) check(value, rules[at], `${method}(${at})`)
    return await call()
  })
}

/**
 * The general rules: numbers are whole and exact in a `bigint` and in a JavaScript number, and nothing is of a type that a column
 * or JSON cannot hold. `rules` are those of the method besides.
 *
 * @throws TypeError
 */
function check(value: unknown, rules: Rules | undefined, at: string): void {
  if (value === undefined) return
  if (typeof rules === 'function') {
    const wrong = rules(value)
    if (wrong !== undefined) throw argumentError(at, value, wrong)
  }
  if (typeof value === 'number') {
    checkNumber(value, at)
    return
  }
  if (typeof value === 'string' || typeof value === 'boolean') return
  if (typeof value !== 'object' || value === null) throw argumentError(at, value, 'expected a value that JSON can hold')
  if (value instanceof Float64Array) {
    for (const [place, number] of value.entries()) checkNumber(number, `${at}[${place}]`)
    return
  }
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return
  for (const [name, member] of Object.entries(value)) check(member, findRules(rules, name), `${at}.${name}`)
}

function findRules(rules: Rules | undefined, name: string): Rules | undefined {
  if (rules === undefined || typeof rules === 'function') return undefined
  return 'each' in rules ? rules.each : Object.hasOwn(rules.members, name) ? rules.members[name] : undefined
}

function checkNumber(value: number, at: string): void {
  if (!Number.isSafeInteger(value)) throw argumentError(at, value, 'expected a whole number within ±(2^53 - 1)')
}

/** How much of a refused value is shown, in characters. */
const SHOWN_MAX = 80

function argumentError(at: string, value: unknown, wrong: string): TypeError {
  const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, SHOWN_MAX)) : String(value)
  return new TypeError(`storage.${at} is ${shown}: ${wrong}`)
}

/** Waits before the same is tried again, in milliseconds. */
const WAITS_MS = [5, 20, 80, 300, 900]

/** Makes a call again where the engine's refusal is one of chance: two that waited for each other, a lost connection. */
function repeatCalls(storage: Storage, { dialect, clock }: { dialect: FailingEngine; clock: Clock }): Storage {
  return wrapStorage(storage, async (call, method) => {
    for (const waitMs of WAITS_MS) {
      try {
        return await call()
      } catch (error) {
        const again = dialect.toFailure(error)?.again ?? 'no'
        if (again === 'no' || (again === 'unsure' && STORAGE_METHODS[method].isOnce === true)) throw error
        await clock.wait(waitMs)
      }
    }
    return call()
  })
}

/** Whatever the engine refuses becomes a Fault `unavailable` that says what; a bug stays what it is. */
function nameFailures(storage: Storage, dialect: FailingEngine): Storage {
  return wrapStorage(storage, async (call) => {
    try {
      return await call()
    } catch (error) {
      const failure = dialect.toFailure(error)
      throw failure === undefined ? error : storageFault(failure, error)
    }
  })
}

/** The fault for what an engine refused, the driver's error as its cause. */
function storageFault({ reason, hint, retryAfter }: StorageFailure, cause: unknown): Fault {
  return new Fault('unavailable', `the storage does not serve: ${reason}`, { hint, retryAfter, cause })
}

/** `close` takes no more calls, waits for those under way and then closes, once. */
function closeQuietly(storage: Storage): Storage {
  const underWay = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined
  const wrapped = wrapStorage(storage, async (call) => {
    if (closing !== undefined) throw closedError()
    const promise = call()
    underWay.add(promise)
    try {
      return await promise
    } finally {
      underWay.delete(promise)
    }
  })
  const close = async () => {
    while (underWay.size > 0) await Promise.allSettled(underWay)
    await storage.close()
  }
  return {
    ...wrapped,
    close() {
      closing ??= close()
      return closing
    }
  }
}

function closedError(): Fault {
  return new Fault('unavailable', 'the storage is closed', {
    hint: 'the server is stopping: ask another one',
    retryAfter: 1
  })
}

/** What goes into one transaction; a batch that is larger goes alone. */
const LINES_MAX = 1000
const BYTES_MAX = 4 * 1024 * 1024

/**
 * The same storage, in which appends that come while one to the same collection is under way wait for it and then go
 * together in one transaction: a disk that takes 5 ms to sync takes them all in those. Each call gets the outcomes of its own
 * lines, as if they had come one after another. Where the transaction is refused, all of them are.
 */
export function coalesceAppends(storage: Storage): Storage {
  const waiting = new Map<string, Waiting[]>()

  /** Until nobody waits for the collection. */
  async function work(collectionId: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) await appendTogether(storage, collectionId, takeTogether(queue))
    waiting.delete(collectionId)
  }

  return {
    ...storage,
    append: (collectionId, batch) =>
      new Promise<Appended>((resolve, reject) => {
        const call = { batch, resolve, reject }
        const queue = waiting.get(collectionId)
        if (queue !== undefined) {
          queue.push(call)
          return
        }
        const started = [call]
        waiting.set(collectionId, started)
        void work(collectionId, started)
      })
  }
}

type Waiting = { batch: RecordBatch; resolve(appended: Appended): void; reject(error: unknown): void }

/** The first, and those after it that fit in with it. */
function takeTogether(queue: Waiting[]): Waiting[] {
  let lines = 0
  let bytes = 0
  const fits = queue.findIndex(({ batch }, at) => {
    lines += batch.count
    bytes += batch.lines.byteLength
    return at > 0 && (lines > LINES_MAX || bytes > BYTES_MAX)
  })
  return queue.splice(0, fits === -1 ? queue.length : fits)
}

async function appendTogether(storage: Storage, collectionId: string, calls: readonly Waiting[]): Promise<void> {
  const counts = calls.map(({ batch }) => batch.count)
  try {
    const { outcomes, seq } = await storage.append(collectionId, joinBatches(calls.map(({ batch }) => batch)))
    let at = 0
    for (const [call, count] of counts.entries()) {
      calls[call]?.resolve({ outcomes: outcomes.slice(at, at + count), seq })
      at += count
    }
  } catch (error) {
    for (const { reject } of calls) reject(error)
  }
}

/** What goes into one statement. Who asks for more asks alone. */
const IDS_MAX = 500

/**
 * The same storage, in which questions for collections that come while one is under way wait for it and are then asked
 * together: where many search at once, the storage is asked a few times instead of once for each. Every answer is of a
 * moment after its question. dataloader 2.2 was measured and lost: it joins only the questions of one turn of the event loop, so that 400
 * of them led to 200 statements instead of 4.
 */
export function coalesceReads(storage: Storage): Storage {
  let isAsking = false
  const waiting: WaitingRead[] = []

  const ask = async (calls: readonly WaitingRead[]): Promise<void> => {
    isAsking = true
    try {
      const found = await storage.listCollections([...new Set(calls.flatMap(({ ids }) => ids))])
      for (const { ids, resolve } of calls) resolve(found.filter(({ id }) => ids.includes(id)))
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
    isAsking = false
    if (waiting.length > 0) void ask(takeReads(waiting))
  }

  return {
    ...storage,
    listCollections: (ids) => {
      if (ids === undefined || ids.length === 0 || ids.length > IDS_MAX) return storage.listCollections(ids)
      return new Promise((resolve, reject) => {
        waiting.push({ ids, resolve, reject })
        if (!isAsking) void ask(takeReads(waiting))
      })
    }
  }
}

type WaitingRead = {
  ids: readonly string[]
  resolve(found: StoredCollection[]): void
  reject(error: unknown): void
}

/** The first, and those after it that fit in with it. */
function takeReads(waiting: WaitingRead[]): WaitingRead[] {
  let count = 0
  const fits = waiting.findIndex(({ ids }) => {
    count += ids.length
    return count > IDS_MAX
  })
  return waiting.splice(0, fits === -1 ? waiting.length : fits)
}

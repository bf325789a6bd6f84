import { Fault } from '../../src/contract/faults.ts'
import type { Clock } from '../../src/ports.ts'
import type { Dialect, StorageFailure } from './database/dialect.ts'
import type { Appended, StoredCollection } from './port/collection-storage.ts'
import { joinBatches, type RecordBatch } from './port/record-batch.ts'
import { type Rules, STORAGE_METHOD_NAMES, STORAGE_METHODS, type Storage, type StorageMethod } from './port/storage.ts'

/**
 * Wraps a storage of either engine: arguments are checked, transient failures are retried, refusals become a Fault, and
 * closing waits for calls in progress.
 */
export function guardCalls(storage: Storage, engine: { dialect: FailingEngine; clock: Clock }): Storage {
  return closeQuietly(checkArguments(nameFailures(repeatCalls(storage, engine), engine.dialect)))
}

/** The part of an engine that is needed here: the meaning of its errors. */
type FailingEngine = Pick<Dialect, 'toFailure'>

/** Runs around every call: calls it once or more often and returns the result. */
type Around = <T>(call: () => Promise<T>, method: StorageMethod, given: readonly unknown[]) => Promise<T>

/** Wraps a storage so that `around` runs at each call except `close`. */
export function wrapStorage(storage: Storage, around: Around): Storage {
  const wrapped = STORAGE_METHOD_NAMES.map((method) => {
    // A list of arguments loses the types of its method. The arguments are passed on unchanged.
    const call = storage[method] as (...given: unknown[]) => Promise<unknown>
    return [method, (...given: unknown[]) => around(() => call(...given), method, given)]
  })
  return { ...storage, ...(Object.fromEntries(wrapped) as Omit<Storage, 'close'>) }
}

/**
 * Refuses arguments that one engine would refuse, round or truncate, before a statement is sent, so that both engines
 * store the same values. Types exclude most of them; any other is a bug in this program and rejects with a TypeError
 * that names method and value.
 */
function checkArguments(storage: Storage): Storage {
  return wrapStorage(storage, async (call, method, given) => {
    const rules = STORAGE_METHODS[method].arguments ?? []
    for (const [at, value] of given.entries()) check(value, rules[at], `${method}(${at})`)
    return await call()
  })
}

/**
 * Checks an argument by the general rules: numbers are integers that both a `bigint` and a JavaScript number represent
 * exactly, and every type fits a column or JSON. `rules` are those of the method in addition.
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
  if (typeof value !== 'object' || value === null) throw argumentError(at, value, 'expected a JSON value')
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

/** Characters of a refused value that are printed. */
const SHOWN_MAX = 80

function argumentError(at: string, value: unknown, wrong: string): TypeError {
  const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, SHOWN_MAX)) : String(value)
  return new TypeError(`storage.${at} is ${shown}: ${wrong}`)
}

/** Milliseconds to wait before each retry. */
const WAITS_MS = [5, 20, 80, 300, 900]

/** Retries a call after a transient failure of the engine, such as a deadlock or a lost connection. */
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

/** Converts a refusal of the engine to a Fault `unavailable` with its reason. A bug is not converted. */
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

/** Builds the error for a refusal of the engine. The driver's error is its cause. */
function storageFault({ reason, hint, retryAfter }: StorageFailure, cause: unknown): Fault {
  return new Fault('unavailable', `the storage is unavailable: ${reason}`, { hint, retryAfter, cause })
}

/** Makes `close` refuse new calls, wait for those in progress and then close the storage, once. */
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
    hint: 'the server is stopping: use another node',
    retryAfter: 1
  })
}

/** Limits of one transaction. A larger batch gets its own. */
const LINES_MAX = 1000
const BYTES_MAX = 4 * 1024 * 1024

/**
 * Wraps a storage so that appends to a collection with an append in progress wait for it and then share one
 * transaction. A disk that takes 5 ms to sync then needs one sync for all of them. Each call gets the outcomes of its
 * own lines, as if they had been appended one after another. If the transaction is refused, all of its calls are.
 */
export function coalesceAppends(storage: Storage): Storage {
  const waiting = new Map<string, Waiting[]>()

  /** Runs until no call waits for the collection. */
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

/** Takes the first call and those after it that fit into its transaction. */
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

/** Ids in one statement. A call with more ids gets its own statement. */
const IDS_MAX = 500

/**
 * Wraps a storage so that lookups of collections during a lookup in progress wait for it and then share one query. Many
 * concurrent searches then need only a few queries. Every answer describes a moment after its call. dataloader 2.2 was
 * measured and rejected: it batches only the calls of one turn of the event loop, so 400 calls led to 200 statements
 * instead of 4.
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

/** Takes the first lookup and those after it that fit into its statement. */
function takeReads(waiting: WaitingRead[]): WaitingRead[] {
  let count = 0
  const fits = waiting.findIndex(({ ids }) => {
    count += ids.length
    return count > IDS_MAX
  })
  return waiting.splice(0, fits === -1 ? waiting.length : fits)
}

import type { StorageFailure } from '../../../server/storage/database/dialect.ts'
import type { Storage, StorageMethod } from '../../../server/storage/port/storage.ts'
import { guardCalls } from '../../../server/storage/wrap-storage.ts'
import type { Clock } from '../../../src/ports.ts'
import { modelAttempts } from './model-attempts.ts'
import { modelChecks } from './model-checks.ts'
import { modelCleanups } from './model-cleanups.ts'
import { hasDeleted, modelCollections, purgeSome } from './model-collections.ts'
import { modelConnections } from './model-connections.ts'
import { modelCredentials, modelVault } from './model-credentials.ts'
import { modelItems } from './model-items.ts'
import { modelKeys } from './model-keys.ts'
import { modelPages } from './model-pages.ts'
import { modelQueue } from './model-queue.ts'
import { modelReads } from './model-reads.ts'
import { modelRecords } from './model-records.ts'
import { EMPTY_TABLES, type ModelTables } from './model-rows.ts'
import { modelRuns } from './model-runs.ts'
import { beginTransaction, type ModelMethods, type ModelTransaction } from './model-transaction.ts'

/**
 * A database in memory with the types and the isolation of PostgreSQL, which any number of nodes can open. A
 * transaction takes effect at one point, between `before` and `after` of its call, so the simulation determines the
 * order of transactions.
 */
export type StorageModel = {
  /** The committed tables. A table or row that was read here never changes. */
  readonly tables: ModelTables
  /** Opens the storage for one node. */
  open(options: ModelOptions): Storage
}

export type ModelOptions = { clock: Clock; hooks?: StorageHooks }

export type StorageCall = { method: StorageMethod; given: readonly unknown[] }

/**
 * Hooks around each transaction of a node. If a hook never resolves, the node has crashed. If it rejects with an
 * `EngineError`, the node behaves as with a database: it repeats the call or rejects with a Fault.
 */
export type StorageHooks = {
  /** Called before the transaction, which takes effect when this resolves. If it rejects, nothing happens. */
  before?(call: StorageCall): Promise<void>
  /**
   * Called when the transaction is committed. The caller gets the result when this resolves. If it rejects, the reply
   * is lost.
   */
  after?(call: StorageCall): Promise<void>
}

/** An error of a database. `again` is as in `StorageFailure`: a lost reply is `unsure`. */
export class EngineError extends Error {
  readonly again: StorageFailure['again']
  constructor(again: StorageFailure['again'], message = 'the connection to the database was lost') {
    super(message)
    this.again = again
  }
}

/** Creates a model, empty or with the tables of another one. */
export function createStorageModel(initial: ModelTables = EMPTY_TABLES): StorageModel {
  let tables = initial
  /** Commits everything that a transaction wrote, or nothing if it throws. */
  const run = <Result>(clock: Clock, work: (transaction: ModelTransaction) => Result): Result => {
    const transaction = beginTransaction(tables, clock)
    const result = work(transaction)
    tables = transaction.tables
    return result
  }
  return {
    get tables() {
      return tables
    },
    open({ clock, hooks = {} }) {
      const engine = openEngine({ clock, hooks, run: (work) => run(clock, work) })
      return guardCalls(engine, { dialect: { toFailure }, clock })
    }
  }
}

type Run = <Result>(work: (transaction: ModelTransaction) => Result) => Result

const METHODS: ModelMethods<Omit<Storage, 'ping' | 'close'>> = {
  ...modelCollections,
  ...modelRecords,
  ...modelKeys,
  ...modelAttempts,
  ...modelConnections,
  ...modelCredentials,
  ...modelVault,
  ...modelQueue,
  ...modelRuns,
  ...modelReads,
  ...modelPages,
  ...modelItems,
  ...modelCleanups,
  ...modelChecks
}

type EngineParts = { clock: Clock; hooks: StorageHooks; run: Run }

/** Values are copied when a call is made and when it returns, as between threads. */
function openEngine({ clock, hooks, run }: EngineParts): Storage {
  const purging = startPurging({ clock, run })
  const surround = async <Result>(call: StorageCall, work: (given: readonly unknown[]) => Result): Promise<Result> => {
    const given: readonly unknown[] = structuredClone(call.given)
    await hooks.before?.({ method: call.method, given })
    const result = structuredClone(work(given))
    await hooks.after?.({ method: call.method, given })
    return result
  }
  const bound = (Object.keys(METHODS) as (keyof typeof METHODS)[]).map((method) => {
    // A list of methods and arguments loses the type that connects them. The arguments are passed on unchanged.
    const call = METHODS[method] as (transaction: ModelTransaction, ...given: unknown[]) => unknown
    const work = (given: readonly unknown[]) => run((transaction) => call(transaction, ...given))
    return [method, (...given: unknown[]) => surround({ method, given }, work)]
  })
  // The cast is safe because each method has the arguments and the result of the port's method with its name.
  const methods = Object.fromEntries(bound) as Omit<Storage, 'ping' | 'close'>
  return {
    ...methods,
    async deleteCollection(id) {
      const isDeleted = await methods.deleteCollection(id)
      if (isDeleted) purging.wake()
      return isDeleted
    },
    ping: () => surround({ method: 'ping', given: [] }, () => undefined),
    close: () => purging.stop()
  }
}

function toFailure(error: unknown): StorageFailure | undefined {
  if (!(error instanceof EngineError)) return undefined
  return { reason: error.message, hint: 'look at the database', again: error.again, retryAfter: 1 }
}

/** The pause before each part of a purge, in milliseconds. */
const PAUSE_MS = 2

/** Removes the rows of deleted collections in parts, as a node does in the background. */
function startPurging({ clock, run }: { clock: Clock; run: Run }) {
  const stopped = new AbortController()
  const purge = async (): Promise<void> => {
    while (!stopped.signal.aborted && run(hasDeleted)) {
      await clock.wait(PAUSE_MS, stopped.signal).catch(() => undefined)
      if (!stopped.signal.aborted) run(purgeSome)
    }
  }
  let running = purge()
  const wake = (): void => {
    running = running.then(purge)
  }
  return {
    wake,
    async stop() {
      stopped.abort()
      await running
    }
  }
}

import path from 'node:path'
import fc from 'fast-check'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, test } from 'vitest'
import { migrate } from '../../../server/storage/database/migrations.ts'
import type { Tables } from '../../../server/storage/database/tables.ts'
import { SQLITE_DIALECT, sqliteConnection } from '../../../server/storage/engines/sqlite-connection.ts'
import { kyselyStorage } from '../../../server/storage/kysely-storage.ts'
import type { CheckFinding } from '../../../server/storage/port/check-storage.ts'
import type { Storage } from '../../../server/storage/port/storage.ts'
import { toEpochMs } from '../../../src/contract/epoch-ms.ts'
import { Fault } from '../../../src/contract/faults.ts'
import type { Clock } from '../../../src/ports.ts'
import { temporaryFolder } from '../../snapshot/temporary-folder.ts'
import { ready } from '../../suites/storage-connector-things.ts'
import { activeConnection, asked } from '../../suites/storage-queue-things.ts'
import { readEngineRows, toPlainTables } from './read-engine-rows.ts'
import { createStorageModel } from './storage-model.ts'
import { STORAGE_STEP, type StepContext, type StorageStep } from './storage-steps.ts'

const RUNS = process.env.SLOW ? 3000 : 10

/** A call that both storages receive, with the result of each. */
type Compared = { model: Storage; engine: Storage; context: StepContext }

test('gives the same results as SQLite for the same calls, and keeps the same rows', async () => {
  const law = fc.asyncProperty(fc.array(STORAGE_STEP, { maxLength: 60, size: 'max' }), async (steps) => {
    const context: StepContext = { now: toEpochMs(2000), number: 10, holds: [], stale: [] }
    const clock = createStandingClock(context)
    const tables = createStorageModel()
    const db = await openDatabase()
    const model = tables.open({ clock })
    // As a reader, the engine removes nothing in the background. The model does so only when its clock runs.
    const engine = kyselyStorage({ db, dialect: SQLITE_DIALECT, clock, isReader: true })
    try {
      await prepare(model)
      await prepare(engine)
      for (const step of steps) await take({ model, engine, context }, step)
      expect(toPlainTables(tables.tables)).toEqual(await readEngineRows(db))
      expect(await findProblems(model)).toEqual(await findProblems(engine))
    } finally {
      await model.close()
      await engine.close()
    }
  })
  await fc.assert(law, { numRuns: RUNS })
})

/** A clock that the steps set, and whose waits never end. */
function createStandingClock(context: StepContext): Clock {
  return {
    now: () => context.now,
    ticks: () => context.now,
    wait: (_, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
  }
}

async function openDatabase(): Promise<Kysely<Tables>> {
  const database = sqliteConnection(path.join(temporaryFolder(), 'memctl.db'))
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) })
  await migrate(db, { dialect: SQLITE_DIALECT, nowMs: toEpochMs(0) })
  return db
}

/** Creates three collections, and four connections of which a server holds three. */
async function prepare(storage: Storage): Promise<void> {
  await ready(async () => storage)
  for (const n of [1, 2, 3, 4]) await activeConnection(storage, n, { into: n === 3 ? 2 : 1 })
  await storage.claimDue(asked(5000, { limit: 3 }))
}

async function take({ model, engine, context }: Compared, step: StorageStep): Promise<void> {
  context.now = toEpochMs(context.now + step.delayMs)
  const given = step.toArguments(context)
  const answer = await call(model, step, given)
  expect(toComparable(answer)).toEqual(toComparable(await call(engine, step, given)))
  remember(context, answer)
}

async function call(storage: Storage, { method }: StorageStep, given: readonly unknown[]): Promise<unknown> {
  // A list of methods and arguments loses the type that connects them.
  const called = storage[method] as (...given: unknown[]) => Promise<unknown>
  try {
    return await called(...structuredClone(given))
  } catch (error) {
    return error instanceof Fault ? { fault: error.code, message: error.message } : { bug: true }
  }
}

/** Sorts results whose order no method promises. */
function toComparable(answer: unknown): unknown {
  if (!Array.isArray(answer)) return sortGrants(answer)
  const isUnordered = answer.every((one) => typeof one === 'object' && !('hold' in one) && !('startedAt' in one))
  const rows = answer.map(sortGrants)
  return isUnordered ? rows.toSorted((one, other) => (toText(one) < toText(other) ? -1 : 1)) : rows
}

function toText(value: unknown): string {
  return String(typeof value === 'object' && value !== null && 'id' in value ? value.id : value)
}

function sortGrants(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('grants' in value) || !Array.isArray(value.grants)) return value
  return { ...value, grants: value.grants.map((grant) => JSON.stringify(grant)).toSorted() }
}

/** Keeps what later steps use: holds and old secrets. */
function remember(context: StepContext, answer: unknown): void {
  for (const one of Array.isArray(answer) ? answer : [answer]) {
    if (typeof one !== 'object' || one === null) continue
    if ('hold' in one) context.holds.push(one.hold)
    if ('fence' in one) context.holds.push(one)
    if ('identity' in one) context.stale.push(one)
  }
}

/** Returns the findings of a complete check. */
async function findProblems(storage: Storage): Promise<string[]> {
  const findings: CheckFinding[] = []
  let position: string | undefined
  do {
    const asked = { position, mode: 'look', withFile: false, maxBytes: 1000, now: toEpochMs(9000) } as const
    const part = await storage.checkPart(asked)
    findings.push(...part.findings)
    position = part.position
  } while (position !== undefined)
  return findings.map(({ problem, collectionId }) => `${collectionId} ${problem}`).toSorted()
}

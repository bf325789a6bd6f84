import { sql } from 'kysely'
import { checkPart } from './check/check-part.ts'
import type { Database, DatabasePages } from './database/dialect.ts'
import { startShrinking } from './engines/sqlite-pages.ts'
import type { Storage } from './port/storage.ts'
import { attemptsTable } from './tables/attempts-table.ts'
import { cleanups, startPurging } from './tables/cleanups.ts'
import { collectionsTable } from './tables/collections-table.ts'
import { connectionQueue } from './tables/connection-queue.ts'
import { connectionsTable, runsTable } from './tables/connections-table.ts'
import { damageTables } from './tables/damage-tables.ts'
import { itemsTable } from './tables/items-table.ts'
import { keysTable } from './tables/keys-table.ts'
import { pageTables } from './tables/page-tables.ts'
import { recordPages } from './tables/record-pages.ts'
import { recordsTable } from './tables/records-table.ts'
import { credentialsTable, vaultTable } from './tables/vault-table.ts'
import { guardCalls } from './wrap-storage.ts'

export type StorageParts = Database & {
  /** Set for an engine whose database is a file. */
  file?: { pages: DatabasePages; shrinks: boolean }
  /** Disables background removal. */
  isReader?: boolean
}

/** Creates a storage over tables that are up to date. */
export function kyselyStorage(parts: StorageParts): Storage {
  return guardCalls(plainStorage(parts), parts)
}

/** Methods of the port by their names, each taking the database first. */
const METHODS = {
  ...collectionsTable,
  ...recordPages,
  ...recordsTable,
  ...keysTable,
  ...attemptsTable,
  ...connectionsTable,
  ...credentialsTable,
  ...vaultTable,
  ...connectionQueue,
  ...runsTable,
  ...pageTables,
  ...itemsTable,
  ...cleanups,
  ...damageTables
}

function plainStorage({ db, dialect, clock, file, isReader = false }: StorageParts): Storage {
  const database = { db, dialect, clock }
  const methods = bindMethods(METHODS, database)
  const purging = isReader ? undefined : startPurging(db, clock)
  const shrinking = file?.shrinks === true && !isReader ? startShrinking(db, clock, dialect) : undefined
  return {
    ...methods,
    async deleteCollection(id) {
      const deleted = await methods.deleteCollection(id)
      if (deleted) purging?.wake()
      return deleted
    },
    checkPart: (asked) => checkPart({ ...database, pages: file?.pages }, asked),
    async ping() {
      await sql`select 1`.execute(db)
    },
    async close() {
      await purging?.stop()
      await shrinking?.stop()
      await db.destroy()
    }
  }
}

type Methods = Readonly<Record<string, (database: Database, ...given: never[]) => unknown>>

type Bound<All extends Methods> = {
  [Name in keyof All]: All[Name] extends (database: Database, ...given: infer Given) => infer Result
    ? (...given: Given) => Result
    : never
}

function bindMethods<All extends Methods>(methods: All, database: Database): Bound<All> {
  const bound = Object.entries(methods).map(([name, method]) => [
    name,
    (...given: never[]) => method(database, ...given)
  ])
  // Each has the arguments and the result of the method of its name.
  return Object.fromEntries(bound) as Bound<All>
}

import { sql } from 'kysely'
import { checkPart, type DatabasePages } from './check/check-part.ts'
import type { Database } from './database/dialect.ts'
import { startShrinking } from './engines/shrinking.ts'
import { guardCalls } from './guard-calls.ts'
import type { Storage } from './port/storage.ts'
import { appendRecords } from './tables/append-records.ts'
import { asideTables } from './tables/aside-tables.ts'
import { attemptsTable } from './tables/attempts-table.ts'
import { collectionsTable } from './tables/collections-table.ts'
import { commitPage } from './tables/commit-page.ts'
import { connectionCleanups } from './tables/connection-cleanups.ts'
import { connectionQueue } from './tables/connection-queue.ts'
import { connectionsTable } from './tables/connections-table.ts'
import { credentialsTable } from './tables/credentials-table.ts'
import { damagedLinesTable } from './tables/damaged-lines-table.ts'
import { itemsTable } from './tables/items-table.ts'
import { keysTable } from './tables/keys-table.ts'
import { ledgerTable } from './tables/ledger-table.ts'
import { startPurging } from './tables/purge-collections.ts'
import { readsTable } from './tables/reads-table.ts'
import { recordPages } from './tables/record-pages.ts'
import { runsTable } from './tables/runs-table.ts'
import { scrubTable } from './tables/scrub-table.ts'
import { vaultTable } from './tables/vault-table.ts'

export type StorageParts = Database & {
  /** Of an engine whose database is a file. */
  file?: { pages: DatabasePages; shrinks: boolean }
  /** Nothing is removed from the database in the background. */
  isReader?: boolean
}

/** The storage over tables that are up to date. */
export function kyselyStorage(parts: StorageParts): Storage {
  return guardCalls(plainStorage(parts), parts)
}

/** Methods of the port under their names there, each over the database. */
const METHODS = {
  ...collectionsTable,
  ...recordPages,
  ...damagedLinesTable,
  ...keysTable,
  ...attemptsTable,
  ...connectionsTable,
  ...credentialsTable,
  ...vaultTable,
  ...connectionQueue,
  ...runsTable,
  ...readsTable,
  ...ledgerTable,
  ...itemsTable,
  ...connectionCleanups,
  ...asideTables,
  ...scrubTable,
  append: appendRecords,
  commitPage
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

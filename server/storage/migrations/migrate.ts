import { type Kysely, sql } from 'kysely'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import { Fault } from '../../../src/contract/faults.ts'
import type { Dialect } from '../database/dialect.ts'
import type { Db } from '../database/tables.ts'
import { MIGRATIONS, type Migration } from './migrations.ts'

export type MigrateOptions = {
  dialect: Dialect
  /** Milliseconds since 1970. */
  nowMs: EpochMs
  /** Those of this program, unless a test has others. */
  migrations?: readonly Migration[]
  /** Only a store that is there is brought up to date; none is made. */
  mustExist?: boolean | undefined
}

/**
 * Brings the tables to the newest version this program knows, all steps in one transaction and under a lock, so that of
 * several servers that start at once one does it and the others find it done.
 *
 * @throws Fault `conflict` where a newer program has changed the tables, `not_found` where there are none and `mustExist`.
 */
export async function migrate(
  db: Db,
  { dialect, nowMs, migrations = MIGRATIONS, mustExist }: MigrateOptions
): Promise<void> {
  const known = migrations.at(-1)?.version ?? 0
  if (await isUpToDate(db, known)) return
  await db.transaction().execute(async (transaction) => {
    await dialect.lock(transaction, 'migrations')
    const versions = toVersions(transaction)
    await createVersions(versions, dialect)
    const present = await newestVersion(versions)
    if (present > known) throw newerTables(present, known)
    if (present === 0 && mustExist === true) throw noStoreFault('the database has no tables of memctl')
    for (const { version, name, up } of migrations.filter((step) => step.version > present)) {
      await up(versions as unknown as Kysely<unknown>, dialect.types)
      await versions.insertInto('schema_versions').values({ version, name, applied_at: nowMs }).execute()
    }
  })
}

/**
 * Makes sure that the tables are those of this program, and changes nothing.
 *
 * @throws Fault `conflict` where they are older or newer, `not_found` where there are none.
 */
export async function assertUpToDate(db: Db): Promise<void> {
  const known = MIGRATIONS.at(-1)?.version ?? 0
  const present = await newestVersion(toVersions(db)).catch((error: unknown) => {
    if (/no such table|does not exist/.test(String(error))) return 0
    throw error
  })
  if (present > known) throw newerTables(present, known)
  if (present === 0) throw noStoreFault('the database has no tables of memctl')
  if (present < known) throw olderTables(present, known)
}

type Versions = { schema_versions: { version: number; name: string; applied_at: EpochMs } }

/** Asked first, so that a user who may not make tables will do where they are made. Any refusal comes again later. */
function isUpToDate(db: Db, known: number): Promise<boolean> {
  return newestVersion(toVersions(db)).then(
    (present) => present === known,
    () => false
  )
}

/** The table of versions is no business of the rest of the storage, so its type does not have it. */
function toVersions(db: Db): Kysely<Versions> {
  return db as unknown as Kysely<Versions>
}

async function createVersions(versions: Kysely<Versions>, { types }: Dialect): Promise<void> {
  await versions.schema
    .createTable('schema_versions')
    .ifNotExists()
    .addColumn('version', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('applied_at', types.integer, (column) => column.notNull())
    .execute()
}

async function newestVersion(versions: Kysely<Versions>): Promise<number> {
  const row = await versions
    .selectFrom('schema_versions')
    .select(sql<number>`coalesce(max(version), 0)`.as('newest'))
    .executeTakeFirstOrThrow()
  return row.newest
}

/** The fault of a storage that must be there and is not. `why` is a clause. */
export function noStoreFault(why: string): Fault {
  return new Fault('not_found', `there is no store: ${why}`, { hint: 'check --data-dir and --database-url' })
}

function olderTables(present: number, known: number): Fault {
  return new Fault('conflict', `the storage has tables of version ${present}, and this memctl needs version ${known}`, {
    hint: 'start the server once with this memctl, which brings them up to date'
  })
}

function newerTables(present: number, known: number): Fault {
  return new Fault('conflict', `the storage has tables of version ${present}, and this memctl knows up to ${known}`, {
    hint: 'start the newer memctl that changed them, or give another data folder or database'
  })
}

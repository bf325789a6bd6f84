import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, inject } from 'vitest'

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can extend an existing one
  interface ProvidedContext {
    /** The address at which tests request the PostgreSQL of this run. */
    postgresDoor: string
  }
}

/** The URL of a separate schema in the PostgreSQL of this run, or the reason why there is none. */
export type PostgresSchema = { url: string; admin: string; remove(): Promise<void> } | { reason: string }

/** Requests PostgreSQL. The first request waits for its start. */
async function askForPostgres(): Promise<{ url: string } | { reason: string }> {
  const response = await fetch(inject('postgresDoor'))
  return (await response.json()) as { url: string } | { reason: string }
}

/**
 * Returns the environment of a script that creates databases in the PostgreSQL of this run instead of starting its own.
 * If there is none, the script reports that itself.
 */
export async function postgresEnvironment(): Promise<Record<string, string>> {
  const said = await askForPostgres()
  return 'url' in said ? { MEMCTL_TEST_DATABASE_URL: said.url } : {}
}

/** Creates a schema in the PostgreSQL of this run. */
export async function postgresSchema(): Promise<PostgresSchema> {
  const said = await askForPostgres()
  if ('reason' in said) return said
  const name = `test_${randomBytes(8).toString('hex')}`
  await runSql(said.url, `create schema ${name}`)
  const url = new URL(said.url)
  url.searchParams.set('options', `-c search_path=${name}`)
  return { url: url.href, admin: said.url, remove: () => runSql(said.url, `drop schema ${name} cascade`) }
}

/**
 * Returns a `postgresSchema` for a test file whose tests change rows only, never tables. Its `remove` empties the tables
 * and keeps them for the next test, in a tenth of the time that new ones take. They are removed after the file.
 */
export function reusedPostgresSchema(): () => Promise<PostgresSchema> {
  const all: Exclude<PostgresSchema, { reason: string }>[] = []
  const free: typeof all = []
  afterAll(async () => {
    for (const schema of all) await schema.remove()
  })
  return async () => {
    const schema = free.pop() ?? (await postgresSchema())
    if ('reason' in schema) return schema
    if (!all.includes(schema)) all.push(schema)
    const remove = async (): Promise<void> => {
      await runSql(schema.url, DELETE_ALL_ROWS)
      free.push(schema)
    }
    return { ...schema, remove }
  }
}

/** Deletes the rows of each table except the versions of the tables. No foreign key asks for an order. */
const DELETE_ALL_ROWS = `do $$
  declare name text;
  begin
    for name in select relname from pg_class where relnamespace = current_schema()::regnamespace
      and relkind in ('r', 'p') and not relispartition and relname <> 'schema_versions'
    loop
      execute format('delete from %I', name);
    end loop;
  end $$`

async function runSql(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

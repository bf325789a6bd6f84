import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface adds to one that is there
  interface ProvidedContext {
    /** Where to ask for the PostgreSQL of this run. */
    postgresDoor: string
  }
}

/** A schema of its own in the PostgreSQL of this run, as a URL that leads into it; or why there is none. */
export type PostgresSchema = { url: string; admin: string; remove(): Promise<void> } | { reason: string }

/** Asks for PostgreSQL, which the first to ask has to wait for. */
async function askForPostgres(): Promise<{ url: string } | { reason: string }> {
  const response = await fetch(inject('postgresDoor'))
  return (await response.json()) as { url: string } | { reason: string }
}

/**
 * What a script is started with that makes databases in the PostgreSQL of this run instead of starting its own. Where there
 * is none, the script says so itself.
 */
export async function postgresEnvironment(): Promise<Record<string, string>> {
  const said = await askForPostgres()
  return 'url' in said ? { MEMCTL_TEST_DATABASE_URL: said.url } : {}
}

/** Makes a new schema in the PostgreSQL of this run. */
export async function postgresSchema(): Promise<PostgresSchema> {
  const said = await askForPostgres()
  if ('reason' in said) return said
  const name = `test_${randomBytes(8).toString('hex')}`
  await runSql(said.url, `create schema ${name}`)
  const url = new URL(said.url)
  url.searchParams.set('options', `-c search_path=${name}`)
  return { url: url.href, admin: said.url, remove: () => runSql(said.url, `drop schema ${name} cascade`) }
}

async function runSql(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

import pg from 'pg'
import { startPostgres } from '../../setup/start-postgres.mjs'

/**
 * Opens a PostgreSQL to measure: the one of `MEMCTL_TEST_DATABASE_URL`, or one that is started. `create` creates an
 * empty database in it and returns its URL; `stop` removes those, and what was started. `pause` and `resume` exist if
 * it was started here.
 */
export async function startDatabase() {
  const given = process.env.MEMCTL_TEST_DATABASE_URL
  const started = given ? undefined : await startPostgres()
  const url = given || started.url
  const made = []
  return {
    async create(name) {
      const database = `memctl_${name}_${process.pid}`
      made.push(database)
      await query(url, `create database ${database}`)
      const own = new URL(url)
      own.pathname = `/${database}`
      return own.href
    },
    pause: started?.pause,
    resume: started?.resume,
    async stop() {
      if (started === undefined) for (const name of made) await query(url, `drop database ${name} with (force)`)
      await started?.stop()
    }
  }
}

async function query(url, text) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import { startPostgres, UNSYNCED } from './start-postgres.mjs'

/**
 * Offers one PostgreSQL to all test files, started at the first request, so that a run that needs none pays nothing.
 * Tests request it on a loopback port and get `{ url }`, or `{ reason }` if this machine cannot run it.
 * `MEMCTL_TEST_DATABASE_URL` names one to use instead. It is stopped and removed after all tests, however they ended.
 */
export async function setup(project) {
  let started
  const answer = async () => {
    const given = process.env.MEMCTL_TEST_DATABASE_URL
    if (given) return { url: given }
    started ??= startPostgres(UNSYNCED)
    return started.then(
      ({ url }) => ({ url }),
      (error) => ({ reason: `PostgreSQL cannot be started here: ${error.message}` })
    )
  }
  // Closed each time, so that a later test does not get a connection that is being closed.
  const door = createServer((_, response) => {
    response.setHeader('connection', 'close')
    void answer().then((said) => response.end(JSON.stringify(said)))
  })
  door.listen(0, '127.0.0.1').unref()
  await once(door, 'listening')
  project.provide('postgresDoor', `http://127.0.0.1:${door.address().port}`)

  return async () => {
    door.close()
    await started?.then(
      (postgres) => postgres.stop(),
      () => undefined
    )
  }
}

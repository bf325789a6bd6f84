import { once } from 'node:events'
import { createServer } from 'node:http'
import { startPostgres, UNSYNCED } from './start-postgres.mjs'

/**
 * One PostgreSQL for all test files, started when the first of them asks for it: a run that needs none pays nothing. They
 * ask at a door on loopback and get `{ url }`, or `{ reason }` where this machine cannot run it. The one that
 * `MEMCTL_TEST_DATABASE_URL` names is used instead. Stopped and removed after all tests, however they ended.
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
  // Closed each time: a test that comes later must not meet a connection that is being given up.
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

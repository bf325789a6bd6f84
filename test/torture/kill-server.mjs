// `kill -9` of a server at random moments while eight clients store: everything acknowledged exists after the restart,
// which does not wait. `--only embedded` or `--only postgres`.
import { setTimeout as delay } from 'node:timers/promises'
import { openConnection, requestBytes } from '../bench/load/http-connection.mjs'
import { newKey, startServer } from '../bench/load/server-process.mjs'
import { callService, makeCollection } from '../bench/load/service.mjs'
import { startDatabase } from '../bench/load/start-database.mjs'
import { ensureBuilt, makeHome } from './kit/program.mjs'
import { createReport, options, PATIENCE } from './kit/report.mjs'

const CLIENTS = 8
/** Maximum time between the first acknowledgement and the kill, in milliseconds. */
const KILL_MS_MAX = 400
const START_MS_MAX = 10_000 * PATIENCE

const { count, seed, only, random } = options(100, ['embedded', 'postgres'])
const report = createReport(`kill -9 of a server that stores (seed ${seed})`)
ensureBuilt()
if (only !== 'postgres') await torture('embedded store', [])
if (only !== 'embedded') {
  const database = await startDatabase()
  try {
    await torture('PostgreSQL', ['--database-url', await database.create('killed')])
  } finally {
    await database.stop()
  }
}
report.finish()

async function torture(name, args) {
  const home = makeHome()
  const settings = { MEMCTL_ADMIN_KEY: newKey() }
  const start = () => startServer({ env: home.env, settings, args })
  let acknowledged = 0
  let server = await start()
  for (let round = 0; round < count; round++) {
    const id = await makeCollection(server, `round ${round}`)
    const stored = await storeUntilKilled(server, id, round)
    acknowledged += stored.size
    server = await start()
    const slow = server.readyMs > START_MS_MAX ? `ready only after ${Math.round(server.readyMs)} ms` : undefined
    report.case(name, slow ?? (await missingOf(server, id, stored)))
    await callService(server, { method: 'DELETE', path: `/v1/collections/${id}` })
  }
  await server.stop()
  report.note(name, `${acknowledged} acknowledged`)
}

/** Returns the ids that were acknowledged before the server was killed. */
async function storeUntilKilled(server, id, round) {
  const stored = new Set()
  const clients = Array.from({ length: CLIENTS }, (_, client) =>
    storeOnAndOn(server, { id, stored, name: `${round} ${client}` })
  )
  while (stored.size === 0) await delay(1)
  await delay(random() * KILL_MS_MAX)
  await server.kill('SIGKILL')
  await Promise.all(clients)
  return stored
}

async function storeOnAndOn(server, { id, stored, name }) {
  const connection = await openConnection(server.origin)
  try {
    for (let n = 0; ; n++) {
      const body = JSON.stringify({ collection_id: id, raw_text: `Note ${name} ${n}: the gate code is ${n}.` })
      const reply = await connection.send(requestBytes({ ...server, method: 'POST', path: '/v1/memories', body }))
      if (reply.status !== 201) throw new Error(`status ${reply.status}`)
      stored.add(JSON.parse(reply.body.toString()).memory_id)
    }
  } catch {
    // The server was killed as intended. What was not acknowledged may or may not be stored.
    connection.close()
  }
}

async function missingOf(server, id, stored) {
  const { snapshot } = await callService(server, {
    path: '/v1/device-memory/snapshot/export',
    body: { collection_id: id }
  })
  const there = new Set(snapshot.records.map((record) => record.id))
  const missing = [...stored].filter((memory) => !there.has(memory))
  return missing.length === 0 ? undefined : `${missing.length} of ${stored.size} acknowledged memories are missing`
}

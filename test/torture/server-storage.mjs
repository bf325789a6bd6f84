// A disk that becomes full under the server, and a database that goes away and comes back: 503 with Retry-After,
// nothing partially written, everything acknowledged exists, and the same process works again. `--only disk` or `--only
// database`.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openConnection, requestBytes } from '../bench/load/http-connection.mjs'
import { startServer } from '../bench/load/server-process.mjs'
import { callService, makeCollection } from '../bench/load/service.mjs'
import { startDatabase } from '../bench/load/start-database.mjs'
import { ensureBuilt, makeHome } from './kit/program.mjs'
import { createReport, options, PATIENCE } from './kit/report.mjs'

const SELF = fileURLToPath(import.meta.url)
const DISK = '16m'
const FILLER_BYTES = 4 * 1024 * 1024
const TEXT_BYTES = 200_000
const STORES_MAX = 400
/** Time limit for using a restored database again. */
const BACK_MS_MAX = 20_000 * PATIENCE

const { only } = options(1, ['disk', 'database', 'mounted'])
const report = createReport('storage that refuses')
ensureBuilt()
const home = makeHome()
if (only === 'mounted') await fillDisk(process.env.TORTURE_MOUNT)
else {
  if (only !== 'database') inMountNamespace()
  if (only !== 'disk') await databaseAway()
}
report.finish()

/** Runs the script on a small file system in its own mount namespace. */
function inMountNamespace() {
  const folder = join(home.folder, 'mount')
  mkdirSync(folder)
  const script = `mount -t tmpfs -o size=${DISK} none "$TORTURE_MOUNT" && exec "${process.execPath}" "${SELF}" --only mounted`
  const env = { ...process.env, TORTURE_MOUNT: folder }
  const { status, stdout, stderr, error } = spawnSync('unshare', ['-rm', 'sh', '-c', script], { env, encoding: 'utf8' })
  if (error !== undefined || !stdout?.startsWith('storage'))
    return report.note('full disk', 'left out: file systems cannot be mounted here')
  process.stdout.write(stdout)
  report.case('full disk', status === 0 ? undefined : `see above ${stderr}`)
}

async function fillDisk(folder) {
  const filler = join(folder, 'filler')
  writeFileSync(filler, Buffer.alloc(FILLER_BYTES, 1))
  const server = await startServer({ env: home.env, args: ['--data-dir', join(folder, 'data')] })
  const id = await makeCollection(server, 'full')
  const stored = new Set()
  const place = { server, id, stored }
  const refusals = await storeUntilRefused(place)
  report.case('refused when full', refusals)
  report.note('refused when full', `after ${stored.size} stores of ${TEXT_BYTES} bytes`)
  await sameAs(place, 'read while full')
  rmSync(filler)
  const { status } = await store(place, 'There is room again.')
  report.case('room again', status === 201 ? undefined : `status ${status}`)
  await sameAs(place, 'all is there')
  await server.kill('SIGKILL')
  const again = await startServer({
    env: home.env,
    args: ['--data-dir', join(folder, 'data')],
    settings: { MEMCTL_ADMIN_KEY: server.key }
  })
  await sameAs({ ...place, server: again }, 'all is there after kill -9')
  await again.stop()
}

async function storeUntilRefused(place) {
  for (let n = 0; n < STORES_MAX; n++) {
    // One word, because extracting from many would take longer than storing.
    const text = `Part ${n}. ${'x'.repeat(TEXT_BYTES)}`
    const reply = await store(place, text)
    if (reply.status !== 201) return unlikeRefusal(reply)
  }
  return 'the disk never became full'
}

function unlikeRefusal({ status, head, body }) {
  const code = JSON.parse(body.toString()).code
  if (status !== 503 || code !== 'unavailable') return `${status} ${body.toString().slice(0, 200)}`
  return /\r\nretry-after:/i.test(head) ? undefined : 'no Retry-After'
}

async function store({ server, id, stored }, text) {
  const connection = await openConnection(server.origin)
  try {
    const body = JSON.stringify({ collection_id: id, raw_text: text })
    const reply = await connection.send(requestBytes({ ...server, method: 'POST', path: '/v1/memories', body }))
    if (reply.status === 201) stored.add(JSON.parse(reply.body.toString()).memory_id)
    return reply
  } finally {
    connection.close()
  }
}

/** Checks that the collection contains exactly what was acknowledged. */
async function sameAs({ server, id, stored }, name) {
  try {
    const path = '/v1/device-memory/snapshot/export'
    const { snapshot } = await callService(server, { path, body: { collection_id: id } })
    const there = new Set(snapshot.records.map((record) => record.id))
    const missing = [...stored].filter((one) => !there.has(one)).length
    const problem = missing > 0 ? `${missing} are missing` : `${there.size} instead of ${stored.size}`
    report.case(name, missing > 0 || there.size !== stored.size ? problem : undefined)
  } catch (error) {
    report.case(name, error.message)
  }
}

async function databaseAway() {
  const database = await startDatabase()
  if (database.pause === undefined) return report.note('database away', 'left out: the database is not ours to stop')
  const url = await database.create('away')
  const server = await startServer({ env: home.env, args: ['--database-url', url] })
  try {
    const id = await makeCollection(server, 'away')
    const place = { server, id, stored: new Set() }
    for (let n = 0; n < 20; n++) await store(place, `Before it went, ${n}.`)
    await database.pause()
    for (let n = 0; n < 5; n++) {
      const reply = await store(place, `While it is away, ${n}.`)
      report.case('store while it is away', unlikeRefusal(reply))
    }
    report.case('health while it is away', await statusOf(server, '/healthz', 200))
    report.case('readiness while it is away', await statusOf(server, '/readyz', 503))
    await database.resume()
    report.case('store when it is back', await backWithin(place))
    report.case('readiness when it is back', await statusOf(server, '/readyz', 200))
    await sameAs(place, 'all is there')
  } finally {
    await server.stop()
    await database.stop()
  }
}

async function backWithin(place) {
  const started = performance.now()
  while (performance.now() - started < BACK_MS_MAX) {
    const { status } = await store(place, 'It is back.')
    if (status === 201) return undefined
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return `still refused after ${BACK_MS_MAX} ms`
}

async function statusOf(server, path, wanted) {
  const connection = await openConnection(server.origin)
  const { status } = await connection.send(requestBytes({ ...server, method: 'GET', path }))
  connection.close()
  return status === wanted ? undefined : `status ${status}`
}

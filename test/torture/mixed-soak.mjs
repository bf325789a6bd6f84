// A server under mixed load for a long time, on each storage engine: interrupted exports and uploads, stores, searches,
// syncs, complete exports and wrong keys. Afterwards nothing is in flight, descriptors and memory are those of an idle
// server, the log consists of complete JSON lines, and it stops immediately. `--count` is the time in seconds for each
// engine; `--only embedded` or `--only postgres`.
import { existsSync, readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { newKey, startServer } from '../bench/load/server-process.mjs'
import { callService, makeCollection } from '../bench/load/service.mjs'
import { startDatabase } from '../bench/load/start-database.mjs'
import { leaveExport, leaveUpload, uploadWithWrongKey } from './kit/leaving-clients.mjs'
import { ensureBuilt, makeHome } from './kit/program.mjs'
import { createReport, options, PATIENCE, skip } from './kit/report.mjs'
import { startSandbox } from './kit/sandbox-process.mjs'
import { asked, change, connectFolder, newFolder, syncOnce } from './kit/syncing.mjs'

const WHOLE = 900
const { count: seconds, seed, only, random } = options(WHOLE, ['embedded', 'postgres'])
/** The share of the time after which an idle server is measured for comparison. */
const WARM_UP_SHARE = 0.2
/** How long an idle server may take to release its memory, in milliseconds. */
const SETTLE_MS_MAX = 60_000 * PATIENCE
const STEADY_SECONDS = 3
const DESCRIPTORS_MORE_MAX = 8
const MEMORY_MORE_MB_MAX = 150
/** Far below the 30 seconds that the server would wait for requests in flight. */
const STOP_MS_MAX = 8000 * PATIENCE
const MEMORIES = seconds < WHOLE ? 100 : 300
const TEXT = 'Ada moved to Lisbon and Ben likes tea. '.repeat(200)

if (!existsSync('/proc/self/fd')) skip('descriptors of a process can be counted in /proc only')
const report = createReport(`${seconds} s of mixed load on each engine (seed ${seed})`)
ensureBuilt()
if (only !== 'postgres') await soak('embedded', [])
if (only !== 'embedded') {
  const database = await startDatabase()
  try {
    await soak('postgres', ['--database-url', await database.create('soak')])
  } finally {
    await database.stop()
  }
}
report.finish()

async function soak(engine, args) {
  const home = makeHome()
  const sandbox = await startSandbox(home.env)
  const server = await startServer({ env: home.env, settings: { ...sandbox.environment }, args })
  const check = (name, problem) => report.case(`${engine}: ${name}`, problem)
  const place = { server, sandbox, check, collectionId: await makeCollection(server, 'soak') }
  for (let nth = 0; nth < MEMORIES; nth++) await store(place, nth)
  const folder = await newFolder(sandbox, 'soak')
  await change(sandbox, 'cloud_drive add_file', { parent: folder, name: 'note.txt', text: 'What it begins with.' })
  const connection = await connectFolder(server, { collectionId: place.collectionId, folder })
  const loads = loadsOf(place, { folder, connection })

  await runLoads(loads, seconds * 1000 * WARM_UP_SHARE)
  const before = await settled(server)
  await runLoads(loads, seconds * 1000 * (1 - WARM_UP_SHARE))
  const after = await settled(server, before)
  check('in flight', after.inFlight === 0 ? undefined : `${after.inFlight} requests, ${after.working} places`)
  check('body bytes', after.bodyBytes === 0 ? undefined : `${after.bodyBytes} bytes`)
  const descriptors = after.descriptors - before.descriptors
  check('descriptors', descriptors > DESCRIPTORS_MORE_MAX ? `${descriptors} more` : undefined)
  report.note(`${engine}: descriptors`, `${before.descriptors} idle before, ${after.descriptors} after`)
  const mb = after.memoryMb - before.memoryMb
  check('memory', mb > MEMORY_MORE_MB_MAX ? `${mb.toFixed(0)} MB more` : undefined)
  report.note(`${engine}: memory`, `${before.memoryMb.toFixed(0)} MB idle before, ${after.memoryMb.toFixed(0)} after`)

  await Promise.all(Array.from({ length: 50 }, () => leaveExport(server, { ...place, random })))
  const start = performance.now()
  const { code } = await server.stop()
  const ms = performance.now() - start
  check('stop', code === 0 && ms <= STOP_MS_MAX ? undefined : `exit ${code} after ${Math.round(ms)} ms`)
  report.note(`${engine}: stop`, `${Math.round(ms)} ms`)
  check('log', strayLine(server.said()))
  await sandbox.end()
}

/** Returns the repeated operations by name, with their concurrency. */
function loadsOf(place, { folder, connection }) {
  const { server, sandbox, collectionId, check } = place
  let stored = 0
  let edits = 0
  const wrongKey = newKey()
  return [
    { name: 'exports left', clients: 4, once: () => leaveExport(server, { collectionId, random }) },
    { name: 'uploads left', clients: 2, once: () => leaveUpload(server, { collectionId, random }) },
    { name: 'stores', clients: 2, once: () => store(place, stored++ % MEMORIES) },
    { name: 'searches', clients: 2, once: () => search(place) },
    { name: 'whole exports', clients: 1, once: () => exportWhole(place) },
    {
      name: 'wrong keys',
      clients: 1,
      async once() {
        const status = await uploadWithWrongKey(server, { collectionId, key: wrongKey })
        if (status !== 401 && status !== 429) throw new Error(`answered ${status}`)
      }
    },
    {
      name: 'syncs',
      clients: 1,
      async once() {
        const text = `The note was edited ${edits++} times. ${TEXT}`
        await change(sandbox, 'cloud_drive add_file', { parent: folder, name: `${edits % 20}.txt`, text })
        const { outcome } = await syncOnce(server, connection)
        if (outcome !== 'succeeded' && outcome !== 'partial') throw new Error(`the run ended as ${outcome}`)
      }
    },
    {
      name: 'readiness',
      clients: 1,
      async once() {
        const { status, said } = await asked(server, 'GET /readyz')
        if (status !== 200) throw new Error(`${status} ${said}`)
        await delay(100)
      }
    }
  ].map((load) => ({ ...load, check: (problem) => check(load.name, problem) }))
}

async function runLoads(loads, ms) {
  const end = performance.now() + ms
  const client = async ({ once, check }) => {
    while (performance.now() < end)
      await once().then(
        () => check(),
        (error) => check(error.message)
      )
  }
  await Promise.all(loads.flatMap((load) => Array.from({ length: load.clients }, () => client(load))))
}

async function store({ server, collectionId }, nth) {
  const body = { collection_id: collectionId, raw_text: `Memory ${nth}. ${TEXT}` }
  await callService(server, { path: '/v1/memories', body })
}

async function search({ server, collectionId }) {
  const body = { collection_ids: [collectionId], query: 'where does Ada live' }
  const { sources } = await callService(server, { path: '/v1/memories/search', body })
  if (sources.length === 0) throw new Error('nothing was found')
}

async function exportWhole({ server, collectionId }) {
  const body = { collection_id: collectionId }
  const { snapshot } = await callService(server, { path: '/v1/device-memory/snapshot/export', body })
  if (snapshot.records.length < MEMORIES) throw new Error(`${snapshot.records.length} records`)
}

/** Returns the usage of an idle server once it is steady and not above `before`, or after the maximum wait. */
async function settled(server, before) {
  const end = performance.now() + SETTLE_MS_MAX
  let last
  for (let steady = 0; ; ) {
    await delay(1000)
    const now = await usage(server)
    steady = now.inFlight === 0 && now.descriptors === last?.descriptors ? steady + 1 : 0
    const isBack = before === undefined || now.descriptors <= before.descriptors + DESCRIPTORS_MORE_MAX
    if ((steady >= STEADY_SECONDS && isBack) || performance.now() > end) return now
    last = now
  }
}

async function usage(server) {
  const { said } = await asked(server, 'GET /metrics')
  const metric = (name) => Number(new RegExp(`^memctl_http_${name} (\\d+)$`, 'm').exec(said)?.[1])
  return {
    // Without the current request.
    inFlight: metric('requests_in_flight') - 1,
    working: metric('requests_working'),
    bodyBytes: metric('body_bytes_in_flight'),
    descriptors: readdirSync(`/proc/${server.pid}/fd`).length,
    memoryMb: server.memoryMb()
  }
}

/** Returns a log line that is not JSON. The first and last one may be incomplete. */
function strayLine(said) {
  const stray = said
    .split('\n')
    .slice(1, -1)
    // The first start reports the new key on the same stream.
    .find((line) => !/^\{.*\}$|^created an admin key/.test(line))
  return stray === undefined ? undefined : `"${stray.slice(0, 200)}"`
}

import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { requestBytes } from '../load/http-connection.mjs'
import { percentile, probe, runLoad } from '../load/run-load.mjs'
import { startServer } from '../load/server-process.mjs'
import { makeCollection, restoreFile } from '../load/service.mjs'
import { makeSnapshot } from '../make-snapshot.mjs'
import { table } from '../results-file.mjs'
import { benchFolder, inTurn, runNode } from '../run-process.mjs'
import { sized } from '../sized.mjs'
import { syntheticMemories, syntheticQueries } from '../synthetic-memories.mjs'

const MEMORIES = sized(100_000, 200)
const QUERIES = sized(3000, 20)
/** Requests until both engines are at full speed, and the second thread has the index too. */
const WARM_UP = sized(2000, 5)
const CONNECTIONS = sized(32, 2)
/** Idle time between readiness and the measurement of memory. */
const IDLE_MS = sized(500, 0)
const STARTS = sized(7, 1)
const BARE_ROUNDS = sized(5, 1)
const LIBRARY = new URL('../../../dist/device.js', import.meta.url).href

/** Measures the server on the embedded store and the device engine on the same memories: start, filling, searching. */
export const serverSection = {
  title: `Server: start, and searching ${MEMORIES.toLocaleString('en')} memories over HTTP`,
  async run() {
    const bench = benchFolder()
    const rows = [['what', 'result', 'reference']]
    rows.push(...(await startRows(bench)))
    const path = makeSnapshot(bench, 'many', syntheticMemories(MEMORIES))
    const device = await deviceTimes(path, bench)
    const server = await startServer({ env: bench.env })
    try {
      const id = await makeCollection(server, 'many')
      const seconds = await restoreFile(server, id, readFileSync(path, 'utf8'))
      rows.push(['bulk import through `…/records`', `${Math.round(MEMORIES / seconds)} memories/s`, ''])
      rows.push(...(await searchRows(server, id, device)))
    } finally {
      await server.stop()
      bench.remove()
    }
    return table(rows)
  }
}

async function startRows(bench) {
  const starts = []
  for (let round = 0; round < STARTS; round++) {
    const server = await startServer({ env: bench.env, args: ['--data-dir', join(bench.folder, `start-${round}`)] })
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
    starts.push({ ms: server.readyMs, mb: server.memoryMb() })
    await server.stop()
  }
  const middle = (name) => starts.map((one) => one[name]).sort((a, b) => a - b)[Math.floor(STARTS / 2)]
  const { bare } = inTurn(BARE_ROUNDS, { bare: () => runNode(['-e', '0']) })
  return [
    [
      'first start until ready, with an empty data folder',
      `${middle('ms').toFixed(0)} ms`,
      `bare node ${bare.ms.toFixed(0)} ms`
    ],
    ['resident memory, idle', `${middle('mb').toFixed(0)} MB`, `bare node ${bare.mb.toFixed(0)} MB`]
  ]
}

/** Measures the library on the same queries, in this process. */
async function deviceTimes(path, { folder }) {
  const { openDevice } = await import(LIBRARY)
  const device = openDevice(path, { cacheFolder: join(folder, 'device-cache') })
  const times = []
  for (const [n, query] of queries().entries()) {
    const start = performance.now()
    await device.search(query)
    if (n >= WARM_UP) times.push(performance.now() - start)
  }
  device.close()
  const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length
  return {
    mean,
    p50: percentile(
      times.sort((a, b) => a - b),
      50
    )
  }
}

function queries() {
  return syntheticQueries(WARM_UP + QUERIES)
}

async function searchRows(server, id, device) {
  const requests = queries().map((query) => searchRequest(server, id, query))
  const load = (connections, from, count) =>
    runLoad({ origin: server.origin, connections, count, requestOf: (n) => requests[from + n] })
  const coldStart = performance.now()
  await load(1, 0, 1)
  const coldMs = performance.now() - coldStart
  await load(1, 0, WARM_UP)
  const one = await load(1, WARM_UP, QUERIES)
  await load(CONNECTIONS, 0, WARM_UP)
  await load(CONNECTIONS, 0, WARM_UP)
  const stopProbe = await probe({ origin: server.origin, request: healthRequest(server), pauseMs: 20 })
  const many = await load(CONNECTIONS, WARM_UP, QUERIES)
  const health = await stopProbe()
  const perSecond = QUERIES / many.seconds
  const ideal = (availableParallelism() * 1000) / device.mean
  const p50 = percentile(one.times, 50)
  return [
    ['first search, which builds the index from the rows', `${coldMs.toFixed(0)} ms`, ''],
    [
      'search over HTTP, one connection, p50 / p99',
      `${p50.toFixed(2)} / ${percentile(one.times, 99).toFixed(2)} ms`,
      `device engine p50 ${device.p50.toFixed(2)}, mean ${device.mean.toFixed(2)} ms: ${(p50 - device.p50).toFixed(2)} ms more`
    ],
    [
      `search, ${CONNECTIONS} connections`,
      `${Math.round(perSecond)}/s, p50 / p99 ${percentile(many.times, 50).toFixed(1)} / ${percentile(many.times, 99).toFixed(1)} ms`,
      `${(perSecond / ideal).toFixed(2)} x processors / mean device time`
    ],
    [
      '`/healthz` meanwhile, p50 / p99',
      `${percentile(health, 50).toFixed(1)} / ${percentile(health, 99).toFixed(1)} ms`,
      ''
    ],
    ['resident memory afterwards', `${server.memoryMb().toFixed(0)} MB`, '']
  ]
}

function searchRequest({ origin, key }, id, query) {
  const body = JSON.stringify({ collection_ids: [id], query })
  return requestBytes({ origin, key, method: 'POST', path: '/v1/memories/search', body })
}

function healthRequest({ origin }) {
  return requestBytes({ origin, method: 'GET', path: '/healthz' })
}

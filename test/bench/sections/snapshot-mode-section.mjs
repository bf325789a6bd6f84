import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openConnection, requestBytes } from '../load/http-connection.mjs'
import { startServer } from '../load/server-process.mjs'
import { makeSnapshot } from '../make-snapshot.mjs'
import { table } from '../results-file.mjs'
import { benchFolder } from '../run-process.mjs'
import { sized } from '../sized.mjs'
import { syntheticMemories } from '../synthetic-memories.mjs'

/** Their snapshot makes a body of about 10 MB. */
const MEMORIES = sized(28_000, 200)
const ROUNDS = sized(9, 1)
const QUERY = 'what did Anna say about the garden'
const LIBRARY = new URL('../../../dist/device.js', import.meta.url).href

/** Measures a search that sends its snapshot along, compared with parsing the same body and building the index here. */
export const snapshotModeSection = {
  title: 'Server: searching a snapshot of 10 MB in the request',
  async run() {
    const bench = benchFolder()
    const { path, body } = makeBody(bench)
    const server = await startServer({ env: bench.env })
    try {
      const { openDevice } = await import(LIBRARY)
      const runs = { offline: [], server: [] }
      const connection = await openConnection(server.origin)
      const request = requestBytes({ ...server, method: 'POST', path: '/v1/memories/search', body })
      for (let round = 0; round <= ROUNDS; round++) {
        const offline = await offlineMs(openDevice, { path, body, folder: bench.folder })
        const online = await timed(() => connection.send(request))
        if (online.value.status !== 200) throw new Error(online.value.body.toString().slice(0, 300))
        if (round === 0) continue
        runs.offline.push(offline)
        runs.server.push(online.ms)
      }
      connection.close()
      const [offline, online] = [middle(runs.offline), middle(runs.server)]
      return table([
        ['what', 'ms', 'ratio'],
        [
          `parse ${(body.length / 1e6).toFixed(1)} MB, build the index and search in this process`,
          offline.toFixed(0),
          '1.00x'
        ],
        ['the same over HTTP', online.toFixed(0), `${(online / offline).toFixed(2)}x`]
      ])
    } finally {
      await server.stop()
      bench.remove()
    }
  }
}

/** Builds a snapshot in the object form of this size, and the request's body around it. */
function makeBody(bench) {
  const lines = readFileSync(makeSnapshot(bench, 'ten', syntheticMemories(MEMORIES)), 'utf8')
    .trimEnd()
    .split('\n')
  const [header, ...records] = lines
  const path = join(bench.folder, 'ten.json')
  const snapshot = `{"records":[${records.join(',')}],${header.slice(1)}`
  writeFileSync(path, snapshot)
  return { path, body: `{"query":${JSON.stringify(QUERY)},"snapshot":${snapshot}}` }
}

async function offlineMs(openDevice, { path, body, folder }) {
  const cacheFolder = mkdtempSync(join(folder, 'offline-'))
  const { ms } = await timed(async () => {
    JSON.parse(body)
    const device = openDevice(path, { cacheFolder })
    await device.search(QUERY)
    device.close()
  })
  return ms
}

async function timed(work) {
  const start = performance.now()
  const value = await work()
  return { ms: performance.now() - start, value }
}

function middle(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}

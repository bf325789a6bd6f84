import { readFileSync } from 'node:fs'
import { requestBytes } from '../load/http-connection.mjs'
import { percentile, runLoad } from '../load/run-load.mjs'
import { startServer } from '../load/server-process.mjs'
import { makeCollection, restoreFile } from '../load/service.mjs'
import { makeSnapshot } from '../make-snapshot.mjs'
import { table } from '../results-file.mjs'
import { benchFolder } from '../run-process.mjs'
import { sized } from '../sized.mjs'
import { syntheticMemories } from '../synthetic-memories.mjs'

const STORES = sized(3000, 20)
const WARM_UP = sized(200, 5)
const CONNECTIONS = sized(32, 2)
const MEMORIES = sized(100_000, 200)

/** Measures single stores over HTTP, each acknowledged once it is on the disk, and a whole collection as a stream. */
export const serverWriteSection = {
  title: 'Server: storing over HTTP, and exporting',
  async run() {
    const bench = benchFolder()
    const path = makeSnapshot(bench, 'many', syntheticMemories(MEMORIES))
    const server = await startServer({ env: bench.env })
    try {
      return table([
        ['what', 'result', 'ms, p50 / p99'],
        ...(await storeRows(server)),
        ...(await exportRows(server, path))
      ])
    } finally {
      await server.stop()
      bench.remove()
    }
  }
}

async function storeRows(server) {
  const id = await makeCollection(server, 'stores')
  const texts = syntheticMemories(WARM_UP + 2 * STORES, 7).map(({ text, at, ...fields }) => ({
    raw_text: text,
    metadata: { ...fields, at: new Date(at).toISOString() }
  }))
  const requests = texts.map((memory) => storeRequest(server, id, memory))
  const load = (connections, from, count) =>
    runLoad({ origin: server.origin, connections, count, requestOf: (n) => requests[from + n] })
  await load(CONNECTIONS, 0, WARM_UP)
  const one = await load(1, WARM_UP, STORES)
  const many = await load(CONNECTIONS, WARM_UP + STORES, STORES)
  return [
    ['stores, one connection', ...storeCells(one)],
    [`stores, ${CONNECTIONS} connections`, ...storeCells(many)]
  ]
}

function storeCells({ times, seconds }) {
  const ms = [50, 99].map((percent) => percentile(times, percent).toFixed(1)).join(' / ')
  return [`${Math.round(times.length / seconds)} memories/s`, ms]
}

function storeRequest({ origin, key }, id, memory) {
  const body = JSON.stringify({ collection_id: id, ...memory })
  return requestBytes({ origin, key, method: 'POST', path: '/v1/memories', body })
}

async function exportRows(server, path) {
  const id = await makeCollection(server, 'many')
  await restoreFile(server, id, readFileSync(path, 'utf8'))
  await exportLines(server, id)
  const before = server.memoryMb()
  let peak = before
  const start = performance.now()
  const bytes = await exportLines(server, id, () => {
    peak = Math.max(peak, server.memoryMb())
  })
  const seconds = (performance.now() - start) / 1000
  return [
    [`export of ${MEMORIES.toLocaleString('en')} memories as lines`, `${(bytes / 1e6 / seconds).toFixed(0)} MB/s`, ''],
    ['… growth of the memory of the server', `${(peak - before).toFixed(0)} MB`, `of ${before.toFixed(0)} MB`]
  ]
}

/** Reads an export to its last line like a client that keeps nothing. Returns the number of bytes. */
async function exportLines({ origin, key }, id, onChunk = () => undefined) {
  const reply = await fetch(`${origin}/v1/device-memory/snapshot/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'application/jsonl' },
    body: JSON.stringify({ collection_id: id })
  })
  let bytes = 0
  let chunks = 0
  let tail = ''
  for await (const chunk of reply.body) {
    bytes += chunk.length
    if (chunks++ % CHUNKS_A_LOOK === 0) onChunk()
    tail = (tail + Buffer.from(chunk.subarray(-TAIL_BYTES)).toString('latin1')).slice(-TAIL_BYTES)
  }
  if (!/\{"type":"end"[^\n]*\}\n?$/.test(tail)) throw new Error(`the export broke off: ${tail}`)
  return bytes
}

const CHUNKS_A_LOOK = 16
const TAIL_BYTES = 200

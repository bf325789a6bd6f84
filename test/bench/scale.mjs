/**
 * `npm run bench:scale`: one PostgreSQL, and 1, 2 and 4 nodes over it. Measures the throughput of storing and
 * searching, and whether a memory stored on one node is found on another immediately. The database is
 * `MEMCTL_TEST_DATABASE_URL` or one that is started.
 */

import { ensureDescriptors } from './load/descriptors.mjs'
import { requestBytes } from './load/http-connection.mjs'
import { percentile, runLoad } from './load/run-load.mjs'
import { newKey, startServer } from './load/server-process.mjs'
import { callService, makeCollection } from './load/service.mjs'
import { startDatabase } from './load/start-database.mjs'
import { keepResults, table } from './results-file.mjs'
import { benchFolder } from './run-process.mjs'
import { syntheticMemories, syntheticQueries } from './synthetic-memories.mjs'

const NODES = [1, 2, 4]
const COLLECTIONS = 8
const STORES = 4000
/** Warm-up stores on each node: the first of them loads the language data. */
const WARM_UP = 400
const SEARCHES = 4000
const CONNECTIONS = 32
const HAND_OVERS = 200

ensureDescriptors(4096)
const database = await startDatabase()
try {
  const rows = [['nodes', 'stores/s', 'searches/s, p50 / p99 ms', 'found on another node at once, p50 / p99 ms']]
  for (const count of NODES) rows.push(await measure(count))
  const lines = table(rows)
  const title = 'Nodes over one PostgreSQL'
  console.log(`${title}\n${lines.join('\n')}`)
  keepResults(title, 'npm run bench:scale', lines)
} finally {
  await database.stop()
}

async function measure(count) {
  const bench = benchFolder()
  const url = await database.create(`scale_${count}`)
  const settings = { MEMCTL_ADMIN_KEY: newKey() }
  const nodes = []
  try {
    for (let n = 0; n < count; n++)
      nodes.push(await startServer({ env: bench.env, settings, args: ['--database-url', url] }))
    const ids = []
    for (let n = 0; n < COLLECTIONS; n++) ids.push(await makeCollection(nodes[0], `collection ${n}`))
    await overNodes(nodes, WARM_UP * count, storeRequests(nodes, ids, WARM_UP * count))
    const stored = await overNodes(nodes, STORES, storeRequests(nodes, ids, STORES))
    await overNodes(nodes, COLLECTIONS * count * 4, searchRequests(nodes, ids))
    const searched = await overNodes(nodes, SEARCHES, searchRequests(nodes, ids))
    const handed = await handOver(nodes, ids[0])
    return [
      count,
      Math.round(STORES / stored.seconds),
      `${Math.round(SEARCHES / searched.seconds)}/s, ${middleAndLast(searched.times)}`,
      `${handed.found} of ${HAND_OVERS}, ${middleAndLast(handed.times)}`
    ]
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
    bench.remove()
  }
}

/** Puts the same load on all nodes at once, with the connections divided among them. */
async function overNodes(nodes, count, requestsOf) {
  const start = performance.now()
  const share = { connections: CONNECTIONS / nodes.length, count: count / nodes.length }
  const loads = await Promise.all(
    nodes.map(({ origin }, node) => runLoad({ origin, ...share, requestOf: (n) => requestsOf(node, n) }))
  )
  return {
    times: loads.flatMap(({ times }) => times).sort((a, b) => a - b),
    seconds: (performance.now() - start) / 1000
  }
}

function storeRequests(nodes, ids, total) {
  const memories = syntheticMemories(total, total)
  return (node, n) => {
    const at = node * (total / nodes.length) + n
    const { text, at: time, ...fields } = memories[at]
    const metadata = { ...fields, at: new Date(time).toISOString() }
    return call(nodes[node], '/v1/memories', { collection_id: ids[at % ids.length], raw_text: text, metadata })
  }
}

function searchRequests(nodes, ids) {
  const queries = syntheticQueries(SEARCHES, 11)
  return (node, n) =>
    call(nodes[node], '/v1/memories/search', {
      collection_ids: [ids[n % ids.length]],
      query: queries[n % queries.length]
    })
}

function call({ origin, key }, path, body) {
  return requestBytes({ origin, key, method: 'POST', path, body: JSON.stringify(body) })
}

/**
 * Stores on one node and searches on the next immediately. Returns how often the first search finds it, and how long
 * both took.
 */
async function handOver(nodes, id) {
  const times = []
  let found = 0
  for (let n = 0; n < HAND_OVERS; n++) {
    const word = `zanzibar${n}quux`
    const [from, to] = [nodes[n % nodes.length], nodes[(n + 1) % nodes.length]]
    const start = performance.now()
    await callService(from, {
      path: '/v1/memories',
      body: { collection_id: id, raw_text: `The word of the day is ${word}.` }
    })
    const answer = await callService(to, { path: '/v1/memories/search', body: { collection_ids: [id], query: word } })
    times.push(performance.now() - start)
    if (answer.sources.some(({ text }) => text.includes(word))) found++
  }
  return { found, times: times.sort((a, b) => a - b) }
}

function middleAndLast(times) {
  return `${percentile(times, 50).toFixed(1)} / ${percentile(times, 99).toFixed(1)}`
}

import pg from 'pg'
import { connectInSandbox } from '../load/consent.mjs'
import { sandboxOrders } from '../load/sandbox-orders.mjs'
import { newKey, startSandbox, startServer } from '../load/server-process.mjs'
import { makeCollection } from '../load/service.mjs'
import { metricsOf, runsOf, succeeded } from '../load/syncing.mjs'
import { benchFolder } from '../run-process.mjs'
import { sized } from '../sized.mjs'

const CONNECTIONS = sized(1000, 6)
const ACCOUNTS = 3
const NODES = sized(4, 2)
/** Number of connections that are checked together. */
const TOGETHER = 16

/**
 * Measures connections that all become due at once, and nodes over one PostgreSQL that sync them: how long it takes,
 * and how often each is synced.
 */
export async function dueRow(database) {
  const bench = benchFolder()
  const sandbox = await startSandbox(bench)
  const url = await database.create('due')
  const settings = { MEMCTL_ADMIN_KEY: newKey(), ...sandbox.environment }
  const start = () => startServer({ env: bench.env, settings, args: ['--database-url', url] })
  const nodes = [await start()]
  try {
    const connections = await connectMany(nodes[0], sandbox)
    while (nodes.length < NODES) nodes.push(await start())
    const before = await Promise.all(nodes.map(runsEnded))
    await makeDue(url)
    const seconds = await allSynced(nodes[0], connections)
    const after = await Promise.all(nodes.map(runsEnded))
    const shares = after.map((count, node) => count - before[node])
    const total = shares.reduce((sum, share) => sum + share, 0)
    if (total !== CONNECTIONS) throw new Error(`${total} syncs ended of ${CONNECTIONS} connections`)
    return [
      `${CONNECTIONS.toLocaleString('en')} connections due at once, ${NODES} nodes on PostgreSQL`,
      `all synced after ${seconds.toFixed(1)} s, each once (${shares.join(' + ')})`,
      'each claimed exactly once'
    ]
  } finally {
    await Promise.all([...nodes, sandbox].map((one) => one.stop()))
    bench.remove()
  }
}

/** Creates connections that each select an empty folder, so that a sync consists mainly of its claim. */
async function connectMany(server, sandbox) {
  const folders = await emptyFolders(sandbox)
  const connections = []
  let collectionId
  for (let n = 0; n < CONNECTIONS; n++) {
    const account = n % ACCOUNTS
    if (account === 0) collectionId = await makeCollection(server, `collection ${n}`)
    const asked = { provider: 'cloud_drive', collectionId, account, config: { folder_ids: [folders[account]] } }
    connections.push(await connectInSandbox(server, asked))
  }
  await each(connections, (connection) => succeeded(server, connection))
  return connections
}

/** Creates one folder in each account, because an account can select only its own folders. */
async function emptyFolders(sandbox) {
  const ids = []
  for (let account = 0; account < ACCOUNTS; account++) {
    const { change } = sandboxOrders(sandbox, account)
    const { id } = await change('cloud_drive', 'add_folder', { parent: 'root', name: 'empty' })
    ids.push(id)
  }
  return ids
}

async function makeDue(url) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query(`update connections set next_run_at = 0 where status = 'active'`)
    if (rowCount !== CONNECTIONS) throw new Error(`${rowCount} connections are active`)
  } finally {
    await client.end()
  }
}

/** Waits until all have synced and returns the seconds. Throws if one was synced more than once. */
async function allSynced(server, connections) {
  const start = performance.now()
  const from = Date.now()
  let last = 0
  await each(connections, async (connection) => {
    const { id } = (await runsOf(server, connection)).at(-1)
    await succeeded(server, connection, { after: id })
    const runs = await runsOf(server, connection)
    if (runs.length !== 2) throw new Error(`${connection} was synced ${runs.length - 1} times`)
    last = Math.max(last, Date.parse(runs[0].ended_at))
  })
  return last > 0 ? (last - from) / 1000 : (performance.now() - start) / 1000
}

async function runsEnded(node) {
  const metrics = Object.entries(await metricsOf(node))
  return metrics.reduce((sum, [name, value]) => sum + (name.startsWith('memctl_sync_runs_total') ? value : 0), 0)
}

async function each(values, work) {
  const waiting = [...values]
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next)
  }
  await Promise.all(Array.from({ length: TOGETHER }, worker))
}

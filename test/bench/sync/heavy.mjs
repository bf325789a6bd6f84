import { join } from 'node:path'
import { connectInSandbox } from '../load/consent.mjs'
import { sandboxOrders } from '../load/sandbox-orders.mjs'
import { newKey, startSandbox, startServer } from '../load/server-process.mjs'
import { callService, makeCollection } from '../load/service.mjs'
import { checkHeld, runsOf, succeeded, until } from '../load/syncing.mjs'
import { benchFolder } from '../run-process.mjs'
import { sized } from '../sized.mjs'

const LARGE_BYTES = sized(500 * 1000 * 1000, 60 * 1000 * 1000)
const LEVELS = sized(200, 5)
const MESSAGES = sized(100_000, 20)
/** Number of messages that are stored when the server is killed. A tiny round has one page, so it waits for none. */
const STORED_MIN = sized(MESSAGES / 2, 0)
/** Short, so that the connections of a killed server are soon available. */
const LEASE = '5s'

/**
 * Measures content that is too large for a naive sync, each on its own embedded store with the sandbox in another
 * process.
 */
export async function heavyRows() {
  return [
    await withServer('large', largeRow),
    await withServer('deep', deepRow),
    await withServer('channel', channelRow)
  ]
}

async function withServer(name, measure) {
  const bench = benchFolder()
  const sandbox = await startSandbox(bench)
  const settings = { MEMCTL_ADMIN_KEY: newKey(), MEMCTL_SYNC_LEASE: LEASE, ...sandbox.environment }
  const args = ['--data-dir', join(bench.folder, name)]
  const servers = []
  const start = async () => {
    servers.push(await startServer({ env: bench.env, settings, args }))
    return servers.at(-1)
  }
  try {
    return await measure({ start, orders: sandboxOrders(sandbox) })
  } finally {
    await Promise.all([...servers, sandbox].map((one) => one.stop()))
    bench.remove()
  }
}

async function largeRow({ start, orders }) {
  const server = await start()
  const { config, ids, large } = await orders.largeFile(LARGE_BYTES)
  const idle = server.memoryMb()
  const { connection, collectionId, seconds } = await connectAndSync(server, { provider: 'cloud_drive', config })
  const peak = server.peakMb()
  await checkHeld(server, collectionId, { ids })
  const left = await callService(server, { method: 'GET', path: `/v1/connectors/${connection}/items?status=skipped` })
  const item = left.find(({ id }) => id === large)
  if (item === undefined || left.length > 1) throw new Error(`these items were left out: ${JSON.stringify(left)}`)
  return [
    `a file of ${LARGE_BYTES / 1e6} MB and a small one`,
    `${seconds.toFixed(1)} s, memory ${idle.toFixed(0)} MB, peak ${peak.toFixed(0)} MB; skipped: “${item.error}”`,
    'bounded memory'
  ]
}

async function deepRow({ start, orders }) {
  const server = await start()
  const { config, ids } = await orders.deepDrive(LEVELS)
  const idle = server.memoryMb()
  const { collectionId, seconds } = await connectAndSync(server, { provider: 'cloud_drive', config })
  const peak = server.peakMb()
  await checkHeld(server, collectionId, { ids })
  return [
    `${LEVELS} nested folders, of which the last has a shortcut to the first`,
    `${seconds.toFixed(1)} s, each file once, memory ${idle.toFixed(0)} MB, peak ${peak.toFixed(0)} MB`,
    'bounded memory'
  ]
}

async function connectAndSync(server, { provider, config }) {
  const collectionId = await makeCollection(server, 'heavy')
  const start = performance.now()
  const connection = await connectInSandbox(server, { provider, collectionId, config })
  await succeeded(server, connection)
  return { connection, collectionId, seconds: (performance.now() - start) / 1000 }
}

/** Kills the sync of a channel with -9 in the middle, and continues it in a new process. */
async function channelRow({ start, orders }) {
  const { config, ids } = await orders.team_chat(MESSAGES)
  const first = await start()
  const collectionId = await makeCollection(first, 'channel')
  await orders.forgetRequests()
  // Delays the last page, so that the sync is killed before its end.
  await orders.hold('team_chat', 'conversations.history', Math.ceil(MESSAGES / MESSAGES_A_PAGE) - 1)
  const began = performance.now()
  const connection = await connectInSandbox(first, { provider: 'team_chat', collectionId, config })
  const half = await until('half of the channel', async () => {
    const [run] = await runsOf(first, connection, 1)
    if (run?.ended_at) throw new Error(`the sync was over too soon: ${JSON.stringify(run)}`)
    return run !== undefined && run.created >= STORED_MIN && run
  })
  const firstPeak = first.peakMb()
  const seconds = (performance.now() - began) / 1000
  await first.kill('SIGKILL')
  await orders.release()
  const before = await historyCalls(orders)
  await orders.forgetRequests()

  const second = await start()
  await until('the restart', async () => (await runsOf(second, connection, 1))[0].id !== half.id)
  const again = performance.now()
  const run = await succeeded(second, connection, { after: half.id })
  const restSeconds = (performance.now() - again) / 1000
  const after = await historyCalls(orders)
  const peak = Math.max(firstPeak, second.peakMb())
  await checkHeld(second, collectionId, { ids })
  const speed = (half.created + run.created) / (seconds + restSeconds)
  return [
    `a channel of ${MESSAGES.toLocaleString('en')} messages, kill -9 after ${half.created.toLocaleString('en')}`,
    `${Math.round(speed)} messages/s, peak ${peak.toFixed(0)} MB; page requests: ${before} before, ${after} after; each message once`,
    `bounded memory; progress kept: ${Math.ceil(MESSAGES / MESSAGES_A_PAGE)} page requests in total`
  ]
}

const MESSAGES_A_PAGE = 200

async function historyCalls(orders) {
  return (await orders.requests('team_chat'))['conversations.history'] ?? 0
}

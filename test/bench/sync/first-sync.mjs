import { connectInSandbox } from '../load/consent.mjs'
import { sandboxOrders } from '../load/sandbox-orders.mjs'
import { startSandbox, startServer } from '../load/server-process.mjs'
import { makeCollection } from '../load/service.mjs'
import { checkHeld, succeeded, syncNow } from '../load/syncing.mjs'
import { benchFolder } from '../run-process.mjs'
import { sized } from '../sized.mjs'

const ITEMS = sized(10_000, 20)
/** Maximum number of other items in a seeded account. */
const OTHERS_MAX = 200
const ASKED = { ITEMS_A_SECOND: 400, PEAK_MB: 250, SECOND_MS: 1000, REQUESTS_A_HUNDRED: 1 }

/**
 * Measures the first sync of one account, and a second one without changes: on the embedded store, with the sandbox in
 * a separate process, so that its memory is not counted.
 */
export async function firstSyncRows(provider) {
  const bench = benchFolder()
  const sandbox = await startSandbox(bench)
  const server = await startServer({ env: bench.env, settings: sandbox.environment })
  try {
    const { first, second } = await twoSyncs(server, { provider, orders: sandboxOrders(sandbox) })
    const perSecond = first.run.seen / first.seconds
    const perHundred = (100 * callsOf(second.requests)) / first.run.seen
    const idle = `${first.idleMb.toFixed(0)} MB before`
    const items = `${first.run.seen.toLocaleString('en')} items`
    const isAsked = provider !== 'team_chat'
    return [
      [
        `${provider}: first sync of ${items}`,
        `${Math.round(perSecond)} items/s (${callsOf(first.requests).toLocaleString('en')} requests)`,
        `at least ${ASKED.ITEMS_A_SECOND}`
      ],
      ['… peak resident memory of the server', `${second.peakMb.toFixed(0)} MB (${idle})`, `below ${ASKED.PEAK_MB}`],
      [
        '… a second sync with nothing changed',
        `${second.ms.toFixed(0)} ms, ${perHundred.toFixed(2)} requests per 100 items`,
        isAsked ? `at most ${ASKED.SECOND_MS} ms and ${ASKED.REQUESTS_A_HUNDRED}` : ''
      ]
    ]
  } finally {
    await server.stop()
    await sandbox.stop()
    bench.remove()
  }
}

async function twoSyncs(server, { provider, orders }) {
  const { config, ids } = await orders[provider](ITEMS)
  const collectionId = await makeCollection(server, 'synced')
  await orders.forgetRequests()
  const idleMb = server.memoryMb()
  const start = performance.now()
  const connection = await connectInSandbox(server, { provider, collectionId, config })
  const run = await succeeded(server, connection)
  const seconds = (performance.now() - start) / 1000
  const first = { run, seconds, idleMb, requests: await orders.requests(provider) }

  await orders.forgetRequests()
  const again = performance.now()
  const repeated = await syncNow(server, connection)
  const ms = performance.now() - again
  const second = { ms, requests: await orders.requests(provider), peakMb: server.peakMb() }
  if (repeated.created + repeated.updated + repeated.deleted > 0)
    throw new Error(`nothing had changed, and yet: ${JSON.stringify(repeated)}`)
  await checkHeld(server, collectionId, { ids, others: OTHERS_MAX })
  return { first, second }
}

function callsOf(requests) {
  return Object.values(requests).reduce((sum, count) => sum + count, 0)
}

import { connectInSandbox } from '../load/consent.mjs'
import { sandboxOrders } from '../load/sandbox-orders.mjs'
import { newKey, startSandbox, startServer } from '../load/server-process.mjs'
import { makeCollection } from '../load/service.mjs'
import { checkHeld, metricsOf, runsOf, succeeded, until } from '../load/syncing.mjs'
import { benchFolder } from '../run-process.mjs'
import { sized } from '../sized.mjs'

/** More than one page of 500, so that the first page is stored while a call of the next one is held. */
const ITEMS = sized(5000, 20)
/** Number of items that are stored when the node is killed. A tiny round has one page, so it waits for none. */
const STORED_MIN = sized(ITEMS / 3, 0)
/** Number of last items that the node reads only after it is killed. */
const HELD_ITEMS = sized(100, 10)

/**
 * Measures two nodes over one PostgreSQL. The syncing one is killed with -9 in the middle. Reports when the other
 * continues, and the final memories.
 */
export async function takeOverRow(database, leaseSeconds) {
  const bench = benchFolder()
  const sandbox = await startSandbox(bench)
  const url = await database.create(`take_over_${leaseSeconds}`)
  const settings = {
    MEMCTL_ADMIN_KEY: newKey(),
    MEMCTL_SYNC_LEASE: `${leaseSeconds}s`,
    ...sandbox.environment
  }
  const start = () => startServer({ env: bench.env, settings, args: ['--database-url', url] })
  const nodes = [await start(), await start()]
  try {
    const told = await killInTheMiddle(nodes, sandbox)
    return [
      `kill -9 after ${told.before.toLocaleString('en')} of ${ITEMS.toLocaleString('en')} items, lease ${leaseSeconds} s`,
      `taken over after ${told.seconds.toFixed(1)} s; ${told.held.toLocaleString('en')} memories, each once; ${told.again} items read again`,
      `within the lease, every item exactly once`
    ]
  } finally {
    await Promise.all([...nodes, sandbox].map((one) => one.stop()))
    bench.remove()
  }
}

async function killInTheMiddle(nodes, sandbox) {
  const orders = sandboxOrders(sandbox)
  const { config, ids } = await orders.cloud_drive(ITEMS)
  const [first] = nodes
  const collectionId = await makeCollection(first, 'taken over')
  await orders.forgetRequests()
  // Delays one of the last items, so that the node is killed before the end of the sync.
  await orders.hold('cloud_drive', 'drive.files.get', CALLS_AN_ITEM * (ITEMS - HELD_ITEMS))
  const connection = await connectInSandbox(first, { provider: 'cloud_drive', collectionId, config })
  const begun = await until('the first third', async () => {
    const [run] = await runsOf(first, connection, 1)
    if (run?.ended_at) throw new Error('the sync was over before the node could be killed')
    return run !== undefined && run.created >= STORED_MIN && run
  })
  const running = await Promise.all(nodes.map(async (node) => (await metricsOf(node)).memctl_sync_running > 0))
  const victim = nodes[running.indexOf(true)]
  const heir = nodes[running.indexOf(false)]
  if (victim === undefined || heir === undefined) throw new Error(`not one of the nodes syncs: ${running}`)
  const killedAt = performance.now()
  await victim.kill('SIGKILL')
  await orders.release()
  await until('the take-over', async () => (await runsOf(heir, connection, 1))[0].id !== begun.id)
  const seconds = (performance.now() - killedAt) / 1000
  await succeeded(heir, connection, { after: begun.id })
  const old = (await runsOf(heir, connection)).find(({ id }) => id === begun.id)
  if (old?.outcome !== 'interrupted') throw new Error(`the killed node's run is ${old?.outcome}`)
  const held = await checkHeld(heir, collectionId, { ids })
  const { 'drive.files.get': gets = 0 } = await orders.requests('cloud_drive')
  return { seconds, held, before: old.created, again: Math.max(0, Math.ceil(gets / CALLS_AN_ITEM) - ITEMS) }
}

/** Calls per file: one for its metadata, one for its bytes. */
const CALLS_AN_ITEM = 2

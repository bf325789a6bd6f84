import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { sized } from '../sized.mjs'
import { callService } from './service.mjs'

/** Pause between two requests while waiting. A tiny round measures nothing, so it asks less often. */
const LOOK_MS = sized(25, 200)
const WAIT_MS = 600_000

/** Returns the runs of a connection, newest first. */
export function runsOf(server, connection, limit = 20) {
  return callService(server, { method: 'GET', path: `/v1/connectors/${connection}/runs?limit=${limit}` })
}

/** Requests a sync and waits for its end. Returns the run; throws if it did not succeed. */
export async function syncNow(server, connection) {
  const [before] = await runsOf(server, connection, 1)
  await callService(server, { path: `/v1/connectors/${connection}/sync` })
  return await succeeded(server, connection, { after: before?.id })
}

/** Waits until the newest run of a connection, other than `after`, has ended. Throws if it did not succeed. */
export async function succeeded(server, connection, { after } = {}) {
  const run = await until(`the sync of ${connection}`, async () => {
    const [newest] = await runsOf(server, connection, 1)
    return newest !== undefined && newest.id !== after && newest.ended_at !== null ? newest : undefined
  })
  if (run.outcome !== 'succeeded') throw new Error(`the sync ended ${run.outcome}: ${JSON.stringify(run)}`)
  return run
}

/** Polls until there is a result. Throws after ten minutes. */
export async function until(what, look) {
  const end = performance.now() + WAIT_MS
  while (performance.now() < end) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  throw new Error(`${what} did not come to its end in ${WAIT_MS / 1000} s`)
}

/**
 * Throws unless the collection has one memory of each named item, and (with `others`) at most this many more. Returns
 * the number of memories.
 */
export async function checkHeld(server, collection, { ids, others = 0 }) {
  const found = new Map()
  for (const item of await itemsInExport(server, collection)) found.set(item, (found.get(item) ?? 0) + 1)
  const missing = ids.filter((id) => !found.has(id))
  const doubled = ids.filter((id) => found.get(id) > 1)
  const more = found.size - (ids.length - missing.length)
  if (missing.length > 0 || doubled.length > 0 || more > others)
    throw new Error(
      `of ${ids.length} items ${missing.length} are missing, ${doubled.length} doubled, ${more} are others`
    )
  return [...found.values()].reduce((sum, count) => sum + count, 0)
}

/** Returns the item of each memory in a collection, from its export. Throws if that breaks off. */
async function itemsInExport({ origin, key }, collection) {
  const reply = await fetch(`${origin}/v1/device-memory/snapshot/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'application/jsonl' },
    body: JSON.stringify({ collection_id: collection })
  })
  if (!reply.ok) throw new Error(`the export: ${reply.status} ${await reply.text()}`)
  const items = []
  let isWhole = false
  for await (const line of createInterface({ input: Readable.fromWeb(reply.body) })) {
    const { type, metadata } = JSON.parse(line)
    if (type === 'memory') items.push(metadata?.item)
    isWhole = type === 'end'
  }
  if (!isWhole) throw new Error('the export broke off')
  return items
}

/** Returns the counters and gauges of a server by their names and labels in `/metrics`. */
export async function metricsOf({ origin, key }) {
  const reply = await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${key}` } })
  const lines = (await reply.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(lines.map((line) => [line.replace(/ \S+$/, ''), Number(/\S+$/.exec(line)?.[0])]))
}

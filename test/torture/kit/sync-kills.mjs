import { setTimeout as delay } from 'node:timers/promises'
import { startServer } from '../../bench/load/server-process.mjs'
import { callService, makeCollection } from '../../bench/load/service.mjs'
import { makeHome } from './program.mjs'
import {
  asked,
  change,
  connectFolder,
  itemsOf,
  memoriesOf,
  newFolder,
  runsOf,
  scheduleOf,
  syncOnce
} from './syncing.mjs'

/** Maximum time between the request of a sync and the kill, in milliseconds. */
const KILL_MS_MAX = 300
const FILES_A_ROUND = 40
/** How long a provider is silent while the server is told to stop, in milliseconds. */
const STALLED_MS = 50_000
/** Short leases, so that a killed server does not block its connections for long. */
const QUICK = { MEMCTL_SYNC_LEASE: '1s', MEMCTL_RETRY_BACKOFF: '1s,1s,1s' }

/**
 * Kills a syncing server with `kill -9`. After the next start every item exists exactly once, and memories stored by
 * hand are unchanged.
 */
export async function kills({ sandbox, report, settings, count, random }) {
  const { env } = makeHome()
  const start = (more = {}) => startServer({ env, settings: { ...settings, ...QUICK, ...more } })
  let server = await start()
  const collectionId = await makeCollection(server, 'killed')
  const folder = await newFolder(sandbox, 'killed')
  const texts = new Map()
  const id = await connectFolder(server, { collectionId, folder })
  const byHand = []
  let interrupted = 0
  for (let round = 0; round < count; round++) {
    await changed(sandbox, { folder, texts, round, random })
    byHand.push(await said(server, collectionId, round))
    const before = (await runsOf(server, id))[0].id
    await asked(server, `POST /v1/connectors/${id}/sync`)
    await delay(random() * KILL_MS_MAX)
    await server.kill('SIGKILL')
    server = await start()
    await syncOnce(server, id)
    const runs = await runsOf(server, id)
    const since = runs.slice(
      0,
      Math.max(
        0,
        runs.findIndex((run) => run.id === before)
      )
    )
    interrupted += since.filter(({ outcome }) => outcome === 'interrupted').length
    report.case('kill -9', await unlike(server, { id, collectionId, texts, byHand }))
    const open = runs.filter(({ outcome }) => outcome === null).length
    report.case('kill -9', open === 0 ? undefined : `${open} runs never end`)
  }
  report.note('kill -9', `${interrupted} syncs were interrupted`)
  await sandbox.control('faults', { provider: 'cloud_drive', kind: 'slow', ms: STALLED_MS, times: 1 })
  await asked(server, `POST /v1/connectors/${id}/sync`)
  await delay(KILL_MS_MAX)
  const began = performance.now()
  const { code } = await server.stop()
  const took = performance.now() - began
  const isSoon = code === 0 && took < STALLED_MS / 2
  report.case('SIGTERM', isSoon ? undefined : `exit ${code} after ${Math.round(took)} ms`)
  await sandbox.control('faults', undefined, 'DELETE')
  server = await start({ MEMCTL_PROVIDERS: 'mailbox' })
  await withoutProvider({ server, report }, { id, collectionId, texts, byHand })
  await server.stop()
  server = await start()
  const again = await syncOnce(server, id)
  report.case('provider off', again.outcome === 'succeeded' ? undefined : `then ${JSON.stringify(again)}`)
  await server.stop()
}

/** Adds files, edits one, and deletes one. */
async function changed(sandbox, { folder, texts, round, random }) {
  const add = async (n) => {
    const text = `Round ${round}, file ${n}: the code is ${Math.floor(random() * 1e9)}.`
    const { id } = await change(sandbox, 'cloud_drive add_file', { parent: folder, name: `${round} ${n}.txt`, text })
    texts.set(id, text)
  }
  await Promise.all(Array.from({ length: FILES_A_ROUND }, (_, n) => add(n)))
  const [first, second] = texts.keys()
  await change(sandbox, 'cloud_drive delete', { id: first })
  texts.delete(first)
  const text = `Round ${round} changed it.`
  await change(sandbox, 'cloud_drive edit_file', { id: second, text })
  texts.delete(second)
  texts.set(second, text)
}

async function said(server, collectionId, round) {
  const body = { collection_id: collectionId, raw_text: `Said by hand in round ${round}.` }
  return (await callService(server, { path: '/v1/memories', body })).memory_id
}

/** Returns differences between the memories and the account or the memories stored by hand. */
async function unlike(server, { id, collectionId, texts, byHand }) {
  const memories = await memoriesOf(server, collectionId)
  const held = memories.map(({ text }) => text).filter((text) => !text.startsWith('Said by hand'))
  const wanted = [...texts.values()]
  const missing = wanted.filter((text) => !held.includes(text))
  const items = (await itemsOf(server, id, '&status=synced')).length
  const ids = new Set(memories.map((memory) => memory.id))
  if (missing.length > 0) return `${missing.length} are missing: ${missing[0]}`
  if (held.length !== wanted.length) return `${held.length} memories of ${wanted.length} files`
  if (items !== wanted.length && items < 1000) return `${items} items of ${wanted.length} files`
  return byHand.every((one) => ids.has(one)) ? undefined : 'what was said by hand is gone'
}

/** Checks connections of a disabled provider: shown unchanged, not synced, with the reason. */
async function withoutProvider({ server, report }, all) {
  const path = `/v1/connectors/${all.id}`
  for (const more of ['', '/schedule', '/runs', '/items'])
    report.case('provider off', await answers(server, `${path}${more}`))
  report.case('provider off', await answers(server, `/v1/connectors?collection_id=${all.collectionId}`))
  const { status, said: refusal } = await asked(server, `POST ${path}/sync`)
  report.note('provider off', `${status} ${refusal}`)
  report.case('provider off', status >= 400 && status < 500 ? undefined : `${status} ${refusal}`)
  report.case('provider off', await unlike(server, all))
  // The sync that the stopping server interrupted waits for the provider.
  const { state } = await scheduleOf(server, all.id)
  report.case('provider off', ['idle', 'queued'].includes(state) ? undefined : `it is ${state}`)
}

async function answers(server, path) {
  const { status, said: text } = await asked(server, `GET ${path}`)
  return status === 200 ? undefined : `${path}: ${status} ${text.slice(0, 300)}`
}

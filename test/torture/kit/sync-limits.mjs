import { setTimeout as delay } from 'node:timers/promises'
import { connectInSandbox } from '../../bench/load/consent.mjs'
import { startServer } from '../../bench/load/server-process.mjs'
import { callService, makeCollection } from '../../bench/load/service.mjs'
import { startDatabase } from '../../bench/load/start-database.mjs'
import { makeHome } from './program.mjs'
import { asked, change, connectFolder, itemsOf, memoriesOf, newFolder, runsOf, scheduleOf } from './syncing.mjs'

const KILLS = 40
const FILES_A_ROUND = 8
/** Maximum time between the requests of syncs and the kill, in milliseconds. */
const KILL_MS_MAX = 800
/** How long a provider delays some of its replies, so that a kill interrupts runs, in milliseconds. */
const SLOW_MS = 400
/** Interval of checks, and time limit for syncing all connections after a kill, in milliseconds. */
const LOOK_MS = 100
const ROUND_MS_MAX = 180_000
/** Long enough for a busy machine to renew it in time, in seconds, so that only a killed node loses a lease. */
const LEASE_SECONDS = 5
const SETTINGS = { MEMCTL_SYNC_LEASE: `${LEASE_SECONDS}s`, MEMCTL_RETRY_BACKOFF: '1s,1s,1s' }

/**
 * Kills one of two nodes over one PostgreSQL with `kill -9` while every provider limits its calls. A run of a killed
 * node ends as `interrupted`, at most one of each connection for each kill, and began before it. Any other run is
 * parked until its provider may be called again, or completes. Afterwards every item exists exactly once.
 */
export async function limits({ sandbox, report, settings, isWhole, count, random }) {
  await sandbox.control('reset', undefined, 'POST')
  const database = await startDatabase()
  const { env } = makeHome()
  const args = ['--database-url', await database.create('limits')]
  const start = () => startServer({ env, settings: { ...settings, ...SETTINGS }, args })
  const nodes = [await start(), await start()]
  const place = { nodes, sandbox, report, random }
  try {
    const all = await linked(place)
    const seen = { parked: 0, interrupted: 0 }
    for (let round = 0; round < (isWhole ? KILLS : count); round++) {
      const killedAt = await killOne(place, all, { round, start })
      await settled(place, all)
      for (const one of all.connections) checkRuns(report, await runsSince(nodes[0], one), { killedAt, seen })
      report.case('rate limits', await unlike(nodes[0], all))
    }
    report.case('rate limits', seen.parked > 0 ? undefined : 'no run was ever parked')
    report.note('rate limits', `${seen.parked} runs parked, ${seen.interrupted} interrupted by a kill`)
  } finally {
    for (const node of nodes) report.case('the node stopped as it should', stopProblem(await node.stop()))
    await sandbox.control('faults', undefined, 'DELETE')
    await database.stop()
  }
}

function stopProblem({ code }) {
  return code === 0 ? undefined : `exit ${code}`
}

/** Creates a connection of each provider and syncs it once. Only the content of the drive changes afterwards. */
async function linked({ nodes: [node], sandbox }) {
  const collectionId = await makeCollection(node, 'limits')
  const folder = await newFolder(sandbox, 'limits')
  const drive = await connectFolder(node, { collectionId, folder })
  const chat = await connectInSandbox(node, { provider: 'team_chat', collectionId })
  const channels = await callService(node, { method: 'GET', path: `/v1/connectors/${chat}/channels` })
  const body = { channel_ids: channels.slice(0, 3).map(({ id }) => id) }
  await callService(node, { method: 'PATCH', path: `/v1/connectors/${chat}/config`, body })
  const mailbox = await connectInSandbox(node, { provider: 'mailbox', collectionId })
  const notes = await connectInSandbox(node, { provider: 'notes', collectionId })
  const ids = { cloud_drive: drive, team_chat: chat, mailbox, notes }
  const connections = Object.entries(ids).map(([provider, id]) => ({ provider, id, before: undefined, items: 0 }))
  const all = { collectionId, folder, texts: new Map(), connections, kept: new Set() }
  await settled({ nodes: [node] }, all)
  for (const one of connections) one.items = (await itemsOf(node, one.id, '&status=synced')).length
  all.kept = new Set((await memoriesOf(node, collectionId)).map(({ id }) => id))
  return all
}

/** Requests all syncs at once under new limits, and kills a node during them. Returns the time of the kill. */
async function killOne({ nodes, sandbox, random }, all, { round, start }) {
  await changed(sandbox, all, { round, random })
  await sandbox.control('faults', undefined, 'DELETE')
  for (const one of all.connections) {
    one.before = (await runsOf(nodes[0], one.id))[0]?.id
    const times = 1 + Math.floor(random() * 3)
    const order = { provider: one.provider, kind: 'rate_limited', retry_after: 1 + Math.floor(random() * 2), times }
    await sandbox.control('faults', { ...order, after: Math.floor(random() * 4) })
    await sandbox.control('faults', { provider: one.provider, kind: 'slow', ms: SLOW_MS, times: 2 })
    await asked(nodes[Math.floor(random() * 2)], `POST /v1/connectors/${one.id}/sync`)
  }
  await delay(random() * KILL_MS_MAX)
  const victim = Math.floor(random() * 2)
  await nodes[victim].kill('SIGKILL')
  const killedAt = Date.now()
  // Requested again within Retry-After, the surviving node refuses from its own record of the limit.
  for (const { id } of all.connections) await asked(nodes[1 - victim], `POST /v1/connectors/${id}/sync`)
  nodes[victim] = await start()
  return killedAt
}

/** Adds files, edits one, and deletes one. */
async function changed(sandbox, { folder, texts }, { round, random }) {
  for (let n = 0; n < FILES_A_ROUND; n++) {
    const text = `Round ${round}, file ${n}: the code is ${Math.floor(random() * 1e9)}.`
    const { id } = await change(sandbox, 'cloud_drive add_file', { parent: folder, name: `${round} ${n}.txt`, text })
    texts.set(id, text)
  }
  const [first, second] = texts.keys()
  await change(sandbox, 'cloud_drive delete', { id: first })
  texts.delete(first)
  const text = `Round ${round} changed it.`
  await change(sandbox, 'cloud_drive edit_file', { id: second, text })
  texts.set(second, text)
}

/** Waits until the newest run of every connection that began since has completed, including the provider's pauses. */
async function settled({ nodes: [node] }, { connections }) {
  const end = performance.now() + ROUND_MS_MAX
  for (const { id, provider, before } of connections)
    for (;;) {
      const { state, last_run } = await scheduleOf(node, id)
      const isNew = last_run !== null && last_run.id !== before
      if (state === 'idle' && isNew && !CONTINUED.includes(last_run.outcome)) break
      if (performance.now() > end) throw new Error(`${provider} is ${state} after ${JSON.stringify(last_run)}`)
      await delay(LOOK_MS)
    }
}

/** Outcomes of a run that another one continues by itself. */
const CONTINUED = ['parked', 'interrupted', 'stopped']

async function runsSince(node, { id, before }) {
  const runs = await runsOf(node, id)
  return runs.slice(
    0,
    Math.max(
      0,
      runs.findIndex((run) => run.id === before)
    )
  )
}

function checkRuns(report, runs, { killedAt, seen }) {
  const interrupted = runs.filter(({ outcome }) => outcome === 'interrupted')
  const parked = runs.filter(({ outcome }) => outcome === 'parked')
  const odd = runs.filter(({ outcome }) => !['succeeded', 'parked', 'interrupted'].includes(outcome))
  const late = interrupted.filter(({ started_at }) => Date.parse(started_at) > killedAt)
  seen.interrupted += interrupted.length
  seen.parked += parked.length
  const problem = odd[0] ?? late[0] ?? interrupted[1]
  report.case('runs under rate limits', problem && JSON.stringify(problem))
}

/**
 * Returns differences from the accounts: each text of the drive must exist once, and the first memories of the others
 * must be unchanged.
 */
async function unlike(node, { collectionId, texts, connections, kept }) {
  const memories = await memoriesOf(node, collectionId)
  const lost = [...kept].filter((id) => !memories.some((memory) => memory.id === id))
  const held = memories.filter(({ id }) => !kept.has(id)).map(({ text }) => text)
  const wanted = [...texts.values()]
  const missing = wanted.filter((text) => !held.includes(text))
  if (lost.length > 0) return `${lost.length} memories of other accounts are gone`
  if (missing.length > 0) return `${missing.length} are missing: ${missing[0]}`
  if (held.length !== wanted.length) return `${held.length} memories of ${wanted.length} files`
  for (const { id, provider, items } of connections) {
    const synced = (await itemsOf(node, id, '&status=synced')).length
    const expected = provider === 'cloud_drive' ? Math.min(wanted.length, 1000) : items
    if (synced !== expected) return `${synced} items of ${provider} instead of ${expected}`
  }
  return undefined
}

import { join } from 'node:path'
import { connectInSandbox } from '../load/consent.mjs'
import { percentile } from '../load/run-load.mjs'
import { startServer } from '../load/server-process.mjs'
import { callService, makeCollection } from '../load/service.mjs'
import { table } from '../results-file.mjs'
import { benchFolder } from '../run-process.mjs'
import { sized } from '../sized.mjs'

const ROUNDS = sized(200, 2)
const WARM_UP = sized(20, 1)
const STARTS = sized(9, 1)
const ENTRIES = sized(5000, 5)
const LISTINGS = sized(9, 2)
const TOGETHER = 20
/** Exceeds the lifetime of a sandbox token, which is an hour. */
const PAST_EXPIRY_MS = 2 * 3600 * 1000
const CONTROL = '/sandbox/control'

/**
 * Measures consent, browsing and refreshing on the sandbox of a server over sockets, and what the sandbox costs at the
 * start.
 */
export const connectSection = {
  title: 'Connectors: consent, browsing and tokens on the sandbox',
  async run() {
    const bench = benchFolder()
    const rows = [['what', 'result', 'reference'], ...(await startRows(bench))]
    const settings = { MEMCTL_PROVIDERS: 'sandbox' }
    const server = await startServer({ env: bench.env, settings })
    try {
      const collectionId = await makeCollection(server, 'connected')
      rows.push(await consentRow(server, collectionId))
      rows.push(await listingRow(server, { collectionId, provider: 'cloud_drive', what: 'folders' }))
      rows.push(await listingRow(server, { collectionId, provider: 'team_chat', what: 'channels' }))
      rows.push(await refreshRow(server, collectionId))
    } finally {
      await server.stop()
      bench.remove()
    }
    return table(rows)
  }
}

/** Measures the same server with the sandbox and with one real provider instead, in turn. */
async function startRows(bench) {
  const real = { MEMCTL_PROVIDERS: 'mailbox', MEMCTL_MAILBOX_CLIENT_ID: 'bench', MEMCTL_MAILBOX_CLIENT_SECRET: 'bench' }
  const times = { sandbox: [], real: [] }
  for (let round = 0; round < STARTS; round++) {
    for (const [name, settings] of [
      ['sandbox', { MEMCTL_PROVIDERS: 'sandbox' }],
      ['real', real]
    ]) {
      const args = ['--data-dir', join(bench.folder, `start-${name}-${round}`)]
      const server = await startServer({ env: bench.env, settings, args })
      times[name].push(server.readyMs)
      await server.stop()
    }
  }
  const [sandbox, without] = [times.sandbox, times.real].map((all) => all.sort((a, b) => a - b)[Math.floor(STARTS / 2)])
  return [
    [
      'start until ready, with the sandbox',
      `${sandbox.toFixed(0)} ms`,
      `without it ${without.toFixed(0)} ms: ${(sandbox - without).toFixed(0)} ms slower`
    ]
  ]
}

async function consentRow(server, collectionId) {
  const times = []
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    const start = performance.now()
    await connectInSandbox(server, { provider: 'mailbox', collectionId, account: round % 3 })
    if (round >= WARM_UP) times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  return [
    'from connect to the completed attempt, p50 / p99',
    `${percentile(times, 50).toFixed(1)} / ${percentile(times, 99).toFixed(1)} ms`,
    ''
  ]
}

/** Measures a listing of many entries over HTTP, and by how much the server grows meanwhile. */
async function listingRow(server, { collectionId, provider, what }) {
  const connection = await connectInSandbox(server, { provider, collectionId })
  await fill(server, provider, what)
  const list = () => callService(server, { method: 'GET', path: `/v1/connectors/${connection}/${what}` })
  const { length } = await list()
  const before = server.memoryMb()
  const times = []
  for (let round = 0; round < LISTINGS; round++) {
    const start = performance.now()
    await list()
    times.push(performance.now() - start)
  }
  const grown = server.memoryMb() - before
  times.sort((a, b) => a - b)
  const most = times.at(-1)
  return [
    `listing ${length} ${what}, p50 / max`,
    `${percentile(times, 50).toFixed(0)} / ${most.toFixed(0)} ms`,
    `server memory grew by ${grown.toFixed(0)} MB over ${LISTINGS} listings`
  ]
}

const ADDS = {
  cloud_drive: ['add_folder', (n) => ({ parent: 'root', name: `folder ${n}` })],
  team_chat: ['add_channel', (n) => ({ name: `channel-${n}` })]
}

async function fill(server, provider, what) {
  const [change, inputOf] = ADDS[provider]
  const account = await firstAccount(server, provider)
  for (let n = 0; n < ENTRIES; n++) {
    const path = `${CONTROL}/accounts/${provider}/${account}/${change}`
    await callService(server, { path, body: inputOf(n) })
  }
  return what
}

async function firstAccount(server, provider) {
  const sandboxProviders = await callService(server, { method: 'GET', path: `${CONTROL}/accounts` })
  return encodeURIComponent(sandboxProviders.find((one) => one.provider === provider).accounts[0].id)
}

/** Measures simultaneous calls with an expired token: how many refreshes the provider sees. */
async function refreshRow(server, collectionId) {
  const connection = await connectInSandbox(server, { provider: 'cloud_drive', collectionId, account: 1 })
  await callService(server, { path: `${CONTROL}/clock`, body: { advance_ms: PAST_EXPIRY_MS } })
  await callService(server, { method: 'DELETE', path: `${CONTROL}/requests` })
  const path = `/v1/connectors/${connection}/folders`
  await Promise.all(Array.from({ length: TOGETHER }, () => callService(server, { method: 'GET', path })))
  const { counts } = await callService(server, { method: 'GET', path: `${CONTROL}/requests` })
  return [`${TOGETHER} simultaneous calls with an expired token`, `${refreshes(counts)} refresh`, '']
}

function refreshes(counts) {
  return Object.entries(counts.cloud_drive ?? {}).reduce(
    (sum, [name, count]) => sum + (/token/.test(name) ? count : 0),
    0
  )
}

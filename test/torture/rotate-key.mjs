// `kill -9` at random moments while the vault's key is rotated, by a running server and without one: every start finds
// what it needs, no account must be linked again, and waiting consents continue. `--only server` or `--only direct`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { connectInSandbox } from '../bench/load/consent.mjs'
import { newKey, startServer } from '../bench/load/server-process.mjs'
import { callService, makeCollection } from '../bench/load/service.mjs'
import { ended, ensureBuilt, makeHome, start } from './kit/program.mjs'
import { createReport, options } from './kit/report.mjs'

/** Waiting consents, each with a verifier that is resealed. */
const WAITING = 60
/** Maximum time from the request to the kill, in milliseconds. */
const SERVER_KILL_MS_MAX = 150
const DIRECT_KILL_MS_MAX = 1200

const { count, seed, only, random } = options(100, ['server', 'direct'])
const report = createReport(`kill -9 while the key of the vault is changed (seed ${seed})`)
ensureBuilt()
if (only !== 'direct') await torture('running server', killServer)
if (only !== 'server') await torture('without a server', killCommand)
report.finish()

async function torture(name, rotateUntilKilled) {
  const home = makeHome()
  const settings = { MEMCTL_ADMIN_KEY: newKey(), MEMCTL_STATE_TTL: '24h' }
  const launch = () => startServer({ env: home.env, settings })
  const server = { now: await launch() }
  const vault = await fill(server.now)
  const keys = new Set(keysOf(home))
  let killed = 0
  for (let round = 0; round < count; round++) {
    if (await rotateUntilKilled({ home, server })) killed++
    server.now = await launch()
    for (const key of keysOf(home)) keys.add(key)
    report.case(name, await lostOf(server.now, vault))
  }
  const { key_id } = await callService(server.now, { path: '/v1/vault/rotate' })
  report.case(name, await lostOf(server.now, vault))
  report.case(name, keysOf(home).at(-1) === key_id ? undefined : 'the last key of the file is not the current one')
  report.case(name, await consentGoesOn(server.now, vault))
  await server.now.stop()
  report.note(name, `${killed} killed in time, ${keys.size} keys`)
}

/** Creates accounts in a collection, and waiting consents. */
async function fill(server) {
  const collectionId = await makeCollection(server, 'rotated')
  const connections = []
  for (const [provider, account] of [
    ['cloud_drive', 0],
    ['cloud_drive', 1],
    ['team_chat', 0]
  ])
    connections.push({ provider, id: await connectInSandbox(server, { provider, collectionId, account }) })
  const states = []
  const body = { collection_id: collectionId }
  for (let n = 0; n < WAITING; n++)
    states.push((await callService(server, { path: '/v1/connectors/cloud_drive/connect', body })).state)
  return { collectionId, connections, states }
}

async function killServer({ server }) {
  let done = false
  const rotation = callService(server.now, { path: '/v1/vault/rotate' }).then(
    () => {
      done = true
    },
    () => undefined
  )
  await delay(random() * SERVER_KILL_MS_MAX)
  const killed = !done
  await server.now.kill('SIGKILL')
  await rotation
  return killed
}

async function killCommand({ home, server }) {
  await server.now.stop()
  const child = start(home, ['server', 'rotate-key', '--json'])
  const ending = ended(child)
  await Promise.race([delay(random() * DIRECT_KILL_MS_MAX), ending])
  child.kill('SIGKILL')
  const { code, stderr } = await ending
  if (code !== null && code !== 0) throw new Error(`memctl server rotate-key: exit ${code}, ${stderr}`)
  return code === null
}

/** Returns what no longer works. */
async function lostOf(server, { collectionId, connections, states }) {
  const shown = await callService(server, { method: 'GET', path: `/v1/connectors?collection_id=${collectionId}` })
  if (shown.length !== connections.length) return `${shown.length} of ${connections.length} connections are left`
  for (const { provider, id } of connections) {
    const listed = provider === 'team_chat' ? 'channels' : 'folders'
    const entries = await callService(server, { method: 'GET', path: `/v1/connectors/${id}/${listed}` })
    if (entries.length === 0) return `${provider} lists nothing`
  }
  const asked = states.map((state) => attemptOf(server, state))
  const over = (await Promise.all(asked)).filter((status) => status !== 'waiting')
  return over.length === 0 ? undefined : `${over.length} consents are not waiting any more: ${over[0]}`
}

async function attemptOf(server, state) {
  const path = `/v1/connectors/attempts?state=${encodeURIComponent(state)}`
  return await callService(server, { method: 'GET', path }).then(
    ({ status }) => status,
    (error) => error.message
  )
}

/** Checks that another account can be linked with the vault's current key. */
async function consentGoesOn(server, { collectionId }) {
  const made = connectInSandbox(server, { provider: 'cloud_drive', collectionId, account: 2 })
  return await made.then(
    () => undefined,
    (error) => error.message
  )
}

function keysOf(home) {
  const { keys } = JSON.parse(readFileSync(join(home.env.MEMCTL_DATA_DIR, 'server.key'), 'utf8'))
  return keys.map(({ id }) => id)
}

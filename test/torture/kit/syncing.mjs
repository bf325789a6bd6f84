import { setTimeout as delay } from 'node:timers/promises'
import { connectInSandbox } from '../../bench/load/consent.mjs'
import { openConnection, requestBytes } from '../../bench/load/http-connection.mjs'
import { callService } from '../../bench/load/service.mjs'

/** Interval of checks whether a sync is over, and its time limit, in milliseconds. */
const LOOK_MS = 50
const SYNC_MS_MAX = 900_000

/** Accounts of the sandbox whose content is changed here. */
const ACCOUNT = {
  cloud_drive: 'mara.lindqvist@example.com',
  team_chat: 'ada.moreau@harbourlight.example',
  mailbox: 'ada.moreau@harbourlight.example',
  notes: 'ada.moreau@harbourlight.example'
}

/** Sends one call, such as `GET /v1/collections`. A refusal is returned too. */
export async function asked({ origin, key }, what, body) {
  const [method, path] = what.split(' ')
  const connection = await openConnection(origin)
  try {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const reply = await connection.send(requestBytes({ origin, key, method, path, body: text }))
    const said = reply.body.toString()
    return { status: reply.status, said, json: () => JSON.parse(said) }
  } finally {
    connection.close()
  }
}

const get = (server, path) => callService(server, { method: 'GET', path })

/** Creates a separate folder in the sandbox's cloud drive, so that its connection syncs only what is added to it. */
export async function newFolder(sandbox, name) {
  return (await change(sandbox, 'cloud_drive add_folder', { parent: 'root', name })).id
}

/** Changes an account as a user would at the provider: `cloud_drive add_file`. */
export function change(sandbox, what, body) {
  const [provider, name] = what.split(' ')
  return sandbox.control(`accounts/${provider}/${ACCOUNT[provider]}/${name}`, body)
}

/** Creates a connection that selects one folder, and syncs it once. */
export async function connectFolder(server, { collectionId, folder, account = 0 }) {
  const id = await connectInSandbox(server, { provider: 'cloud_drive', collectionId, account })
  await callService(server, { method: 'PATCH', path: `/v1/connectors/${id}/config`, body: { folder_ids: [folder] } })
  await idle(server, id)
  return id
}

export const scheduleOf = (server, id) => get(server, `/v1/connectors/${id}/schedule`)
export const runsOf = (server, id) => get(server, `/v1/connectors/${id}/runs`)
export const connectionOf = (server, id) => get(server, `/v1/connectors/${id}`)
export const itemsOf = (server, id, query = '') => get(server, `/v1/connectors/${id}/items?limit=1000${query}`)

/** Waits until a connection neither syncs nor is about to. Returns its schedule. */
export async function idle(server, id) {
  for (const end = performance.now() + SYNC_MS_MAX; ; ) {
    const schedule = await scheduleOf(server, id)
    const isOver = schedule.state !== 'running' && schedule.state !== 'queued'
    if (isOver && (schedule.last_run !== null || schedule.state === 'revoked')) return schedule
    if (performance.now() > end) throw new Error(`connection ${id} still syncs after ${SYNC_MS_MAX} ms`)
    await delay(LOOK_MS)
  }
}

/** Syncs once more after a current sync, and returns the run. */
export async function syncOnce(server, id) {
  for (;;) {
    await idle(server, id)
    const { status, said } = await asked(server, `POST /v1/connectors/${id}/sync`)
    if (status === 200) break
    if (status !== 409) throw new Error(`sync: ${status} ${said}`)
  }
  return (await idle(server, id)).last_run
}

/** Returns the memories of a collection that were not forgotten. */
export async function memoriesOf(server, collectionId) {
  const path = '/v1/device-memory/snapshot/export'
  const { snapshot } = await callService(server, { path, body: { collection_id: collectionId } })
  const gone = new Set(snapshot.records.flatMap(({ type, target }) => (type === 'forget' ? [target] : [])))
  return snapshot.records.filter(({ type, id }) => type === 'memory' && !gone.has(id))
}

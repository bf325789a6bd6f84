import { connectInSandbox } from '../../bench/load/consent.mjs'
import { callService, makeCollection } from '../../bench/load/service.mjs'
import { asked, change, connectFolder, idle, memoriesOf, newFolder, scheduleOf, syncOnce } from './syncing.mjs'

const ASKED_AT_ONCE = 50
/** How long the provider delays its reply while something else happens, in milliseconds. */
const SLOW_MS = 700
/** The cloud drive's second account on the consent page. */
const SECOND_ACCOUNT = 'tomas.oyelaran@example.com'

/** Runs simultaneous requests for one connection: one of them succeeds, and the last choice of a user holds. */
export async function atOnce(place) {
  await place.sandbox.control('reset', undefined, 'POST')
  for (const [name, attack] of Object.entries({
    asksAtOnce,
    configChanges,
    pauses,
    disconnects,
    deletes,
    keyGoes,
    twoHold
  })) {
    const made = await filled(place, name)
    place.report.case('at once', withName(name, await attack(place, made)))
    await place.sandbox.control('faults', undefined, 'DELETE')
    await asked(place.server, `DELETE /v1/collections/${made.collectionId}`)
  }
}

function withName(name, problem) {
  return problem === undefined ? undefined : `${name}: ${problem}`
}

async function filled({ server, sandbox }, name) {
  const collectionId = await makeCollection(server, name)
  const folder = await newFolder(sandbox, name)
  await addFile(sandbox, folder, `What ${name} begins with.`)
  await callService(server, { path: '/v1/memories', body: { collection_id: collectionId, raw_text: 'By hand.' } })
  return { collectionId, folder, id: await connectFolder(server, { collectionId, folder }) }
}

function addFile(sandbox, parent, text) {
  return change(sandbox, 'cloud_drive add_file', { parent, name: 'note.txt', text })
}

/** Begins a long sync. */
async function begin({ server, sandbox }, { id, folder }) {
  await addFile(sandbox, folder, 'What came later.')
  await sandbox.control('faults', { provider: 'cloud_drive', kind: 'slow', ms: SLOW_MS, times: 1 })
  return await asked(server, `POST /v1/connectors/${id}/sync`)
}

async function textsOf(server, collectionId) {
  return (await memoriesOf(server, collectionId))
    .map(({ text }) => text)
    .sort()
    .join(' ')
}

async function holds(server, collectionId, wanted) {
  const texts = await textsOf(server, collectionId)
  return texts === wanted ? undefined : `it has "${texts}" instead of "${wanted}"`
}

async function asksAtOnce({ server, sandbox }, { id, collectionId, folder }) {
  await addFile(sandbox, folder, 'What came later.')
  await sandbox.control('faults', { provider: 'cloud_drive', kind: 'slow', ms: 3 * SLOW_MS, times: 1 })
  const path = `/v1/connectors/${id}/sync`
  const replies = await Promise.all(Array.from({ length: ASKED_AT_ONCE }, () => asked(server, `POST ${path}`)))
  const statuses = replies.map(({ status }) => status)
  const taken = statuses.filter((status) => status === 200).length
  if (taken !== 1 || statuses.some((status) => status !== 200 && status !== 409)) return `answers ${statuses}`
  await idle(server, id)
  return await holds(server, collectionId, 'By hand. What asksAtOnce begins with. What came later.')
}

async function configChanges(place, made) {
  const { server, sandbox } = place
  const other = await newFolder(sandbox, 'other')
  await addFile(sandbox, other, 'What is chosen now.')
  await begin(place, made)
  const config = { folder_ids: [other] }
  const replies = await Promise.all(
    [config, config, config].map((body) => asked(server, `PATCH /v1/connectors/${made.id}/config`, body))
  )
  const odd = replies.find(({ status }) => status !== 200 && status !== 409)
  if (odd !== undefined) return `${odd.status} ${odd.said}`
  await syncOnce(server, made.id)
  return await holds(server, made.collectionId, 'By hand. What is chosen now.')
}

async function pauses(place, { id, ...made }) {
  await begin(place, { id, ...made })
  const paused = await asked(place.server, `POST /v1/connectors/${id}/pause`)
  if (paused.status !== 200) return `${paused.status} ${paused.said}`
  const { state, last_run } = await idle(place.server, id)
  if (state !== 'paused' || last_run.outcome !== 'succeeded') return `then it is ${state}, after ${last_run.outcome}`
  const again = await syncOnce(place.server, id)
  if (again.outcome !== 'succeeded') return `asked for, it ${again.outcome}`
  await asked(place.server, `POST /v1/connectors/${id}/resume`)
  return await holds(place.server, made.collectionId, 'By hand. What came later. What pauses begins with.')
}

async function disconnects(place, made) {
  const { server } = place
  await begin(place, made)
  const path = `/v1/connectors/${made.id}?delete_memories=true`
  const replies = await Promise.all([1, 2, 3].map(() => asked(server, `DELETE ${path}`)))
  const odd = replies.find(({ status }) => status !== 200)
  if (odd !== undefined) return `${odd.status} ${odd.said}`
  await new Promise((resolve) => setTimeout(resolve, 2 * SLOW_MS))
  const { state } = await scheduleOf(server, made.id)
  if (state !== 'revoked') return `then it is ${state}`
  return await holds(server, made.collectionId, 'By hand.')
}

async function deletes(place, made) {
  const { server } = place
  await begin(place, made)
  const { status, said } = await asked(server, `DELETE /v1/collections/${made.collectionId}`)
  if (status >= 300) return `${status} ${said}`
  await new Promise((resolve) => setTimeout(resolve, 2 * SLOW_MS))
  const left = await Promise.all(
    ['', '/runs', '/items'].map((more) => asked(server, `GET /v1/connectors/${made.id}${more}`))
  )
  const statuses = left.map((reply) => reply.status)
  return statuses.every((one) => one === 404) ? undefined : `then the connection answers ${statuses}`
}

/** Revokes the key that linked an account, which the sync does not use. */
async function keyGoes({ server, sandbox }, { collectionId }) {
  const grants = [{ collection_id: collectionId, permission: 'edit' }]
  const made = await callService(server, { path: '/v1/keys', body: { name: 'goes', grants } })
  const id = await connectInSandbox({ ...server, key: made.key }, { provider: 'notes', collectionId })
  await idle(server, id)
  await callService(server, { method: 'DELETE', path: `/v1/keys/${made.id}` })
  await change(sandbox, 'notes add_page', { title: 'Later', text: 'Written after the key was gone.' })
  // A server caches a key for at most a second.
  const until = Date.now() + 10_000
  let status = 0
  while (status !== 401 && Date.now() < until)
    ({ status } = await asked({ ...server, key: made.key }, `GET /v1/connectors/${id}`))
  if (status !== 401) return `the key still reads: ${status}`
  const run = await syncOnce(server, id)
  return run.outcome === 'succeeded' && run.created === 1 ? undefined : JSON.stringify(run)
}

/** Links two accounts with the same text. Each keeps its memory when the other is disconnected. */
async function twoHold({ server, sandbox }, { collectionId, id }) {
  const account = `accounts/cloud_drive/${SECOND_ACCOUNT}`
  const folder = (await sandbox.control(`${account}/add_folder`, { parent: 'root', name: 'two' })).id
  const text = 'What twoHold begins with.'
  await sandbox.control(`${account}/add_file`, { parent: folder, name: 'note.txt', text })
  const other = await connectFolder(server, { collectionId, folder, account: 1 })
  await asked(server, `DELETE /v1/connectors/${id}?delete_memories=true`)
  await syncOnce(server, other)
  return await holds(server, collectionId, `By hand. ${text}`)
}

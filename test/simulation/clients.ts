import type { ConnectionConfig } from '../../src/contract/connection.ts'
import type { ProviderId } from '../../src/contract/provider-ids.ts'
import { formFields } from '../server/end-to-end/consent-kit.ts'
import { file, forgetLine } from '../snapshot/builders.ts'
import type { NodeName } from './faults.ts'
import { type ClientReply, type ClientRequest, sendToNode } from './network.ts'
import type { ClientAct } from './plan.ts'
import type { Watched } from './watch.ts'
import type { World } from './world.ts'

/** What clients were told, and so must hold. */
export type Told = {
  /** Nothing fails in this simulation: what is lost, the product has lost. */
  isCalm: boolean
  collections: Set<string>
  /** Ids of memories that were acknowledged, and the tokens that were sent without an answer. */
  stored: Map<string, { collectionId: string; token: string }>
  unanswered: Set<string>
  /** Collections of which a client does not know whether they are deleted, and those that are. */
  maybeDeleted: Set<string>
  deleted: Set<string>
  /** Memories whose forgetting was acknowledged. */
  forgotten: Map<string, string>
  violations: string[]
}

export function createTold({ isCalm }: Pick<Told, 'isCalm'>): Told {
  return {
    isCalm,
    collections: new Set(),
    stored: new Map(),
    unanswered: new Set(),
    maybeDeleted: new Set(),
    deleted: new Set(),
    forgotten: new Map(),
    violations: []
  }
}

export type ClientParts = { world: World; watched: Watched; told: Told; client: number }

/** Does what a client does, and notes what it was told. */
export async function actAsClient(parts: ClientParts, act: ClientAct): Promise<void> {
  switch (act.kind) {
    case 'create_collection':
      return await createCollection(parts)
    case 'delete_collection':
      return await deleteCollection(parts, act.pick)
    case 'store':
      return await store(parts, act)
    case 'forget':
      return await forget(parts, act.pick)
    case 'search':
      return await search(parts, act.pick)
    case 'export':
      return await readExport(parts, act.pick)
    case 'connect':
      return await connect(parts, act)
    case 'configure':
      return await configure(parts, act)
    case 'disconnect':
      return await disconnect(parts, act)
    default:
      return await steer(parts, act)
  }
}

/** Sends a request to one of the nodes, whichever the seed says. */
async function send({ world, client }: ClientParts, request: Omit<ClientRequest, 'key'>): Promise<ClientReply> {
  const name: NodeName = world.scheduler.chance.next(`c${client} node`).percent(50) ? 'a' : 'b'
  const line = { ...world, client, node: () => world.nodes[name] }
  const reply = await sendToNode(line, { ...request, key: world.adminKey })
  // An answer of 5xx other than "try again" is a bug of the server, whatever went wrong around it.
  if (reply?.status === 500) world.scheduler.note(`500: ${reply.text}`)
  return reply
}

function choose<T>(all: readonly T[], pick: number): T | undefined {
  return all.length === 0 ? undefined : all[pick % all.length]
}

function chooseCollection({ told }: ClientParts, pick: number): string | undefined {
  return choose(
    [...told.collections].filter((id) => !told.deleted.has(id)),
    pick
  )
}

async function createCollection(parts: ClientParts): Promise<void> {
  const reply = await send(parts, { method: 'POST', path: '/v1/collections', json: { name: 'another' } })
  if (reply?.status === 201) parts.told.collections.add((JSON.parse(reply.text) as { id: string }).id)
}

async function deleteCollection(parts: ClientParts, pick: number): Promise<void> {
  const { told } = parts
  const id = chooseCollection(parts, pick)
  if (id === undefined) return
  told.maybeDeleted.add(id)
  const reply = await send(parts, { method: 'DELETE', path: `/v1/collections/${id}` })
  if (reply?.status === 200) told.deleted.add(id)
}

async function store(parts: ClientParts, { pick, token }: { pick: number; token: string }): Promise<void> {
  const { told } = parts
  const collectionId = chooseCollection(parts, pick)
  if (collectionId === undefined) return
  told.unanswered.add(token)
  const text = `The captain said ${token} to Ben in Lisbon.`
  const request = { method: 'POST', path: '/v1/memories', json: { collection_id: collectionId, raw_text: text } }
  // Whoever got no answer says it again.
  const reply = (await send(parts, request)) ?? (await send(parts, request))
  if (reply?.status !== 201) return
  const { memory_id } = JSON.parse(reply.text) as { memory_id: string }
  told.stored.set(memory_id, { collectionId, token })
  const { watched } = parts
  const collection = watched.collections.get(collectionId)
  const isThere = collection?.memories.has(memory_id) === true || collection?.forgotten.has(memory_id) === true
  if (!isThere && !watched.deletedCollections.has(collectionId))
    told.violations.push(`${token} was acknowledged and is not stored`)
}

/** Forgets any memory of a collection, whoever brought it in. */
async function forget(parts: ClientParts, pick: number): Promise<void> {
  const { told, watched } = parts
  const collectionId = chooseCollection(parts, pick)
  const memory = choose([...(watched.collections.get(collectionId ?? '')?.memories.values() ?? [])], pick)
  if (collectionId === undefined || memory === undefined) return
  const asked = watched.forgetsAsked.get(collectionId) ?? new Set()
  watched.forgetsAsked.set(collectionId, asked.add(memory.id))
  const reply = await send(parts, {
    method: 'POST',
    path: `/v1/collections/${collectionId}/records`,
    form: file(forgetLine(memory.id)).toString(),
    headers: { 'content-type': 'application/jsonl' }
  })
  if (reply?.status !== 200) return
  told.forgotten.set(memory.id, collectionId)
  if (watched.collections.get(collectionId)?.memories.has(memory.id) && !watched.deletedCollections.has(collectionId))
    told.violations.push(`${memory.token} was forgotten, as the server said, and is still there`)
}

/** Asks for something that is stored: what was acknowledged before the search is found by it. */
async function search(parts: ClientParts, pick: number): Promise<void> {
  const { told } = parts
  const collectionId = chooseCollection(parts, pick)
  if (collectionId === undefined) return
  const own = [...told.stored].filter(([id, { collectionId: of }]) => of === collectionId && !told.forgotten.has(id))
  const [id, { token }] = choose(own, pick) ?? ['', { token: 'nothing' }]
  const json = { collection_ids: [collectionId], query: token }
  const reply = await send(parts, { method: 'POST', path: '/v1/memories/search', json })
  const isGone = told.maybeDeleted.has(collectionId) || parts.watched.forgetsAsked.get(collectionId)?.has(id)
  if (reply?.status === 200 && token !== 'nothing' && !isGone && !reply.text.includes(token))
    told.violations.push(`${token} was acknowledged and is not found`)
}

async function readExport(parts: ClientParts, pick: number): Promise<void> {
  const collectionId = chooseCollection(parts, pick)
  if (collectionId !== undefined) await exportCollection(parts, collectionId)
}

/** The texts of a collection's export by memory id; undefined where it did not come whole. */
export async function exportCollection(
  parts: ClientParts,
  collectionId: string
): Promise<Map<string, string> | undefined> {
  const reply = await send(parts, {
    method: 'POST',
    path: '/v1/device-memory/snapshot/export',
    json: { collection_id: collectionId },
    headers: { accept: 'application/jsonl' }
  })
  if (reply?.status !== 200) return undefined
  const records = reply.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; id: string; text: string })
  if (records.at(-1)?.type !== 'end') return undefined
  return new Map(records.filter(({ type }) => type === 'memory').map(({ id, text }) => [id, text]))
}

type Connecting = { provider: ProviderId; pick: number; places: number; twice: boolean }

/** Walks a consent to its end, as a person with a browser does. With `twice`, the browser sends its last request again. */
export async function connect(parts: ClientParts, { provider, pick, places, twice }: Connecting): Promise<void> {
  const collection_id = chooseCollection(parts, pick)
  if (collection_id === undefined) return
  const { world } = parts
  const config = chooseConfig(world, provider, places)
  const json = { collection_id, ...(config !== undefined && { config }) }
  const begun = await send(parts, { method: 'POST', path: `/v1/connectors/${provider}/connect`, json })
  if (begun?.status !== 200) return
  const { auth_url } = JSON.parse(begun.text) as { auth_url: string }
  const callback = await consent(world, auth_url)
  if (callback === undefined) return
  const path = callback.slice(new URL(callback).origin.length)
  const headers = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  await send(parts, { method: 'GET', path, headers })
  if (twice) await send(parts, { method: 'GET', path, headers })
}

/** How long a person waits for a page, in milliseconds. */
const PATIENCE_MS = 30_000

/** The person at the provider's own page, whose line never fails. One who gets no answer gives up. */
async function consent({ sandbox, scheduler }: World, authUrl: string): Promise<string | undefined> {
  const open = (request: Request): Promise<Response | undefined> =>
    Promise.race([sandbox.fetch(request), scheduler.pause('person gives up', PATIENCE_MS).then(() => undefined)])
  await scheduler.hop('person', undefined, 400)
  const page = await open(new Request(authUrl))
  const text = page?.status === 200 ? await page.text().catch(() => undefined) : undefined
  if (text === undefined) return undefined
  const fields = [...formFields(text), ['decision', 'approve'] as [string, string]]
  await scheduler.hop('person', undefined, 400)
  const { origin, pathname } = new URL(authUrl)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = String(new URLSearchParams(fields))
  const reply = await open(new Request(`${origin}${pathname}`, { method: 'POST', headers, body }))
  return reply?.headers.get('location') ?? undefined
}

/** One or both of the places that can be selected; undefined where there is nothing to select. */
function chooseConfig({ accounts }: World, provider: ProviderId, places: number): ConnectionConfig | undefined {
  const all = accounts.places(provider)
  if (all.length === 0) return undefined
  const chosen = all.filter((_, at) => (places & (1 << at)) !== 0)
  const ids = chosen.length === 0 ? [...all] : chosen
  return provider === 'cloud_drive' ? { folder_ids: ids } : { channel_ids: ids }
}

function chooseConnection(
  { watched, told }: ClientParts,
  pick: number
): { id: string; provider: ProviderId } | undefined {
  const open = [...watched.connections.values()].filter(
    ({ status, collectionId }) => status !== 'revoked' && !told.deleted.has(collectionId)
  )
  return choose(open, pick)
}

async function configure(parts: ClientParts, { pick, places }: { pick: number; places: number }): Promise<void> {
  const connection = chooseConnection(parts, pick)
  const config = connection && chooseConfig(parts.world, connection.provider, places)
  if (connection === undefined || config === undefined) return
  await send(parts, { method: 'PATCH', path: `/v1/connectors/${connection.id}/config`, json: { config } })
}

async function disconnect(parts: ClientParts, { pick, deletes }: { pick: number; deletes: boolean }): Promise<void> {
  const connection = chooseConnection(parts, pick)
  if (connection === undefined) return
  const path = `/v1/connectors/${connection.id}${deletes ? '?delete_memories=true' : ''}`
  await send(parts, { method: 'DELETE', path })
}

async function steer(
  parts: ClientParts,
  { kind, pick }: { kind: 'sync' | 'pause' | 'resume' | 'retry'; pick: number }
): Promise<void> {
  const connection = chooseConnection(parts, pick)
  if (connection === undefined) return
  const path = `/v1/connectors/${connection.id}`
  if (kind !== 'retry') return void (await send(parts, { method: 'POST', path: `${path}/${kind}` }))
  const items = await send(parts, { method: 'GET', path: `${path}/items?status=failed` })
  if (items?.status !== 200) return
  const found = choose(JSON.parse(items.text) as { id: string }[], pick)
  if (found !== undefined)
    await send(parts, { method: 'POST', path: `${path}/items/${encodeURIComponent(found.id)}/retry` })
}

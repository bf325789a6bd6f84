import type { ConnectionConfig } from '../../src/contract/connection.ts'
import type { ProviderId } from '../../src/contract/provider-ids.ts'
import { formFields } from '../server/end-to-end/consent-kit.ts'
import { browse, look, rotate, useKey } from './account-acts.ts'
import { type ClientParts, choose, chooseCollection, chooseConnection, exportCollection, send } from './client-parts.ts'
import type { ClientReply } from './network.ts'
import { ORIGIN } from './node.ts'
import type { ClientAct } from './plan.ts'
import { askSnapshot, assist, forget, importSnapshot, upload } from './snapshot-acts.ts'
import type { World } from './world.ts'

/** Performs an act of a client, and records the replies. */
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
    case 'upload':
      return await upload(parts, act)
    case 'import':
      return await importSnapshot(parts, act.pick)
    case 'ask_snapshot':
      return await askSnapshot(parts, act.token)
    case 'assist':
      return await assist(parts, act)
    case 'browse':
      return await browse(parts, act.pick)
    case 'look':
      return await look(parts, act.pick)
    case 'use_key':
      return await useKey(parts, act.pick)
    case 'rotate':
      return await rotate(parts)
    default:
      return await steer(parts, act)
  }
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
  // A client that gets no reply sends the request again.
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

/** Searches for a stored text: a search finds everything that was acknowledged before it. */
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

type Connecting = { provider: ProviderId; pick: number; places: number; twice: boolean; denies: boolean }

/**
 * Walks a consent to its end, as a person with a browser does. With `twice`, the browser sends its last request again.
 * With `denies`, a person who is asked to confirm the connection declines.
 */
export async function connect(
  parts: ClientParts,
  { provider, pick, places, twice, denies }: Connecting
): Promise<void> {
  const collection_id = chooseCollection(parts, pick)
  if (collection_id === undefined) return
  const { world } = parts
  const config = chooseConfig(world, provider, places)
  const json = { collection_id, ...(config !== undefined && { config }) }
  const begun = await send(parts, { method: 'POST', path: `/v1/connectors/${provider}/connect`, json })
  if (begun?.status !== 200) return
  const { auth_url, state } = JSON.parse(begun.text) as { auth_url: string; state: string }
  const callback = await consent(world, auth_url)
  if (callback === undefined) return
  const path = callback.slice(new URL(callback).origin.length)
  const visit = (): Promise<ClientReply> => send(parts, { method: 'GET', path, headers: BROWSER })
  const page = await visit()
  const ticket = formFields(page?.text ?? '').find(([name]) => name === 'ticket')
  if (ticket !== undefined) await confirm(parts, { path, state, ticket, twice, denies })
  else if (twice) await visit()
}

const BROWSER = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

type Confirming = Pick<Connecting, 'twice' | 'denies'> & { path: string; state: string; ticket: [string, string] }

/** Answers the page that asks for confirmation of a connection. A declined account is never connected. */
async function confirm(parts: ClientParts, { path, state, ticket, twice, denies }: Confirming): Promise<void> {
  const { told, world } = parts
  await world.scheduler.hop('person', undefined, 400)
  const form = String(new URLSearchParams([ticket, ['decision', denies ? 'deny' : 'approve']]))
  const request = { method: 'POST', path: path.split('?')[0] ?? '', form, headers: { ...BROWSER, origin: ORIGIN } }
  const decided = await send(parts, request)
  if (twice) await send(parts, request)
  if (!denies || decided?.status !== 403) return
  const shown = await send(parts, { method: 'GET', path: `/v1/connectors/attempts?state=${encodeURIComponent(state)}` })
  if (shown?.status === 200 && (JSON.parse(shown.text) as { status: string }).status !== 'denied')
    told.violations.push(`a consent was declined, and is ${shown.text}`)
}

/** Maximum time that a person waits for a page, in milliseconds. */
const PATIENCE_MS = 30_000

/**
 * Sends a request of the person to the provider's page. The connection to that page never fails. Without a reply, the
 * person gives up.
 */
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

/** Returns one or both of the places that can be selected; undefined if there is nothing to select. */
function chooseConfig({ accounts }: World, provider: ProviderId, places: number): ConnectionConfig | undefined {
  const all = accounts.places(provider)
  if (all.length === 0) return undefined
  const chosen = all.filter((_, at) => (places & (1 << at)) !== 0)
  const ids = chosen.length === 0 ? [...all] : chosen
  return provider === 'cloud_drive' ? { folder_ids: ids } : { channel_ids: ids }
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

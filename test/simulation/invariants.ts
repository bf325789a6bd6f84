import { type ClientParts, exportCollection, send, type Told } from './client-parts.ts'
import { connect } from './clients.ts'
import type { Watched, WatchedConnection } from './watch.ts'
import type { World } from './world.ts'

/*
 * The conditions of every simulation. An invariant is a function that returns a sentence for each violation. Those of
 * `AT_REST` run after each event, those of `AT_END` once everything works again and all due work is done.
 */

export type Seen = { world: World; watched: Watched; told: Told }

const AT_REST: readonly ((seen: Seen) => readonly string[])[] = [findBugsInLog, findSecretsInLog]

/** Returns the current violations. */
export function checkAtRest(seen: Seen): string[] {
  if (seen.world.log.length === 0) return []
  const complaints = AT_REST.flatMap((invariant) => invariant(seen))
  seen.world.log.length = 0
  return complaints
}

/** An error other than a `Fault` is a bug, and the server logs it as `err`. */
function findBugsInLog({ world }: Seen): string[] {
  return world.log.flatMap(({ node, message, fields }) => {
    const { err } = fields
    const isBug = err instanceof TypeError || err instanceof RangeError || err instanceof ReferenceError
    return isBug ? [`${node} logged a bug: ${message}: ${err.stack}`] : []
  })
}

function findSecretsInLog({ world }: Seen): string[] {
  return world.log.flatMap(({ message, fields }) => {
    const line = `${message} ${JSON.stringify(fields)} ${fields.err instanceof Error ? fields.err.stack : ''}`
    return [...world.secrets].some((secret) => line.includes(secret)) ? [`a secret was logged: ${message}`] : []
  })
}

const AT_END: readonly ((parts: ClientParts) => Promise<string | undefined>)[] = [
  checkConnectionsSync,
  checkNoRequestInFlight,
  checkLeasesEnded,
  checkVault,
  checkEphemeral,
  checkExports
]

/** Returns the first violation at the end, or undefined. */
export async function checkAtEnd(parts: ClientParts): Promise<string | undefined> {
  for (const invariant of AT_END) {
    const complaint = await invariant(parts)
    if (complaint !== undefined) return complaint
  }
  return undefined
}

function listOpenConnections({ watched, told }: ClientParts): WatchedConnection[] {
  return [...watched.connections.values()].filter(
    ({ status, collectionId }) =>
      status === 'active' && !watched.deletedCollections.has(collectionId) && !told.deleted.has(collectionId)
  )
}

/** Syncs every connection again. The owner reconnects a connection whose grant was lost in the storm. */
async function checkConnectionsSync(parts: ClientParts): Promise<string | undefined> {
  const { world } = parts
  for (const { id, provider, collectionId } of listOpenConnections(parts)) {
    await ask(parts, 'POST', `/v1/connectors/${id}/resume`)
    const shown = await ask(parts, 'GET', `/v1/connectors/${id}`)
    if (JSON.stringify(shown).includes('cannot be decrypted'))
      return `the credentials of ${provider} cannot be decrypted`
    if (JSON.stringify(shown).includes('memctl connect')) {
      if (parts.told.isCalm) return `the grant of ${provider} was lost, although nothing failed`
      const pick = [...parts.told.collections].filter((one) => !parts.told.deleted.has(one)).indexOf(collectionId)
      await connect(parts, { provider, pick, places: 3, twice: false, denies: false })
    }
    await retrySetAside(parts, id)
    await ask(parts, 'POST', `/v1/connectors/${id}/sync`)
  }
  await world.scheduler.pause('syncs', 20_000)
  return undefined
}

/** Requests another read of the items during which servers crashed, because they must not be lost. */
async function retrySetAside(parts: ClientParts, connectionId: string): Promise<void> {
  const path = `/v1/connectors/${connectionId}/items`
  const items = (await ask(parts, 'GET', `${path}?status=failed`)) as readonly { id: string }[]
  for (const item of items.filter((one) => JSON.stringify(one).includes('stopped the server twice')))
    await ask(parts, 'POST', `${path}/${encodeURIComponent(item.id)}/retry`)
}

async function checkNoRequestInFlight(parts: ClientParts): Promise<string | undefined> {
  const { world } = parts
  for (const name of ['a', 'b'] as const) {
    const node = world.nodes[name]
    if (node === undefined) return `node ${name} is down`
    const reply = await send(parts, { method: 'GET', path: '/metrics' }, { node: name })
    const count = /^memctl_http_requests_in_flight (\d+)$/m.exec(reply?.text ?? '')?.[1]
    // The caller itself counts as one.
    if (count !== '1') return `${count} requests are in flight on ${name}, where only one is`
  }
  return undefined
}

async function checkLeasesEnded(parts: ClientParts): Promise<string | undefined> {
  const { world, watched } = parts
  for (const { id } of listOpenConnections(parts)) {
    const schedule = await world.storage.findSchedule(id)
    if (schedule?.leaseUntil !== undefined && schedule.leaseUntil < world.clock.now() - 120_000)
      return `the lease of ${id} expired long ago, and no server has taken over its run`
  }
  const left = [...watched.connections.values()].filter(
    ({ status, deletesMemories, collectionId }) =>
      status === 'revoked' && deletesMemories && !watched.deletedCollections.has(collectionId)
  )
  const open = await world.storage.listOpenCleanups({ now: Math.floor(world.clock.now()) as never, limit: 100 })
  const waiting = left.find(({ id }) => open.includes(id))
  return waiting && `the memories of ${waiting.id} are due for deletion, and no server deletes them`
}

/** An undisturbed rotation encrypts every secret with the current key, regardless of earlier rotations. */
async function checkVault(parts: ClientParts): Promise<string | undefined> {
  if (!parts.told.rotates) return undefined
  const { storage } = parts.world
  const reply = await send(parts, { method: 'POST', path: '/v1/vault/rotate' }, {})
  if (reply?.status !== 200) return `the key of the vault could not be rotated: ${reply?.text}`
  const { current, used } = await storage.listVaultKeys()
  const isOld = used.some((key) => key !== current) || (await storage.listStaleSecrets(1)).length > 0
  return isOld ? 'a secret is sealed with an old key, although a rotation has ended' : undefined
}

async function checkEphemeral({ world, told }: ClientParts): Promise<string | undefined> {
  const left = (await world.storage.listCollections()).find(({ id }) => told.ephemeral.has(id))
  return left && `the ephemeral collection ${left.id} is still there after days`
}

/**
 * The export of each collection contains what was acknowledged and what its connections own, each once, and nothing
 * else.
 */
async function checkExports(parts: ClientParts): Promise<string | undefined> {
  const { told, watched } = parts
  for (const id of told.collections) {
    if (watched.deletedCollections.has(id)) continue
    if (told.deleted.has(id)) return `collection ${id} was deleted, as the server said, and is still there`
    const exported = await exportCollection(parts, id)
    if (exported === undefined) return `collection ${id} could not be exported`
    const complaint = compareWithModel(parts, id, [...exported.values()])
    if (complaint !== undefined) return complaint
  }
  return undefined
}

function compareWithModel(
  { told, watched }: ClientParts,
  collectionId: string,
  texts: readonly string[]
): string | undefined {
  const live = texts.map((text) => /tok[0-9a-z]+x/.exec(text)?.[0] ?? text)
  const twice = live.find((token, at) => live.indexOf(token) !== at && !isKept(watched, collectionId, token))
  if (twice !== undefined) return `${twice} is stored twice`
  const { required, allowed } = listExpected({ told, watched }, collectionId)
  const there = new Set(live)
  const lost = [...required].find((token) => !there.has(token))
  if (lost !== undefined) return `${lost} is lost`
  const alien = live.find((token) => !required.has(token) && !allowed.has(token))
  return alien && `${alien} is held, although nothing says so any more`
}

/** Returns whether a revoked connection left a memory, which stays beside the newer text of another connection. */
function isKept(watched: Watched, collectionId: string, token: string): boolean {
  return listConnections(watched, collectionId).some(({ status, kept }) => status === 'revoked' && kept.has(token))
}

function listConnections({ connections }: Watched, collectionId: string): WatchedConnection[] {
  return [...connections.values()].filter((connection) => connection.collectionId === collectionId)
}

type Expected = { required: Set<string>; allowed: Set<string> }

function listExpected({ told, watched }: Pick<Seen, 'told' | 'watched'>, collectionId: string): Expected {
  const required = new Set<string>()
  const allowed = new Set(told.unanswered)
  for (const connection of listConnections(watched, collectionId)) {
    for (const token of listOwed(connection, watched)) required.add(token)
    if (connection.status === 'revoked' && !connection.deletesMemories)
      for (const token of connection.kept) allowed.add(token)
    if (connection.status === 'pending') for (const token of connection.synced) allowed.add(token)
  }
  for (const stored of told.stored.values()) if (stored.collectionId === collectionId) required.add(stored.token)
  for (const token of listForgotten({ told, watched }, collectionId, allowed)) required.delete(token)
  return { required, allowed }
}

/**
 * Lists the tokens that a connection must have in its collection: those of the selection, or those it left when it was
 * revoked. Another connection may have synced and deleted some of the latter.
 */
function listOwed(connection: WatchedConnection, watched: Watched): ReadonlySet<string> {
  const { status, held, kept, collectionId } = connection
  if (status === 'active') return held
  if (status !== 'revoked' || connection.deletesMemories) return NOTHING
  const others = listConnections(watched, collectionId).filter((one) => one !== connection)
  const isDeleted = (token: string): boolean =>
    others.some(({ synced, ceased, deletesMemories }) => synced.has(token) && (deletesMemories || ceased.has(token)))
  return new Set([...kept].filter((token) => !isDeleted(token)))
}

const NOTHING: ReadonlySet<string> = new Set()

/**
 * Lists the tokens that a person asked to forget. A token may still be stored if the outcome of the request is unknown,
 * or if its item has changed, because other words or another conversation make another memory. A further copy must not
 * be stored.
 */
function listForgotten(
  { told, watched }: Pick<Seen, 'told' | 'watched'>,
  collectionId: string,
  allowed: Set<string>
): Set<string> {
  const tokens = new Set<string>()
  const collection = watched.collections.get(collectionId)
  if (collection === undefined) return tokens
  for (const id of watched.forgetsAsked.get(collectionId) ?? []) {
    const known = collection.remembered.get(id)
    if (known === undefined) continue
    const { token } = known
    tokens.add(token)
    const wasEdited = [...collection.remembered.values()].some(
      (other) => other !== known && other.token === token && !other.isCopy
    )
    if (told.forgotten.has(id) && collection.forgotten.has(id) && !wasEdited) allowed.delete(token)
    else allowed.add(token)
  }
  return tokens
}

async function ask(parts: ClientParts, method: string, path: string): Promise<unknown> {
  const reply = await send(parts, { method, path }, { node: parts.world.nodes.a === undefined ? 'b' : 'a' })
  return reply === undefined || reply.text === '' ? undefined : JSON.parse(reply.text)
}

import { type ClientParts, chooseCollection, chooseConnection, send } from './client-parts.ts'

/* Acts of owners and admins on other data than memories: places, states, API keys and the keys of the vault. */

/** Lists the folders or channels that a connection can select. */
export async function browse(parts: ClientParts, pick: number): Promise<void> {
  const { told, world } = parts
  const connection = chooseConnection(parts, pick)
  if (connection === undefined) return
  const { id, provider } = connection
  const noun = provider === 'team_chat' ? 'channels' : 'folders'
  const reply = await send(parts, { method: 'GET', path: `/v1/connectors/${id}/${noun}` })
  if (reply?.status !== 200) return
  const places = world.accounts.places(provider)
  const listed = (JSON.parse(reply.text) as { id: string }[]).map((place) => place.id)
  const alien = listed.find((place) => !places.includes(place))
  if (alien !== undefined) told.violations.push(`${provider} lists ${alien}, which is none of its ${noun}`)
  const missing = places.find((place) => !listed.includes(place))
  if (told.isCalm && missing !== undefined) told.violations.push(`${provider} does not list ${missing} of its ${noun}`)
}

/** Reads what the server shows of a collection and its connections. */
export async function look(parts: ClientParts, pick: number): Promise<void> {
  const collectionId = chooseCollection(parts, pick)
  const connection = chooseConnection(parts, pick)
  const paths = [
    ...['/v1/connectors/providers', '/v1/collections', '/v1/keys', '/metrics'],
    ...(collectionId === undefined
      ? []
      : [`/v1/collections/${collectionId}`, `/v1/connectors?collection_id=${collectionId}`]),
    ...['', '/runs', '/items', '/schedule'].flatMap((part) =>
      connection === undefined ? [] : [`/v1/connectors/${connection.id}${part}`]
    )
  ]
  for (const path of paths) await send(parts, { method: 'GET', path })
}

/** The time in milliseconds after which every node rejects a revoked key. */
const REVOKED_MS = 1000

/** Creates a key for one collection and revokes it. Until then, the key can access only that collection. */
export async function useKey(parts: ClientParts, pick: number): Promise<void> {
  const { told, world } = parts
  const own = chooseCollection(parts, pick)
  const other = [...told.collections].find((id) => id !== own)
  if (own === undefined) return
  const json = { name: 'another', grants: [{ collection_id: own, permission: 'read' }] }
  const made = await send(parts, { method: 'POST', path: '/v1/keys', json })
  if (made?.status !== 201) return
  const { id, key } = JSON.parse(made.text) as { id: string; key: string }
  world.secrets.add(key)
  const read = async (collectionId: string): Promise<number | undefined> =>
    (await send(parts, { method: 'GET', path: `/v1/collections/${collectionId}` }, { key }))?.status
  if (other !== undefined && (await read(other)) === 200)
    told.violations.push('a key reads a collection that is not its own')
  await read(own)
  const revoked = await send(parts, { method: 'DELETE', path: `/v1/keys/${id}` })
  if (revoked?.status !== 200) return
  await world.scheduler.pause('key', REVOKED_MS)
  if ((await read(own)) === 200) told.violations.push('a key is accepted a second after it was revoked')
}

/** Encrypts all stored credentials with a new key. */
export async function rotate(parts: ClientParts): Promise<void> {
  const { told } = parts
  told.rotates = true
  const reply = await send(parts, { method: 'POST', path: '/v1/vault/rotate' })
  if (reply?.text.includes('cannot be decrypted')) told.violations.push(`a rotation found damage: ${reply.text}`)
}

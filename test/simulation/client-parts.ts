import type { ProviderId } from '../../src/contract/provider-ids.ts'
import type { NodeName } from './faults.ts'
import { type ClientReply, type ClientRequest, sendToNode } from './network.ts'
import type { Watched } from './watch.ts'
import type { World } from './world.ts'

/** The promises in the replies that clients received. */
export type Told = {
  /** Set if no failure is injected in this simulation, so a loss is a bug of the product. */
  isCalm: boolean
  collections: Set<string>
  /** Ids of memories that were acknowledged, and the tokens that were sent without an answer. */
  stored: Map<string, { collectionId: string; token: string }>
  unanswered: Set<string>
  /** Deleted collections, and those whose deletion was requested without a reply. */
  maybeDeleted: Set<string>
  deleted: Set<string>
  /** Memories whose forgetting was acknowledged. */
  forgotten: Map<string, string>
  /** Ephemeral collections, which the servers delete by themselves. */
  ephemeral: Set<string>
  /** Set if a client requested a rotation of the vault's key. */
  rotates: boolean
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
    ephemeral: new Set(),
    rotates: false,
    violations: []
  }
}

export type ClientParts = { world: World; watched: Watched; told: Told; client: number }

/** Sends a request to the node that the seed chooses. Waits and sends it again while the server limits the rate of the key. */
export async function send(
  parts: ClientParts,
  request: Omit<ClientRequest, 'key'>,
  to: Sending = {}
): Promise<ClientReply> {
  const { world, client, told } = parts
  const name = to.node ?? (world.scheduler.chance.next(`c${client} node`).percent(50) ? 'a' : 'b')
  const line = { ...world, client, node: () => world.nodes[name] }
  const reply = await sendToNode(line, { ...request, key: to.key ?? world.adminKey })
  // A server never replies with 500 to an external failure: that status is for bugs and damage.
  if (reply?.status === 500)
    told.violations.push(`${request.method} ${request.path} was answered by 500: ${reply.text}`)
  if (reply?.status !== 429) return reply
  await world.scheduler.pause(`c${client} waits`, Math.max(1, reply.retryAfter ?? 60) * 1000)
  return await send(parts, request, to)
}

/** The key, by default that of the admin, and the node, by default one that the seed chooses. */
type Sending = { key?: string; node?: NodeName }

export function choose<T>(all: readonly T[], pick: number): T | undefined {
  return all.length === 0 ? undefined : all[pick % all.length]
}

export function chooseCollection({ told }: ClientParts, pick: number): string | undefined {
  return choose(
    [...told.collections].filter((id) => !told.deleted.has(id)),
    pick
  )
}

/** Chooses a connection that is not revoked, as far as the client knows. */
export function chooseConnection(
  { watched, told }: ClientParts,
  pick: number
): { id: string; provider: ProviderId } | undefined {
  const open = [...watched.connections.values()].filter(
    ({ status, collectionId }) => status !== 'revoked' && !told.deleted.has(collectionId)
  )
  return choose(open, pick)
}

/** Returns the lines of a collection's export, or undefined if it is incomplete. */
export async function exportLines(parts: ClientParts, collectionId: string): Promise<string | undefined> {
  const path = '/v1/device-memory/snapshot/export'
  const request = { method: 'POST', path, json: { collection_id: collectionId } }
  const reply = await send(parts, { ...request, headers: { accept: 'application/jsonl' } })
  return reply?.status === 200 && reply.text.includes('{"type":"end"') ? reply.text : undefined
}

/** Returns the texts of a collection's export by memory id, or undefined if it is incomplete. */
export async function exportCollection(
  parts: ClientParts,
  collectionId: string
): Promise<Map<string, string> | undefined> {
  const lines = await exportLines(parts, collectionId)
  const records = lines
    ?.trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; id: string; text: string })
  return records && new Map(records.filter(({ type }) => type === 'memory').map(({ id, text }) => [id, text]))
}

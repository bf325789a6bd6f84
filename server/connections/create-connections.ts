import type { ConnectionConfig, Disconnected } from '../../src/contract/connection.ts'
import { epochNow } from '../../src/contract/epoch-ms.ts'
import { Fault } from '../../src/contract/faults.ts'
import type { StoredConnection } from '../storage/port/connector-storage.ts'
import { browseChannels, browseFolders, findAbsentPlaces } from './browse-folders.ts'
import type { BeginAsked, Connections, ConnectionsParts, DisconnectAsked } from './connections.ts'
import { deleteMemories } from './delete-memories.ts'
import { noConnection } from './no-connection.ts'
import {
  type ConfigBody,
  type GivenSelection,
  invalid,
  parseSelection,
  pathText,
  readSelection
} from './parse-selection.ts'
import { assertStep, requireConnection, requireEnabled } from './require-connection.ts'

import { revokeGrant } from './revoke-grant.ts'
import { toWireAttempt, toWireConnection } from './to-wire-connection.ts'

/** Creates the connections over a storage and the enabled providers. */
export function createConnections(parts: ConnectionsParts): Connections {
  const { storage, oauth, world } = parts
  return {
    collectionOfConnection: async (id) => (await storage.findConnection(id))?.collectionId,
    collectionOfAttempt: async (state) => (await oauth.attempt(state))?.collectionId,
    begin: (asked) => begin(parts, asked),
    async attempt(state) {
      const attempt = await oauth.attempt(state)
      if (!attempt)
        throw new Fault('not_found', 'no consent attempt has this state', {
          hint: 'start a new one: memctl connect PROVIDER -c COLLECTION'
        })
      return toWireAttempt(attempt, world.clock.now())
    },
    list: async (collectionId) => (await storage.listConnectionsInCollection(collectionId)).map(toWireConnection),
    get: async (id) => toWireConnection(await requireConnection(parts, id)),
    async folders(id, asked) {
      const connection = await findBrowsed(parts, id)
      return await browseFolders(parts, { connection, enabled: requireEnabled(parts, connection.provider), ...asked })
    },
    async channels(id, asked) {
      const connection = await findBrowsed(parts, id)
      return await browseChannels(parts, { connection, enabled: requireEnabled(parts, connection.provider), ...asked })
    },
    configure: (id, body, signal = NEVER) => configure(parts, id, { body, signal }),
    disconnect: (id, asked) => disconnect(parts, id, asked)
  }
}

async function begin(parts: ConnectionsParts, asked: BeginAsked): Promise<{ auth_url: string; state: string }> {
  const { collectionId, keyId, config } = asked
  const { provider, driveIds } = requireEnabled(parts, asked.provider)
  const { id, selection } = provider.facts
  const rules = { provider: id, key: selection, driveIds }
  const chosen = config === undefined ? {} : parseSelection({ config, at: 'config' }, rules)
  const collection = await parts.storage.findCollection(collectionId)
  if (collection?.expiresAt !== undefined) {
    throw new Fault('conflict', `collection ${collectionId} is ephemeral, so no account can be connected to it`, {
      hint: 'create a permanent one: memctl collections create NAME'
    })
  }
  const { authUrl, state } = await parts.oauth.begin({ provider: id, collectionId, keyId, config: chosen })
  return { auth_url: authUrl, state }
}

type Configured = { body: ConfigBody; signal: AbortSignal }

const NEVER = new AbortController().signal

async function configure(parts: ConnectionsParts, id: string, { body, signal }: Configured) {
  const given = readSelection(body)
  const connection = await requireConnection(parts, id)
  const enabled = requireEnabled(parts, connection.provider)
  const { provider, driveIds } = enabled
  const config = parseSelection(given, { provider: connection.provider, key: provider.facts.selection, driveIds })
  assertStep(connection, { type: 'config_updated' })
  if (body.check_ids) await refuseAbsent(parts, { given, config, browsed: { connection, enabled, signal } })
  const now = epochNow(parts.world.clock)
  const change = { version: connection.version, config, status: 'active', now } as const
  const outcome = await parts.storage.updateConnection(id, change)
  if (outcome.connection === undefined) throw noConnection(id)
  if (!outcome.changed) {
    const why = outcome.connection.status === 'revoked' ? 'was revoked' : 'was changed by another caller'
    throw new Fault('conflict', `connection ${id} ${why} at the same time`, {
      hint: `check its current state: memctl connections show ${id}`
    })
  }
  return toWireConnection(outcome.connection)
}

type Chosen = { given: GivenSelection; config: ConnectionConfig; browsed: Parameters<typeof findAbsentPlaces>[1] }

/**
 * Rejects new ids that the account does not have.
 *
 * @throws Fault `invalid_input` with these ids.
 */
async function refuseAbsent(parts: ConnectionsParts, { given, config, browsed }: Chosen): Promise<void> {
  const { connection, enabled } = browsed
  const key = enabled.provider.facts.selection
  const ids = (key && config[key]) ?? []
  const before = new Set(key && connection.config[key])
  const absent = await findAbsentPlaces(
    parts,
    browsed,
    ids.filter((id) => !before.has(id))
  )
  if (key === undefined || absent.length === 0) return
  const all = given.config[key] as unknown[]
  const errors = absent.map((id) => ({
    path: pathText(given.at, [key, all.indexOf(id)]),
    message: `${JSON.stringify(id)} does not exist in the account, or is not visible to it`
  }))
  throw invalid(errors, `memctl connections ${key === 'folder_ids' ? 'folders' : 'channels'} ${connection.id}`)
}

async function disconnect(parts: ConnectionsParts, id: string, asked: DisconnectAsked): Promise<Disconnected> {
  const { byQuery, byBody } = asked
  if (byQuery !== undefined && byBody !== undefined && byQuery !== byBody) {
    throw invalid([{ path: 'delete_memories', message: 'has different values in the query and in the body' }])
  }
  const ended = await parts.storage.revokeConnection(id, epochNow(parts.world.clock))
  if (!ended) throw noConnection(id)
  const [warnings] = await Promise.all([
    (byQuery ?? byBody) ? deleteMemories(parts, id) : [],
    ended.credential && revokeGrant(parts, ended.credential)
  ])
  return { message: `Connection ${id} disconnected`, warnings }
}

async function findBrowsed(parts: ConnectionsParts, id: string): Promise<StoredConnection> {
  const connection = await requireConnection(parts, id)
  assertStep(connection, { type: 'browsed' })
  return connection
}

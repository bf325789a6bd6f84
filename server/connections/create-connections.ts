import type { ConnectionConfig, Disconnected, NamedConnection } from '../../src/contract/connection.ts'
import { epochNow } from '../../src/contract/epoch-ms.ts'
import { Fault } from '../../src/contract/faults.ts'
import { mergePlaceNames } from '../providers/port/merge-place-names.ts'
import type { StoredConnection } from '../storage/port/connector-storage.ts'
import { browseChannels, browseFolders, type FoundPlaces, findPlaces } from './browse-folders.ts'
import type { BeginAsked, Connections, ConnectionsParts, DisconnectAsked, Shown } from './connections.ts'
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
import { toNamedConnection, toWireAttempt, toWireConnection } from './to-wire-connection.ts'

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
    list: async (collectionId, shown) => (await storage.listConnectionsInCollection(collectionId)).map(toShown(shown)),
    get: async (id, shown) => toShown(shown)(await requireConnection(parts, id)),
    async folders(id, asked) {
      const connection = await findBrowsed(parts, id)
      return await browseFolders(parts, { connection, enabled: requireEnabled(parts, connection.provider), ...asked })
    },
    async channels(id, asked) {
      const connection = await findBrowsed(parts, id)
      return await browseChannels(parts, { connection, enabled: requireEnabled(parts, connection.provider), ...asked })
    },
    configure: async (id, body, { signal = NEVER, ...shown } = {}) =>
      toShown(shown)(await configure(parts, id, { body, signal })),
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

function toShown({ include }: Shown = {}): (stored: StoredConnection) => NamedConnection {
  return include === 'names' ? toNamedConnection : toWireConnection
}

type Configured = { body: ConfigBody; signal: AbortSignal }

const NEVER = new AbortController().signal

async function configure(parts: ConnectionsParts, id: string, { body, signal }: Configured): Promise<StoredConnection> {
  const given = readSelection(body)
  const connection = await requireConnection(parts, id)
  const enabled = requireEnabled(parts, connection.provider)
  const { provider, driveIds } = enabled
  const config = parseSelection(given, { provider: connection.provider, key: provider.facts.selection, driveIds })
  assertStep(connection, { type: 'config_updated' })
  const browsed = { connection, enabled, signal }
  const found = body.check_ids ? await findAdded(parts, { given, config, browsed }) : new Map<string, string>()
  const placeNames = mergePlaceNames(connection.placeNames, found, config.folder_ids ?? config.channel_ids ?? [])
  const now = epochNow(parts.world.clock)
  const change = { version: connection.version, config, placeNames, status: 'active', now } as const
  const outcome = await parts.storage.updateConnection(id, change)
  if (outcome.connection === undefined) throw noConnection(id)
  if (!outcome.changed) {
    const why = outcome.connection.status === 'revoked' ? 'was revoked' : 'was changed by another caller'
    throw new Fault('conflict', `connection ${id} ${why} at the same time`, {
      hint: `check its current state: memctl connections show ${id}`
    })
  }
  return outcome.connection
}

type Chosen = { given: GivenSelection; config: ConnectionConfig; browsed: Parameters<typeof findPlaces>[1] }

/**
 * Returns the names of new ids.
 *
 * @throws Fault `invalid_input` with the ids that the account does not have.
 */
async function findAdded(parts: ConnectionsParts, { given, config, browsed }: Chosen): Promise<FoundPlaces['names']> {
  const { connection, enabled } = browsed
  const key = enabled.provider.facts.selection
  const ids = (key && config[key]) ?? []
  const before = new Set(key && connection.config[key])
  const { names, absent } = await findPlaces(
    parts,
    browsed,
    ids.filter((id) => !before.has(id))
  )
  if (key === undefined || absent.length === 0) return names
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

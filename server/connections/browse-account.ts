import type { Channel, Folder } from '../../src/contract/connection.ts'
import { Fault } from '../../src/contract/faults.ts'
import type { EnabledProvider } from '../oauth/oauth.ts'
import type { ProviderCall } from '../providers/provider.ts'
import { ProviderFailure } from '../providers/provider-failure.ts'
import { deadGrantError, reconnectCommand } from '../providers/reconnect-words.ts'
import type { StoredConnection } from '../storage/connector-storage.ts'
import { collectEntries, type Listing } from './collect-entries.ts'
import type { ConnectionsParts } from './connections.ts'
import { providerFault } from './provider-fault.ts'

type Browsed = { connection: StoredConnection; enabled: EnabledProvider; signal: AbortSignal }

type Parts = Pick<ConnectionsParts, 'storage' | 'oauth' | 'world'>

/**
 * Folders of the account, below `parentId` or at the top.
 *
 * @throws Fault `usage` where the provider has none, or what became of the provider's failure.
 */
export async function foldersOf(parts: Parts, asked: Browsed & { parentId: string | undefined }): Promise<Folder[]> {
  const { connection, enabled, parentId } = asked
  const { folders } = enabled.provider
  if (!folders) throw hasNone(asked, 'folders')
  const entries = await collected(parts, asked, (call) => folders(call, parentId))
  const selected = new Set(connection.config.folder_ids)
  return entries.map(({ id, name, hasChildren }) => {
    return { id, name, has_children: hasChildren, is_selected: selected.has(id) }
  })
}

/**
 * Channels that the account may read.
 *
 * @throws Fault as `foldersOf` does.
 */
export async function channelsOf(parts: Parts, asked: Browsed): Promise<Channel[]> {
  const { connection, enabled } = asked
  const { channels } = enabled.provider
  if (!channels) throw hasNone(asked, 'channels')
  const entries = await collected(parts, asked, (call) => channels(call))
  const selected = new Set(connection.config.channel_ids)
  return entries.map(({ id, name, isPrivate, members }) => {
    return { id, name, is_private: isPrivate, num_members: members, is_selected: selected.has(id) }
  })
}

/**
 * Those of `ids` that the account does not have, as far as its provider can be asked for one.
 *
 * @throws Fault: what became of the provider's failure.
 */
export async function absentPlaces(parts: Parts, asked: Browsed, ids: readonly string[]): Promise<string[]> {
  const { hasPlace } = asked.enabled.provider
  if (!hasPlace || ids.length === 0) return []
  const there = await collected(parts, asked, async function* (call) {
    // Also what is not there is an answer, by which the provider shows that it is at work.
    for (const id of ids) yield (await hasPlace(call, id)) ? [{ id, name: id }] : []
  })
  return ids.filter((id) => !there.some((place) => place.id === id))
}

async function collected<Entry extends { id: string; name: string }>(
  { storage, oauth, world }: Parts,
  { connection, enabled, signal }: Browsed,
  list: (call: ProviderCall) => ReturnType<Listing<Entry>>
): Promise<Entry[]> {
  const fetch = oauth.authorizedFetch(credentialOf(connection))
  const call = { fetch, apiUrl: enabled.apiUrl, clock: world.clock, log: world.log }
  try {
    return await collectEntries((either) => list({ ...call, signal: either }), { clock: world.clock, signal })
  } catch (thrown) {
    if (!(thrown instanceof ProviderFailure)) throw thrown
    // Others of the account find out by themselves; this one shows at once that somebody has to connect again.
    if (thrown.kind === 'grant_dead') {
      const { service } = enabled.provider.facts
      const error = deadGrantError(service, thrown.message, reconnectCommand(connection))
      await storage.noteError(connection.id, error)
    }
    throw providerFault(thrown, connection)
  }
}

function credentialOf({ id, credentialId }: StoredConnection): string {
  if (credentialId === undefined) throw new Error(`connection ${id} is not revoked, yet has no credential`)
  return credentialId
}

/** Names the command for what the provider has in its place. */
function hasNone({ connection: { id, provider }, enabled }: Browsed, what: string): Fault {
  const { folders, channels } = enabled.provider
  const has = folders ? 'folders' : channels ? 'channels' : undefined
  const hint =
    has === undefined
      ? `all of it is synced: memctl connections show ${id}`
      : `it has ${has}: memctl connections ${has} ${id}`
  return new Fault('usage', `the connection ${id} is one of ${provider}, which has no ${what}`, { hint })
}

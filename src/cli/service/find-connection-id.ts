import type { Client } from '../../client/client.ts'
import type { NamedConnection } from '../../contract/connection.ts'
import type { Context } from '../command/context.ts'
import type { OptionRow } from '../input/command-line.ts'
import { GUID } from '../settings/settings-table.ts'
import { collectionId } from './choose-collection.ts'
import { findById, type Nameable } from './find-by-id.ts'

/** The option of commands that take a connection: the collection in which a name or shortened id is searched. */
export const SEARCHED_COLLECTION_OPTION: OptionRow = {
  flags: '-c, --collection <collection>',
  about: 'collection in which to search for a name or shortened id; all that the key may read by default',
  live: 'collection'
}

/** The word of commands that take a connection. */
export const CONNECTION_WORD = {
  about: 'provider, account, id, or at least the last 6 characters of the id',
  live: 'connection'
} as const

/**
 * Returns the id of a connection, which is given by its id, the end of its id, its provider or its account. Searches the
 * connections of a collection, or of all collections that the key may read. A full id is not searched.
 */
export async function findConnectionId(
  context: Context,
  given: string,
  collection: string | undefined
): Promise<string> {
  if (GUID.test(given)) return given.toLowerCase()
  const found = await connectionsIn(context, collection)
  return findById(found.map(toNameableConnection), given, { noun: 'connection', list: 'memctl connections list' }).id
}

/** Returns the names by which a command finds a connection. */
export function toNameableConnection({ id, provider, account_name, external_account_id }: NamedConnection): Nameable {
  const account = account_name ?? external_account_id
  return { id, names: [provider, account, external_account_id], about: `${provider} ${account}` }
}

async function connectionsIn(context: Context, collection: string | undefined): Promise<NamedConnection[]> {
  const client = await context.client()
  const ids =
    collection === undefined
      ? (await client.listCollections()).map(({ id }) => id)
      : [await collectionId(context, collection)]
  return await listNamedConnections(client, ids)
}

/** Collections whose connections are requested at the same time. */
const AT_ONCE = 8

/** Lists the connections of collections with the names of their accounts. */
export async function listNamedConnections(
  client: Client,
  collections: readonly string[],
  options: { signal?: AbortSignal } = {}
): Promise<NamedConnection[]> {
  const found: NamedConnection[] = []
  for (let at = 0; at < collections.length; at += AT_ONCE) {
    const lists = collections
      .slice(at, at + AT_ONCE)
      .map((collection_id) => client.listConnections({ query: { collection_id, include: 'names' } }, options))
    found.push(...(await Promise.all(lists)).flat())
  }
  return found
}

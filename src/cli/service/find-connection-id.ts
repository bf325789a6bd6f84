import type { Connection } from '../../contract/connection.ts'
import type { Context } from '../command/context.ts'
import type { OptionRow } from '../input/command-line.ts'
import { GUID } from '../settings/settings-table.ts'
import { collectionId } from './choose-collection.ts'
import { findById } from './find-by-id.ts'

/** The option of commands that take a connection id: the collection to search for shortened ids. */
export const SEARCHED_COLLECTION_OPTION: OptionRow = {
  flags: '-c, --collection <id>',
  about: 'collection to search for shortened ids; all that the key may read by default'
}

/**
 * Returns the full id for a full one or for at least its first 6 characters. Searches the connections of a collection, or of all
 * collections that the key may read.
 */
export async function findConnectionId(
  context: Context,
  given: string,
  collection: string | undefined
): Promise<string> {
  if (GUID.test(given)) return given.toLowerCase()
  const found = await connectionsIn(context, collection)
  const named = found.map(({ id, external_account_id }) => ({ id, name: external_account_id }))
  return findById(named, given, { noun: 'connection', list: 'memctl connections list' }).id
}

async function connectionsIn(context: Context, collection: string | undefined): Promise<Connection[]> {
  const client = await context.client()
  const ids =
    collection === undefined
      ? (await client.listCollections()).map(({ id }) => id)
      : [await collectionId(context, collection)]
  const found: Connection[] = []
  for (const collection_id of ids) found.push(...(await client.listConnections({ query: { collection_id } })))
  return found
}

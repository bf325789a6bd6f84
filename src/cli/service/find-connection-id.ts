import type { Connection } from '../../contract/connection.ts'
import type { Context } from '../command/context.ts'
import type { OptionRow } from '../input/command-line.ts'
import { GUID } from '../settings/settings-table.ts'
import { collectionId } from './choose-collection.ts'
import { findById } from './find-by-id.ts'

/** For commands that take the id of a connection: where beginnings of ids are looked for. */
export const SEARCHED_COLLECTION_OPTION: OptionRow = {
  flags: '-c, --collection <id>',
  about: 'look for a shortened id in this collection only; by default in all that the key may read'
}

/**
 * The id that is meant by one in full, or by its first 6 characters or more. Those of a beginning are looked for among the
 * connections of a collection, or of all that the key may read.
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

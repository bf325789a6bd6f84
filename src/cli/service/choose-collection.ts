import type { Collection } from '../../contract/endpoints/collections.ts'
import { Fault } from '../../contract/faults.ts'
import type { Context } from '../command/context.ts'
import type { OptionRow } from '../input/command-line.ts'
import type { StyledLine } from '../output/styled-line.ts'
import { GUID } from '../settings/settings-table.ts'
import { findById, toNameable } from './find-by-id.ts'

/** The option of commands that work on one collection. */
export const COLLECTION_OPTION: OptionRow = {
  flags: '-c, --collection <collection>',
  about: 'collection: name, id, or at least the last 6 characters of the id',
  live: 'collection'
}

/**
 * Returns the id of the collection to use: the given one, or else the one in the settings, or else the only permanent one that
 * the key may read or the one named `default`, which is shown on stderr. A name or shortened id is searched among the collections
 * that the key may read. Rejects with a usage fault that names the flag if the choice is ambiguous.
 */
export async function chooseCollection(context: Context, given: string | undefined): Promise<string> {
  const { id, said } = await findCollection(context, given)
  await context.diagnostics.show(said)
  return id
}

/** Like `chooseCollection`, but returns the line for stderr instead of showing it. */
export async function findCollection(
  context: Context,
  given: string | undefined
): Promise<{ id: string; said: readonly StyledLine[] }> {
  if (given !== undefined) return { id: await collectionId(context, given), said: [] }
  const { value, where } = context.settings.get('collection')
  if (value !== undefined) return { id: await collectionId(context, value, where), said: [] }
  const readable = await listCollections(context)
  const chosen = onlyOne(readable) ?? onlyOne(readable.filter(({ name }) => name === 'default'))
  if (chosen === undefined) throw severalFault(readable)
  return { id: chosen.id, said: [[{ text: `collection: ${chosen.name} (${chosen.id})`, look: 'dim' }]] }
}

/**
 * Returns the id of a collection, which is given by its id, the end of its id or its name. A full id is not searched. `where` is
 * the variable or file that gives it, for an error.
 */
export async function collectionId(context: Context, given: string, where?: string): Promise<string> {
  if (GUID.test(given)) return given.toLowerCase()
  const client = await context.client()
  return findById((await client.listCollections()).map(toNameable), given, {
    noun: 'collection',
    list: 'memctl collections list',
    where
  }).id
}

/** Lists the permanent collections: an ephemeral one is never a default. */
async function listCollections(context: Context): Promise<Collection[]> {
  const client = await context.client()
  return (await client.listCollections()).filter(({ expires_at }) => expires_at === null)
}

function onlyOne(collections: readonly Collection[]): Collection | undefined {
  return collections.length === 1 ? collections[0] : undefined
}

function severalFault(readable: readonly Collection[]): Fault {
  if (readable.length === 0) {
    return new Fault('not_found', 'your key does not have access to any collection', {
      hint: 'create one with memctl collections create NAME, or ask an admin for access',
      next: ['memctl collections create']
    })
  }
  return new Fault('usage', `missing --collection: your key has access to ${readable.length} collections`, {
    hint: 'add --collection NAME; memctl collections list shows the names and ids',
    next: ['memctl collections list']
  })
}

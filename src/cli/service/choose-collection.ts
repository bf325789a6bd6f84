import type { Collection } from '../../contract/endpoints/collections.ts'
import { Fault } from '../../contract/faults.ts'
import type { Context } from '../command/context.ts'
import type { OptionRow } from '../input/command-line.ts'
import type { StyledLine } from '../output/styled-line.ts'
import { GUID } from '../settings/settings-table.ts'
import { findById } from './find-by-id.ts'

/** For commands that work on one collection. */
export const COLLECTION_OPTION: OptionRow = {
  flags: '-c, --collection <id>',
  about: 'the collection: its id, or the first 6 characters or more'
}

/**
 * The id of the collection that a command means: the one given, else that of the settings, else the only lasting one that the
 * key may read, or the one called `default`; stderr then says which. A beginning of an id is looked for among those that the
 * key may read. Rejects with a usage fault that names the flag where nothing tells.
 */
export async function chooseCollection(context: Context, given: string | undefined): Promise<string> {
  const { id, said } = await findCollection(context, given)
  await context.diagnostics.show(said)
  return id
}

/** The same, with what is to be said about it: for who has something else to say first. */
export async function findCollection(
  context: Context,
  given: string | undefined
): Promise<{ id: string; said: readonly StyledLine[] }> {
  if (given !== undefined) return { id: await collectionId(context, given), said: [] }
  const { value } = context.settings.get('collection')
  if (value !== undefined) return { id: value.toLowerCase(), said: [] }
  const readable = await listCollections(context)
  const chosen = onlyOne(readable) ?? onlyOne(readable.filter(({ name }) => name === 'default'))
  if (chosen === undefined) throw severalFault(readable)
  return { id: chosen.id, said: [[{ text: `collection: ${chosen.name} (${chosen.id})`, look: 'dim' }]] }
}

/** The id that is meant by one in full, or by its first characters. */
export async function collectionId(context: Context, given: string): Promise<string> {
  if (GUID.test(given)) return given.toLowerCase()
  const client = await context.client()
  return findById(await client.listCollections(), given, { noun: 'collection', list: 'memctl collections list' }).id
}

/** Lasting ones: what deletes itself is nobody's default. */
async function listCollections(context: Context): Promise<Collection[]> {
  const client = await context.client()
  return (await client.listCollections()).filter(({ expires_at }) => expires_at === null)
}

function onlyOne(collections: readonly Collection[]): Collection | undefined {
  return collections.length === 1 ? collections[0] : undefined
}

function severalFault(readable: readonly Collection[]): Fault {
  if (readable.length === 0) {
    return new Fault('not_found', 'the key may read no collection', {
      hint: 'memctl collections create NAME, or ask for a key that may read one',
      next: ['memctl collections create']
    })
  }
  return new Fault('usage', `which of the ${readable.length} collections is not said`, {
    hint: 'give --collection ID; memctl collections list shows them',
    next: ['memctl collections list']
  })
}

import type { ProviderCall } from '../provider.ts'
import { unlessGone } from '../unless-gone.ts'
import { fileOf } from './file-of.ts'
import type { Table } from './table.ts'
import type { DriveFile } from './wire.ts'

/** How many folders may lie between a folder and one that is known. Drive itself allows 100 levels. */
const LEVELS_MAX = 100

type Where = { call: ProviderCall; table: Pick<Table, 'get'>; selection: ReadonlySet<string> }

/**
 * Tells whether a folder lies in the selection by asking Drive for the folders above it, one after the other, as far as the table does not
 * know them.
 */
export async function isWithin(where: Where, folder: string): Promise<boolean> {
  return (await unlistedAbove(where, folder)) !== undefined
}

/**
 * Returns the folders from the given one upwards that lie in the selection and that no listing has told of, the highest one last; undefined
 * where the folder lies outside.
 */
export async function unlistedAbove({ call, table, selection }: Where, folder: string): Promise<string[] | undefined> {
  const unlisted: string[] = []
  let at: string | undefined = folder
  while (at !== undefined && unlisted.length < LEVELS_MAX) {
    if (selection.has(at) || (await table.get(`folder:${at}`)) !== undefined) return unlisted
    const found: DriveFile | undefined = await unlessGone(fileOf(call, at))
    if (found === undefined || found.trashed) return undefined
    unlisted.push(found.id)
    at = found.parents?.[0]
  }
  return undefined
}

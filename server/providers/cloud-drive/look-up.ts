import type { LookedUp, SyncCall } from '../port/provider.ts'
import { unlessGone } from '../port/unless-gone.ts'
import { toSeenFile } from './file-item.ts'
import { getFile } from './requests.ts'
import { isWithin, openTable, type Table } from './tree.ts'

import { type DriveFile, FOLDER_TYPE, SHORTCUT_TYPE } from './wire.ts'

type Item = { id: string; place?: string }
type Where = { call: SyncCall; table: Table; selection: ReadonlySet<string> }

/**
 * See `Provider.lookUp`. A file is absent where Drive does not show it, where it is in the trash, or where it was moved to a folder outside
 * the selection. One that still stands where it stood, though that is outside, may be held by a shortcut that no listing told of: of it
 * nothing is known.
 */
export async function lookUp(call: SyncCall, item: Item, selected: readonly string[]): Promise<LookedUp> {
  const file = await unlessGone(getFile(call, item.id))
  if (file === undefined || file.trashed || file.id !== item.id) return 'absent'
  const where = { call, table: openTable(call.ledger, 'changes/'), selection: new Set(selected) }
  if (file.mimeType === FOLDER_TYPE || file.mimeType === SHORTCUT_TYPE)
    return where.selection.has(file.id) ? 'unknown' : 'absent'
  const holder = await findHolder(where, file, item)
  if (holder !== undefined) return toSeenFile(file, holder)
  return file.parents?.[0] === item.place && item.place !== undefined ? 'unknown' : 'absent'
}

/** The folder or shortcut that holds a file in the selection; undefined where none is known. */
async function findHolder(where: Where, file: DriveFile, { place }: Item): Promise<string | undefined> {
  if (where.selection.has(file.id)) return ''
  const parent = file.parents?.[0]
  if (parent !== undefined && (await isWithin(where, parent))) return parent
  const prefix = `pointer:${file.id}:`
  const [known] = [...(await where.table.entries(prefix)).keys()].sort()
  if (known !== undefined) return known.slice(prefix.length)
  return place !== undefined && place !== parent && (await isHeldBy(where, file, place)) ? place : undefined
}

/** Whether the shortcut that held a file still does. */
async function isHeldBy(where: Where, { id }: DriveFile, shortcut: string): Promise<boolean> {
  const found = await unlessGone(getFile(where.call, shortcut))
  const folder = found?.parents?.[0]
  if (found?.shortcutDetails?.targetId !== id || found.trashed || folder === undefined) return false
  return await isWithin(where, folder)
}

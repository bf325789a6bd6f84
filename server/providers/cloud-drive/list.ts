import type { Page, PageFrom, SyncCall } from '../provider.ts'
import { beginning, clear, work } from './changes.ts'
import { readCursor } from './cursor.ts'
import { openTree, pageOf } from './tree.ts'

/**
 * A listing made anew, and then what changed meanwhile: an item that is moved from a folder that is not yet listed to one that was would
 * otherwise be missed, and taken for gone.
 */
export async function list(call: SyncCall, from: PageFrom): Promise<Page> {
  if (from.cursor === undefined) return beginning(call, from.selection, 'list')
  const tree = openTree(call, from.selection, readCursor(from.cursor, 'list'))
  const isOver = await work(tree)
  if (isOver) await clear(tree)
  return pageOf(tree, { more: !isOver })
}

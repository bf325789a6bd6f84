import type { Page, PageFrom, SyncCall } from '../provider.ts'
import { nextPage } from './changes.ts'
import { stateOf } from './cursor.ts'

/** See `Provider.list`: channels and their threads as a whole, whatever was read before. */
export async function list(call: SyncCall, from: PageFrom): Promise<Page> {
  return await nextPage(call, stateOf(from.cursor, 'list', from.selection), from.selection)
}

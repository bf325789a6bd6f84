import type { Page, PageFrom, SyncCall } from '../provider.ts'
import { cursorOf } from './cursor.ts'
import { beginPass } from './pass/begin-pass.ts'
import { nextPage } from './pass/next-page.ts'

/**
 * Everything there is, found as by `changes`, from scratch: search, rows, what stands in pages. What was read before and not edited since
 * is named without being read. It may still lack something, so what it does not name has to be asked for.
 */
export async function list(call: SyncCall, { cursor }: PageFrom): Promise<Page> {
  if (cursor === undefined) return await beginPass(call, 'list')
  return await nextPage(call, cursorOf(cursor, ['list']))
}

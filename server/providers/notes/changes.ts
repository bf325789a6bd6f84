import type { Page, PageFrom, SyncCall } from '../provider.ts'
import { cursorOf } from './cursor.ts'
import { beginPass } from './pass/begin-pass.ts'
import { nextPage } from './pass/next-page.ts'

/**
 * What changed. Notion has no feed of changes, so a pass unites what search lists, which is neither complete nor up to date, the rows of
 * every data source, and what stands in pages; the ledger says what is known of each. The first pass reads everything. Each later one asks search for
 * what was edited since, with a day of overlap, data sources for rows edited or thrown away, and looks again at pages that nothing else tells of.
 */
export async function changes(call: SyncCall, { cursor }: PageFrom): Promise<Page> {
  if (cursor === undefined) return await beginPass(call, 'all')
  const state = cursorOf(cursor, ['all', 'news'])
  return state.step === 'done' ? await beginPass(call, 'news', state) : await nextPage(call, state)
}

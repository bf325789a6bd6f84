import type { Page, PageFrom, SyncCall } from '../provider.ts'
import { cursorOf, newPass } from './cursor.ts'
import { nextPage } from './pass/next-page.ts'

/**
 * What changed. Notion has no feed of changes, so a pass unites what search lists, which is neither complete nor up to date, the rows of
 * every data source, and what stands in pages; the ledger says what is known of each. The first pass reads everything. Each later one asks search for
 * what was edited since, with a day of overlap, data sources for rows edited or thrown away, and looks again at pages that nothing else tells of.
 */
export async function changes(call: SyncCall, { cursor }: PageFrom): Promise<Page> {
  const now = call.clock.now()
  if (cursor === undefined) return await nextPage(call, newPass('all', now))
  const state = cursorOf(cursor, ['all', 'news'])
  return await nextPage(call, state.step === 'done' ? newPass('news', now, state) : state)
}

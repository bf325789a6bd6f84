import type { ItemContent, SyncCall } from '../provider.ts'
import { ProviderFailure } from '../provider-failure.ts'
import { pageItem } from './content/page-item.ts'
import { readPage } from './content/read-page.ts'
import { orGone } from './pass/look-again.ts'
import { getBlock, getDatabase, getPage } from './requests.ts'
import { type Block, type Database, isTrashed, ObjectId, type Page, type Tagged, taggedText } from './wire.ts'

/** How many pages a page may stand in, one in the other. */
const DEPTH_MAX = 50

/** A page as it is now. One that stands in something that lies in the trash is gone with it. */
export async function read(call: SyncCall, itemId: string): Promise<ItemContent> {
  const id = ObjectId.safeParse(itemId)
  if (!id.success) throw gone()
  const page = await getPage(call, id.data)
  if (isTrashed(page) || (await liesInTrash(call, page.parent))) throw gone()
  const { text } = await readPage(call, page.id)
  return pageItem(page, text)
}

function gone(): ProviderFailure {
  return new ProviderFailure('item_gone', 'the page is gone, or lies in the trash')
}

/** As far as what it stands in is shown to us. */
async function liesInTrash(call: SyncCall, parent: Tagged): Promise<boolean> {
  let place: Tagged | undefined = parent
  for (let depth = 0; place !== undefined && place.type !== 'workspace' && depth < DEPTH_MAX; depth += 1) {
    const above: Page | Block | Database | undefined = await orGone(getAbove(call, place))
    if (above === undefined) return false
    if (isTrashed(above)) return true
    place = above.parent
  }
  return false
}

/** What something stands in. A data source is in the trash where its database is, which is named beside it. */
async function getAbove(call: SyncCall, place: Tagged): Promise<Page | Block | Database | undefined> {
  const id = taggedText(place)
  if (id === undefined) return undefined
  if (place.type === 'page_id') return await getPage(call, id)
  if (place.type === 'block_id') return await getBlock(call, id)
  const database = place.type === 'database_id' ? id : place.database_id
  return typeof database === 'string' ? await getDatabase(call, database) : undefined
}

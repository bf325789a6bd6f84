import type { LookedUp, SyncCall } from '../port/provider.ts'
import { unlessGone } from '../port/unless-gone.ts'
import { getPlace, toPageItem } from './page-item.ts'
import { liesInTrash, readPageText } from './read.ts'

import { getPage } from './requests.ts'
import { isTrashed, ObjectId } from './wire.ts'

/** See `Provider.lookUp`: a page in the trash counts as gone, and so does one that stands in something there. The page comes with its text. */
export async function lookUp(call: SyncCall, item: { id: string }): Promise<LookedUp> {
  const id = ObjectId.safeParse(item.id)
  if (!id.success) return 'absent'
  const page = await unlessGone(getPage(call, id.data))
  if (page === undefined || isTrashed(page) || (await liesInTrash(call, page.parent))) return 'absent'
  const { text } = await readPageText(call, page.id)
  const content = toPageItem(page, text)
  const place = getPlace(page)
  return { id: page.id, version: content.version, content, ...(place !== undefined && { place }) }
}

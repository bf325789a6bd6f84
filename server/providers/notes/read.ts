import type { ItemContent, SyncCall } from '../provider.ts'
import { ProviderFailure } from '../provider-failure.ts'
import { pageItem } from './content/page-item.ts'
import { readPage } from './content/read-page.ts'
import { liesInTrash } from './pass/lies-in-trash.ts'
import { getPage } from './requests.ts'
import { isTrashed, ObjectId } from './wire.ts'

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

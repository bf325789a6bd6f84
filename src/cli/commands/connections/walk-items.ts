import type { Client } from '../../../client/client.ts'
import type { SyncItem } from '../../../contract/sync.ts'

/** Items of one page, as many as the server lists at once. */
const PAGE_ITEMS = 1000

/** Which items of a connection, and how many at most. */
export type ItemsAsked = { connectionId: string; status: SyncItem['status'] | undefined; limit: number }

/** The items of a connection in the order of their ids, page after page. */
export async function* walkItems(
  client: Pick<Client, 'listItems'>,
  { connectionId, status, limit }: ItemsAsked
): AsyncGenerator<SyncItem> {
  let after: string | undefined
  for (let left = limit; left > 0; ) {
    const size = Math.min(left, PAGE_ITEMS)
    const query = { limit: String(size), ...(status && { status }), ...(after !== undefined && { after }) }
    const page = await client.listItems({ params: { connection_id: connectionId }, query })
    yield* page
    after = page.at(-1)?.id
    if (page.length < size || after === undefined) return
    left -= page.length
  }
}

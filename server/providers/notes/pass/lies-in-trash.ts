import type { ProviderCall } from '../../provider.ts'
import { ProviderFailure } from '../../provider-failure.ts'
import { getBlock, getDatabase, getPage } from '../requests.ts'
import { type Block, type Database, isTrashed, type Page, type Tagged, taggedText } from '../wire.ts'

/** How many things a page may stand in, one in the other. */
const DEPTH_MAX = 50

/** Whether something stands in what lies in the trash, however deep, as far as that is shown to us. @throws ProviderFailure */
export async function liesInTrash(call: ProviderCall, parent: Tagged): Promise<boolean> {
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
async function getAbove(call: ProviderCall, place: Tagged): Promise<Page | Block | Database | undefined> {
  const id = taggedText(place)
  if (id === undefined) return undefined
  if (place.type === 'page_id') return await getPage(call, id)
  if (place.type === 'block_id') return await getBlock(call, id)
  const database = place.type === 'database_id' ? id : place.database_id
  return typeof database === 'string' ? await getDatabase(call, database) : undefined
}

/** Undefined where there is no such thing for this account. */
export async function orGone<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ProviderFailure && (error.kind === 'item_gone' || error.kind === 'item_permanent'))
      return undefined
    throw error
  }
}

import type { Client } from '../../../client/client.ts'
import { Fault } from '../../../contract/faults.ts'
import type { SyncItem } from '../../../contract/sync.ts'
import { walkItems } from './walk-items.ts'

/**
 * Has failed items tried again: those that are named, or all. One that is named and did not fail is a fault; among all, one
 * that is not failed any more is passed over.
 */
export async function retryItems(
  client: Pick<Client, 'listItems' | 'retryItem'>,
  connectionId: string,
  which: readonly string[] | 'failed'
): Promise<SyncItem[]> {
  const retry = (item_id: string) => client.retryItem({ params: { connection_id: connectionId, item_id } })
  const retried: SyncItem[] = []
  if (which !== 'failed') {
    for (const id of which) retried.push(await retry(id))
    return retried
  }
  const failed: string[] = []
  const asked = { connectionId, status: 'failed', limit: Number.POSITIVE_INFINITY } as const
  for await (const { id } of walkItems(client, asked)) failed.push(id)
  for (const id of failed) {
    try {
      retried.push(await retry(id))
    } catch (error) {
      if (!(error instanceof Fault) || (error.code !== 'conflict' && error.code !== 'not_found')) throw error
    }
  }
  return retried
}

import type { SyncItem } from '../../src/contract/sync.ts'
import type { StoredItem } from '../storage/sync-storage.ts'
import { timeOf, timeOrNull } from './wire-time.ts'

/** An item as the wire shows it. After more failed tries than the first and its `retries`, it is cooling down. */
export function wireItem(item: StoredItem, { retries }: { retries: number }): SyncItem {
  const { id, title, url, status, memories, reason, tries } = item
  return {
    id,
    title: title ?? null,
    url: url ?? null,
    status,
    memories,
    error: reason ?? null,
    tries,
    next_try_at: timeOrNull(item.nextTryAt),
    cooling_down: status === 'failed' && tries > retries,
    changed_at: timeOf(item.changedAt)
  }
}

import type { Connection } from '../../src/contract/connection.ts'
import { inCollection } from '../providers/reconnect-words.ts'
import type { StoredConnection } from '../storage/connector-storage.ts'
import { timeOf, timeOrNull } from './wire-time.ts'

/** A connection as the wire shows it. What can be worked out (health, when it is due) is worked out here and stored nowhere. */
export function wireConnection(stored: StoredConnection): Connection {
  const { status, collectionId } = stored
  const lastError = stored.lastError === undefined ? null : inCollection(stored.lastError, collectionId)
  const active = status === 'active'
  const createdAt = timeOf(stored.createdAt)
  return {
    id: stored.id,
    provider: stored.provider,
    external_account_id: stored.accountId,
    status,
    collection_id: collectionId,
    items_synced: stored.itemsSynced,
    last_synced_at: timeOrNull(stored.lastSyncedAt),
    last_error: lastError,
    config: stored.config,
    created_at: createdAt,
    health: active ? (lastError === null ? 'ok' : 'error') : null,
    // Every kind of error that there is may be over the next time.
    error_detail: lastError === null ? null : { message: lastError, retryable: true },
    next_sync_at: active ? timeOf(dueSince(stored)) : null
  }
}

/** One that was never synced is due since it exists, whatever holds up its first sync. */
function dueSince({ lastSyncedAt, nextRunAt, createdAt }: StoredConnection): number {
  return lastSyncedAt === undefined ? createdAt : (nextRunAt ?? createdAt)
}

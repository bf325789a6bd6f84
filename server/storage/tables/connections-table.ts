import type { Transaction } from 'kysely'
import { ConnectionStatus } from '../../../src/contract/connection.ts'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { Dialect, TableMethods } from '../database/dialect.ts'
import {
  damagedValueError,
  fromStored,
  objectFrom,
  textOrNull,
  textOrUndefined,
  toOption,
  toStored
} from '../database/stored-values.ts'
import type { ConnectionRow, ConnectionSyncColumns, Tables } from '../database/tables.ts'
import type { ConnectionStorage, StoredConnection } from '../port/connection-storage.ts'
import type { Hold } from '../port/queue-storage.ts'
import { markUnused, takeIfUnused } from './credentials-table.ts'
import { endOpenRuns } from './runs-table.ts'

/** Methods over the table of connections, but for its queue and its cleanups. */
export const connectionsTable: TableMethods<ConnectionStorage> = {
  /** One of a collection that is there, revoked or not. */
  async connection({ db }, id) {
    const row = await db
      .selectFrom('connections')
      .innerJoin('collections', 'collections.id', 'connections.collection_id')
      .selectAll('connections')
      .where('connections.id', '=', id)
      .where('collections.deleted_at', 'is', null)
      .executeTakeFirst()
    return row === undefined ? undefined : toStoredConnection(row)
  },

  /** Oldest first, without revoked ones. */
  async connectionsInCollection({ db }, collectionId) {
    const rows = await db
      .selectFrom('connections')
      .selectAll()
      .where('collection_id', '=', collectionId)
      .where('revoked_at', 'is', null)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    return rows.map(toStoredConnection)
  },

  /** Changes a connection that is as `version` has it and not revoked. A run that is under way is fenced off; the next is due at once. */
  updateConnection(database, id, change) {
    return database.db.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('connections')
        .set((row) => ({
          config: toStored(change.config),
          status: change.status,
          version: row('version', '+', 1),
          cursor_generation: row('cursor_generation', '+', 1),
          ...NO_HOLD,
          fence: row('fence', '+', 1),
          next_run_at: change.now
        }))
        .where('id', '=', id)
        .where('version', '=', change.version)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      const changed = numUpdatedRows > 0n
      if (changed) await endOpenRuns(transaction, [id], { outcome: 'stopped', now: change.now })
      return { changed, connection: await connectionsTable.connection({ ...database, db: transaction }, id) }
    })
  },

  /** What failed last at a connection that is not revoked. */
  async noteError({ db }, id, error) {
    await db
      .updateTable('connections')
      .set({ last_error: textOrNull(error) })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .execute()
  },

  /** Ends a connection, and takes its credential out with the last that uses it. */
  revokeConnection(database, id, now) {
    const { db, dialect } = database
    return db.transaction().execute(async (transaction) => {
      await dialect.lock(transaction, 'connections')
      const before = await connectionsTable.connection({ ...database, db: transaction }, id)
      if (before === undefined) return undefined
      if (before.status === 'revoked') return { connection: before, credential: undefined }
      const { credentialId, ...rest } = before
      await markRevoked(transaction, now).where('id', '=', id).execute()
      await endOpenRuns(transaction, [id], { outcome: 'stopped', now })
      const credential = credentialId === undefined ? undefined : await takeIfUnused(transaction, credentialId)
      const ended = { credentialId: undefined, nextRunAt: undefined, status: 'revoked' } as const
      const connection = { ...rest, ...ended, version: before.version + 1 }
      return { connection, credential }
    })
  }
}

/** Ends all connections of a collection that is being deleted. The caller has the lock `connections`. */
export async function revokeConnections(
  transaction: Transaction<Tables>,
  collectionId: string,
  now: EpochMs
): Promise<void> {
  const live = await transaction
    .selectFrom('connections')
    .select('credential_id')
    .distinct()
    .where('collection_id', '=', collectionId)
    .where('revoked_at', 'is', null)
    .execute()
  if (live.length === 0) return
  await markRevoked(transaction, now)
    .where('collection_id', '=', collectionId)
    .where('revoked_at', 'is', null)
    .execute()
  await markUnused(
    transaction,
    live.flatMap(({ credential_id }) => credential_id ?? []),
    now
  )
}

/** A row as the port has it. */
export function toStoredConnection(row: ConnectionRow): StoredConnection {
  const account = fromStored<{ id: string; name: string }>(row.account)
  if (typeof account?.id !== 'string' || typeof account.name !== 'string')
    throw damagedValueError(`the account of connection ${row.id} cannot be read`)
  return {
    id: row.id,
    provider: row.provider,
    collectionId: row.collection_id,
    accountId: account.id,
    accountName: account.name,
    status: toOption(ConnectionStatus.options, row.status, `the status of connection ${row.id}`),
    config: objectFrom(row.config, `the selection of connection ${row.id}`),
    credentialId: row.credential_id ?? undefined,
    lastError: textOrUndefined(row.last_error),
    createdAt: row.created_at,
    version: row.version,
    cursorGeneration: row.cursor_generation,
    itemsSynced: row.items_synced,
    lastSyncedAt: row.last_synced_at ?? undefined,
    nextRunAt: row.next_run_at ?? undefined
  }
}

/** Of the rows that `where` says. */
function markRevoked(transaction: Transaction<Tables>, now: EpochMs) {
  return transaction.updateTable('connections').set((row) => ({
    status: 'revoked' as const,
    credential_id: null,
    revoked_at: now,
    version: row('version', '+', 1),
    ...NO_HOLD,
    fence: row('fence', '+', 1),
    requested_at: null,
    next_run_at: null
  }))
}

/** What a write of whoever holds a connection needs to know of it. */
type Held = { collectionId: string; itemsSynced: number; cleanup: number; reasons: string }

/**
 * Looks whether a hold is what the connection's row says, and locks the row until the transaction ends. The row of a
 * collection is locked after those of its connections, everywhere.
 */
export async function lockHold(
  transaction: Transaction<Tables>,
  { locksRows }: Pick<Dialect, 'locksRows'>,
  { connectionId, owner, fence, runId }: Hold
): Promise<Held | undefined> {
  const query = transaction
    .selectFrom('connections')
    .select(['collection_id', 'items_synced', 'cleanup'])
    .select(({ selectFrom }) => selectFrom('runs').select('reasons').where('id', '=', runId).as('reasons'))
    .where('id', '=', connectionId)
    .where('lease_owner', '=', owner)
    .where('fence', '=', fence)
  const row = await (locksRows ? query.forUpdate() : query).executeTakeFirst()
  if (row === undefined) return undefined
  const { collection_id, items_synced, cleanup, reasons } = row
  return { collectionId: collection_id, itemsSynced: items_synced, cleanup, reasons: reasons ?? '{}' }
}

/** A connection that never was synced, or starts anew. */
export const NEVER_SYNCED = {
  next_run_at: null,
  paused_at: null,
  requested_at: null,
  lease_owner: null,
  lease_until: null,
  fence: 0,
  run_id: null,
  progress: null,
  last_pass: 0,
  failures: 0,
  items_synced: 0,
  last_synced_at: null,
  cleanup: 0
} as const satisfies ConnectionSyncColumns

/** What a run is not to find where its connection was changed: it is fenced off, and nobody holds it. What was asked for still is. */
export const NO_HOLD = {
  lease_owner: null,
  lease_until: null,
  progress: null,
  failures: 0
} as const

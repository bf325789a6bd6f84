import type { Transaction } from 'kysely'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { Dialect, TableMethods } from '../database/dialect.ts'
import { copyColumn, hashTexts, objectFrom, textOrUndefined, toOption, toStored } from '../database/stored-values.ts'
import type { AttemptRow, ConnectionRow, Tables } from '../database/tables.ts'
import {
  ATTEMPT_STATUSES,
  type AttemptStorage,
  type Completion,
  type HeldGrant,
  type MadeConnection,
  type NewAttempt,
  type StoredAttempt,
  type StoredConnection
} from '../port/connector-storage.ts'

import { holdCollection, missingCollection } from './collections-table.ts'
import { NEVER_SYNCED, toStoredConnection } from './connections-table.ts'
import { holdKey } from './keys-table.ts'
import { maySealWith, putCredential, takeIfUnused } from './vault-table.ts'

/** Methods on the table of attempts to connect an account. */
export const attemptsTable: TableMethods<AttemptStorage> = {
  /**
   * Stores an attempt, unless its verifier is sealed with a stale key. Does nothing if the id already exists.
   *
   * @throws Fault `not_found` if the collection was deleted.
   */
  createAttempt({ db, dialect }, attempt) {
    return db.transaction().execute(async (transaction) => {
      const { verifier } = attempt
      if (verifier !== undefined && !(await maySealWith(transaction, verifier.keyId, dialect))) return 'stale_key'
      if (!(await holdCollection(transaction, attempt.collectionId, dialect)))
        throw missingCollection(attempt.collectionId)
      await transaction
        .insertInto('attempts')
        .values(newRow(attempt))
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
      return 'created'
    })
  },

  /** Finds an attempt. The id is untrusted. */
  async findAttempt({ db }, id) {
    if (id.includes('\0')) return undefined
    const row = await db.selectFrom('attempts').selectAll().where('id', '=', id).executeTakeFirst()
    return row === undefined ? undefined : toStoredAttempt(row)
  },

  /** Uses up the state of an attempt. Returns true for exactly one call, if it precedes the expiry. */
  async useAttempt({ db }, id, now) {
    const { numUpdatedRows } = await db
      .updateTable('attempts')
      .set({ used_at: now })
      .where('id', '=', id)
      .where('status', '=', 'waiting')
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },

  /** Ends a waiting attempt and deletes its secrets. */
  async endAttempt({ db }, id, end) {
    const { numUpdatedRows } = await db
      .updateTable('attempts')
      .set({ ...WITHOUT_SECRETS, status: end.status, detail: toStored(end.detail), ended_at: end.now })
      .where('id', '=', id)
      .where('status', '=', 'waiting')
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },

  /** Stores a grant with a used attempt that waits. */
  holdGrant({ db, dialect }, id, held) {
    return db.transaction().execute(async (transaction) => {
      if (!(await maySealWith(transaction, held.secret.keyId, dialect))) return 'stale_key'
      const { account, clientId, expiresAt } = held
      const { numUpdatedRows } = await transaction
        .updateTable('attempts')
        .set({
          held: held.secret.bytes,
          held_key: held.secret.keyId,
          held_grant: toStored({ account, clientId, expiresAt }),
          ticket_hash: held.ticketHash
        })
        .where('id', '=', id)
        .where('status', '=', 'waiting')
        .where('used_at', 'is not', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n ? 'held' : 'ended'
    })
  },

  /**
   * Creates or renews the connection of an attempt, as documented at `Storage.completeAttempt`. Writes connection,
   * credential and attempt in one transaction.
   */
  completeAttempt({ db, dialect }, id, made) {
    return db.transaction().execute(async (transaction) => {
      await dialect.lock(transaction, 'connections')
      const attempt = await lockUsed(transaction, id, dialect)
      if (attempt === undefined) return { outcome: 'ended' }
      const before = await lockBefore(transaction, dialect, { attempt, made })
      const outcome = await hindrance(transaction, dialect, { attempt, made })
      if (outcome !== undefined) return { outcome }
      const put = await putConnection(transaction, { attempt, made }, before)
      await transaction
        .updateTable('attempts')
        .set({ ...WITHOUT_SECRETS, status: 'completed', ended_at: made.now, connection_id: put.connection.id })
        .where('id', '=', id)
        .execute()
      return put
    })
  },

  /** Removes old attempts, as documented at `Storage.takeOldAttempts`. Skips rows that another call has locked. */
  takeOldAttempts({ db, dialect }, times) {
    return db.transaction().execute(async (transaction) => {
      const removed = await removeOver(transaction, dialect, times)
      const expired = await expireHeld(transaction, dialect, { ...times, limit: times.limit - removed.length })
      return [...removed, ...expired]
    })
  }
}

/** Columns that are cleared when an attempt ends. */
const WITHOUT_SECRETS = {
  verifier: null,
  verifier_key: null,
  held: null,
  held_key: null,
  held_grant: null,
  ticket_hash: null
} as const

/** Finds a used attempt that waits, and locks it until the transaction ends. */
async function lockUsed(
  transaction: Transaction<Tables>,
  id: string,
  { locksRows }: Pick<Dialect, 'locksRows'>
): Promise<StoredAttempt | undefined> {
  const query = transaction
    .selectFrom('attempts')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .where('used_at', 'is not', null)
  const row = await (locksRows ? query.forUpdate() : query).executeTakeFirst()
  return row === undefined ? undefined : toStoredAttempt(row)
}

/** Converts a row to the port's type. */
function toStoredAttempt(row: AttemptRow): StoredAttempt {
  return {
    id: row.id,
    provider: row.provider,
    collectionId: row.collection_id,
    keyId: row.key_id,
    config: objectFrom(row.config, `the selection of attempt ${row.id}`),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    verifier:
      row.verifier === null || row.verifier_key === null
        ? undefined
        : { keyId: row.verifier_key, bytes: copyColumn(row.verifier) },
    status: toOption(ATTEMPT_STATUSES, row.status, `the status of attempt ${row.id}`),
    usedAt: row.used_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    detail: textOrUndefined(row.detail),
    connectionId: row.connection_id ?? undefined,
    held: toHeldGrant(row)
  }
}

function toHeldGrant({ held, held_key, held_grant, ticket_hash }: AttemptRow): HeldGrant | undefined {
  if (held === null || held_key === null || held_grant === null || ticket_hash === null) return undefined
  const grant = objectFrom<Omit<HeldGrant, 'secret' | 'ticketHash'>>(held_grant, 'the grant of an attempt')
  return {
    secret: { keyId: held_key, bytes: copyColumn(held) },
    account: grant.account,
    clientId: grant.clientId,
    expiresAt: grant.expiresAt,
    ticketHash: copyColumn(ticket_hash)
  }
}

function newRow(attempt: NewAttempt): AttemptRow {
  return {
    ...WITHOUT_SECRETS,
    id: attempt.id,
    provider: attempt.provider,
    collection_id: attempt.collectionId,
    key_id: attempt.keyId,
    config: toStored(attempt.config),
    created_at: attempt.createdAt,
    expires_at: attempt.expiresAt,
    used_at: null,
    ended_at: null,
    status: 'waiting',
    detail: null,
    connection_id: null,
    verifier: attempt.verifier?.bytes ?? null,
    verifier_key: attempt.verifier?.keyId ?? null
  }
}

type Both = { attempt: StoredAttempt; made: MadeConnection }

/**
 * Finds and locks the account's existing connection. A sync may be writing; like here, it locks the connection before
 * its collection.
 */
async function lockBefore(
  transaction: Transaction<Tables>,
  { locksRows }: Pick<Dialect, 'locksRows'>,
  { attempt: { provider, collectionId }, made }: Both
): Promise<ConnectionRow | undefined> {
  const query = transaction
    .selectFrom('connections')
    .selectAll()
    .where('collection_id', '=', collectionId)
    .where('provider', '=', provider)
    .where('account_key', '=', accountKey(provider, made))
    .where('revoked_at', 'is', null)
  return await (locksRows ? query.forUpdate() : query).executeTakeFirst()
}

function accountKey(provider: string, { account }: MadeConnection): Uint8Array {
  return hashTexts(provider, account.id)
}

/** Returns why a connection cannot be created. The rows that were checked stay locked until the transaction ends. */
async function hindrance(
  transaction: Transaction<Tables>,
  dialect: Dialect,
  { attempt, made }: Both
): Promise<'stale_key' | 'collection_gone' | 'key_revoked' | undefined> {
  if (!(await holdCollection(transaction, attempt.collectionId, dialect))) return 'collection_gone'
  if (!(await holdKey(transaction, attempt.keyId, dialect))) return 'key_revoked'
  return (await maySealWith(transaction, made.secret.keyId, dialect)) ? undefined : 'stale_key'
}

type Put = Extract<Completion, { connection: StoredConnection }>

async function putConnection(
  transaction: Transaction<Tables>,
  { attempt: { provider, collectionId, config }, made }: Both,
  before: ConnectionRow | undefined
): Promise<Put> {
  const { account } = made
  const credential_id = await putCredential(transaction, provider, made)
  if (before !== undefined) {
    const next_run_at = before.status === 'active' ? made.now : null
    return renew(transaction, before, { credential_id, account: toStored(account), next_run_at })
  }
  const row: ConnectionRow = {
    id: made.id,
    provider,
    collection_id: collectionId,
    account_key: accountKey(provider, made),
    account: toStored(account),
    status: made.status,
    config: toStored(config),
    place_names: null,
    credential_id,
    last_error: null,
    created_at: made.now,
    revoked_at: null,
    version: 1,
    cursor_generation: 1,
    ...NEVER_SYNCED,
    next_run_at: made.status === 'active' ? made.now : null
  }
  await transaction.insertInto('connections').values(row).execute()
  return { outcome: 'created', connection: toStoredConnection(row), replaced: undefined }
}

/**
 * Renews a connection. It is due immediately, since an operation that failed before may succeed with the new
 * credentials.
 */
async function renew(
  transaction: Transaction<Tables>,
  before: ConnectionRow,
  now: Pick<ConnectionRow, 'credential_id' | 'account' | 'next_run_at'>
): Promise<Put> {
  const renewed = { ...now, last_error: null, failures: 0 }
  await transaction.updateTable('connections').set(renewed).where('id', '=', before.id).execute()
  const old = before.credential_id
  const replaced = old === null || old === now.credential_id ? undefined : await takeIfUnused(transaction, old)
  return { outcome: 'renewed', connection: toStoredConnection({ ...before, ...renewed }), replaced }
}

type OldTimes = { now: EpochMs; endedBefore: EpochMs; limit: number }

type Step = (transaction: Transaction<Tables>, dialect: Dialect, times: OldTimes) => Promise<StoredAttempt[]>

const removeOver: Step = async (transaction, { locksRows }, { endedBefore, limit }) => {
  const query = transaction
    .selectFrom('attempts')
    .selectAll()
    .where('expires_at', '<', endedBefore)
    .where((row) => row.or([row('ended_at', 'is', null), row('ended_at', '<', endedBefore)]))
    .orderBy('expires_at')
    .limit(limit)
  const rows = await (locksRows ? query.forUpdate().skipLocked() : query).execute()
  if (rows.length > 0) await transaction.deleteFrom('attempts').where('id', 'in', listIds(rows)).execute()
  return rows.map(toStoredAttempt)
}

/** Ends expired attempts. The grants are returned and are no longer in the table. */
const expireHeld: Step = async (transaction, { locksRows }, { now, limit }) => {
  const query = transaction
    .selectFrom('attempts')
    .selectAll()
    .where('expires_at', '<=', now)
    .where('held', 'is not', null)
    .orderBy('expires_at')
    .limit(limit)
  const rows = await (locksRows ? query.forUpdate().skipLocked() : query).execute()
  if (rows.length > 0)
    await transaction
      .updateTable('attempts')
      .set({ ...WITHOUT_SECRETS, status: 'expired', ended_at: now })
      .where('id', 'in', listIds(rows))
      .execute()
  return rows.map((row) => ({ ...toStoredAttempt(row), status: 'expired', endedAt: now }))
}

function listIds(rows: readonly AttemptRow[]): string[] {
  return rows.map(({ id }) => id)
}

import type { Transaction } from 'kysely'
import type { EpochMs } from '../../src/contract/milliseconds.ts'
import { holdCollection, missingCollection } from './collections-table.ts'
import {
  ATTEMPT_STATUSES,
  type AttemptEnd,
  type HeldGrant,
  type NewAttempt,
  type StoredAttempt
} from './connector-storage.ts'
import type { AttemptRow } from './connector-tables.ts'
import type { Database, Dialect } from './dialect.ts'
import { copyOf, objectFrom, oneOf, textOrUndefined, toStored } from './stored-values.ts'
import type { Db, Tables } from './tables.ts'
import { maySealWith } from './vault-table.ts'

/**
 * Makes an attempt, unless its verifier is sealed with an old key. Made again with the same id, nothing changes.
 *
 * @throws Fault `not_found` where the collection is gone.
 */
export function insertAttempt({ db, dialect }: Database, attempt: NewAttempt): Promise<'created' | 'stale_key'> {
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
}

/** Whatever the id is: it comes from outside. */
export async function selectAttempt(db: Db, id: string): Promise<StoredAttempt | undefined> {
  if (id.includes('\0')) return undefined
  const row = await db.selectFrom('attempts').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? undefined : storedAttempt(row)
}

/** True for the one call that uses its state up before its time is over. */
export async function markUsed(db: Db, id: string, now: EpochMs): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('attempts')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends one that waits. Its secrets go with that. */
export async function markEnded(db: Db, id: string, end: AttemptEnd): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('attempts')
    .set({ ...WITHOUT_SECRETS, status: end.status, detail: toStored(end.detail), ended_at: end.now })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Keeps a grant with a used attempt that waits. */
export function putHeld(
  { db, dialect }: Database,
  id: string,
  held: HeldGrant
): Promise<'held' | 'ended' | 'stale_key'> {
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
}

/** What an attempt that has ended holds no longer. */
export const WITHOUT_SECRETS = {
  verifier: null,
  verifier_key: null,
  held: null,
  held_key: null,
  held_grant: null,
  ticket_hash: null
} as const

/** A used attempt that waits, which nobody else changes until the transaction ends. */
export async function lockUsed(
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
  return row === undefined ? undefined : storedAttempt(row)
}

/** A row as the port has it. */
export function storedAttempt(row: AttemptRow): StoredAttempt {
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
        : { keyId: row.verifier_key, bytes: copyOf(row.verifier) },
    status: oneOf(ATTEMPT_STATUSES, row.status, `the status of attempt ${row.id}`),
    usedAt: row.used_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    detail: textOrUndefined(row.detail),
    connectionId: row.connection_id ?? undefined,
    held: heldGrant(row)
  }
}

function heldGrant({ held, held_key, held_grant, ticket_hash }: AttemptRow): HeldGrant | undefined {
  if (held === null || held_key === null || held_grant === null || ticket_hash === null) return undefined
  const grant = objectFrom<Omit<HeldGrant, 'secret' | 'ticketHash'>>(held_grant, 'the grant of an attempt')
  return {
    secret: { keyId: held_key, bytes: copyOf(held) },
    account: grant.account,
    clientId: grant.clientId,
    expiresAt: grant.expiresAt,
    ticketHash: copyOf(ticket_hash)
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

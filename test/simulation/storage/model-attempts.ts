import type {
  AttemptStorage,
  Completion,
  HeldGrant,
  MadeConnection,
  StoredAttempt
} from '../../../server/storage/port/connector-storage.ts'
import { toStoredConnection } from './model-connections.ts'
import { takeIfUnused } from './model-credentials.ts'
import { currentVaultKey, findCollection, findValidKey, requireCollection } from './model-lookups.ts'
import type { AttemptRow, ConnectionRow } from './model-rows.ts'
import { compareValues, type ModelMethods, type ModelTransaction, toJsonValue } from './model-transaction.ts'

export const modelAttempts: ModelMethods<AttemptStorage> = {
  createAttempt(transaction, attempt) {
    const { id, provider, collectionId, keyId, config, createdAt, expiresAt, verifier } = attempt
    if (verifier !== undefined && verifier.keyId !== currentVaultKey(transaction)) return 'stale_key'
    requireCollection(transaction, collectionId)
    if (transaction.find('attempts', id) !== undefined) return 'created'
    transaction.insert('attempts', {
      ...{ id, provider, collectionId, keyId, config: toJsonValue(config), createdAt, expiresAt },
      ...{ usedAt: undefined, endedAt: undefined, status: 'waiting', detail: undefined, connectionId: undefined },
      ...WITHOUT_SECRETS,
      verifier
    })
    return 'created'
  },

  findAttempt(transaction, id) {
    const row = transaction.find('attempts', id)
    return row && toStoredAttempt(row)
  },

  useAttempt(transaction, id, now) {
    const row = findWaiting(transaction, id)
    if (row === undefined || row.usedAt !== undefined || row.expiresAt <= now) return false
    transaction.update('attempts', row, { usedAt: now })
    return true
  },

  endAttempt(transaction, id, { status, detail, now }) {
    const row = findWaiting(transaction, id)
    if (row === undefined) return false
    transaction.update('attempts', row, { ...WITHOUT_SECRETS, status, detail, endedAt: now })
    return true
  },

  holdGrant(transaction, id, { secret, account, clientId, expiresAt, ticketHash }) {
    if (secret.keyId !== currentVaultKey(transaction)) return 'stale_key'
    const row = findWaiting(transaction, id)
    if (row?.usedAt === undefined) return 'ended'
    const heldGrant = toJsonValue({ account, clientId, expiresAt })
    transaction.update('attempts', row, { held: secret, heldGrant, ticketHash })
    return 'held'
  },

  completeAttempt(transaction, id, made) {
    const attempt = findWaiting(transaction, id)
    if (attempt?.usedAt === undefined) return { outcome: 'ended' }
    if (findCollection(transaction, attempt.collectionId) === undefined) return { outcome: 'collection_gone' }
    if (findValidKey(transaction, attempt.keyId) === undefined) return { outcome: 'key_revoked' }
    if (made.secret.keyId !== currentVaultKey(transaction)) return { outcome: 'stale_key' }
    const completion = putConnection(transaction, attempt, made)
    const connectionId = completion.connection.id
    const ended = { status: 'completed', endedAt: made.now, connectionId } as const
    transaction.update('attempts', attempt, { ...WITHOUT_SECRETS, ...ended })
    return completion
  },

  takeOldAttempts(transaction, { now, endedBefore, limit }) {
    const byExpiry = (one: AttemptRow, other: AttemptRow) => compareValues(one.expiresAt, other.expiresAt)
    const over = transaction
      .select(
        'attempts',
        ({ expiresAt, endedAt }) => expiresAt < endedBefore && (endedAt === undefined || endedAt < endedBefore)
      )
      .toSorted(byExpiry)
      .slice(0, limit)
    transaction.remove('attempts', over)
    const held = transaction
      .select('attempts', (row) => row.expiresAt <= now && row.held !== undefined)
      .toSorted(byExpiry)
      .slice(0, limit - over.length)
    for (const row of held) transaction.update('attempts', row, { ...WITHOUT_SECRETS, status: 'expired', endedAt: now })
    const expired = held.map((row): StoredAttempt => ({ ...toStoredAttempt(row), status: 'expired', endedAt: now }))
    return [...over.map(toStoredAttempt), ...expired]
  }
}

/** The columns that are cleared when an attempt has ended. */
const WITHOUT_SECRETS = { verifier: undefined, held: undefined, heldGrant: undefined, ticketHash: undefined } as const

function findWaiting(transaction: ModelTransaction, id: string): AttemptRow | undefined {
  const row = transaction.find('attempts', id)
  return row?.status === 'waiting' ? row : undefined
}

function toStoredAttempt({ heldGrant, ticketHash, held: secret, ...row }: AttemptRow): StoredAttempt {
  const isHeld = heldGrant !== undefined && ticketHash !== undefined && secret !== undefined
  const held: HeldGrant | undefined = isHeld
    ? { secret, account: heldGrant.account, clientId: heldGrant.clientId, expiresAt: heldGrant.expiresAt, ticketHash }
    : undefined
  return { ...row, held }
}

type Completed = Extract<Completion, { connection: unknown }>

function putConnection(transaction: ModelTransaction, attempt: AttemptRow, made: MadeConnection): Completed {
  const { provider, collectionId, config } = attempt
  const credentialId = putCredential(transaction, attempt, made)
  const [before] = transaction.select(
    'connections',
    (row) =>
      row.collectionId === collectionId &&
      row.provider === provider &&
      row.account.id === made.account.id &&
      row.revokedAt === undefined
  )
  const account = toJsonValue(made.account)
  if (before !== undefined) return renewConnection(transaction, before, { account, credentialId, now: made.now })
  const nextRunAt = made.status === 'active' ? made.now : undefined
  const row: ConnectionRow = {
    ...{ id: made.id, provider, collectionId, account, status: made.status, config, credentialId, nextRunAt },
    ...{
      placeNames: undefined,
      lastError: undefined,
      createdAt: made.now,
      revokedAt: undefined,
      version: 1,
      cursorGeneration: 1
    },
    ...{ pausedAt: undefined, requestedAt: undefined, leaseOwner: undefined, leaseUntil: undefined, fence: 0 },
    ...{ runId: undefined, progress: undefined, lastPass: 0, failures: 0, itemsSynced: 0, lastSyncedAt: undefined },
    cleanup: false
  }
  transaction.insert('connections', row)
  return { outcome: 'created', connection: toStoredConnection(row), replaced: undefined }
}

/** Keeps the newest secret of a grant, even while an older one is being renewed. Returns the id of the credential. */
function putCredential(
  transaction: ModelTransaction,
  { provider }: AttemptRow,
  { credentialId, clientId, account, secret, expiresAt }: MadeConnection
): string {
  const newest = { secret, expiresAt, leaseOwner: undefined, leaseUntil: undefined, unusedSince: undefined }
  const [before] = transaction.select(
    'credentials',
    (row) => row.provider === provider && row.clientId === clientId && row.accountId === account.id
  )
  if (before !== undefined) return transaction.update('credentials', before, newest).id
  transaction.insert('credentials', { id: credentialId, provider, clientId, accountId: account.id, ...newest })
  return credentialId
}

type Renewal = Pick<ConnectionRow, 'account' | 'credentialId'> & { now: ConnectionRow['createdAt'] }

/** The connection is due at once, because an earlier failure may no longer occur. */
function renewConnection(
  transaction: ModelTransaction,
  before: ConnectionRow,
  { account, credentialId, now }: Renewal
): Completed {
  const nextRunAt = before.status === 'active' ? now : undefined
  const renewed = { account, credentialId, nextRunAt, lastError: undefined, failures: 0 }
  const connection = toStoredConnection(transaction.update('connections', before, renewed))
  const old = before.credentialId
  const replaced = old === undefined || old === credentialId ? undefined : takeIfUnused(transaction, old)
  return { outcome: 'renewed', connection, replaced }
}

import type { CredentialStorage, StoredCredential } from '../../../server/storage/port/connector-storage.ts'
import { type StaleSecret, secretIdentity, type VaultStorage } from '../../../server/storage/port/connector-storage.ts'
import { currentVaultKey, isUsed } from './model-lookups.ts'
import { type CredentialRow, ONLY_ROW } from './model-rows.ts'
import { compareValues, isSameBytes, type ModelMethods, type ModelTransaction } from './model-transaction.ts'

export const modelCredentials: ModelMethods<CredentialStorage> = {
  findCredential(transaction, id) {
    const row = transaction.find('credentials', id)
    return row && toStoredCredential(row)
  },

  findCredentialForAccount(transaction, { provider, clientId, accountId }) {
    const [row] = transaction.select(
      'credentials',
      (one) =>
        one.provider === provider &&
        one.clientId === clientId &&
        one.accountId === accountId &&
        one.unusedSince === undefined
    )
    return row && toStoredCredential(row)
  },

  takeUnusedCredentials(transaction, limit) {
    const unused = transaction
      .select('credentials', ({ unusedSince }) => unusedSince !== undefined)
      .toSorted((one, other) => compareValues(one.unusedSince ?? 0, other.unusedSince ?? 0))
      .slice(0, limit)
    transaction.remove('credentials', unused)
    return unused.map(toStoredCredential)
  },

  leaseRefresh(transaction, id, { owner, now, until }) {
    const row = transaction.find('credentials', id)
    if (row === undefined || (row.leaseUntil !== undefined && row.leaseUntil > now)) return false
    transaction.update('credentials', row, { leaseOwner: owner, leaseUntil: until })
    return true
  },

  saveRefreshed(transaction, id, { owner, secret, expiresAt }) {
    if (secret.keyId !== currentVaultKey(transaction)) return 'stale_key'
    const row = transaction.find('credentials', id)
    if (row === undefined) return 'lost'
    if (row.leaseOwner !== owner) return isSameBytes(row.secret.bytes, secret.bytes) ? 'saved' : 'lost'
    transaction.update('credentials', row, { secret, expiresAt, ...WITHOUT_LEASE })
    return 'saved'
  },

  endRefresh(transaction, id, { owner, error }) {
    const row = transaction.find('credentials', id)
    if (row === undefined || row.leaseOwner !== owner) return
    transaction.update('credentials', row, WITHOUT_LEASE)
    if (error === undefined) return
    for (const connection of transaction.select('connections', ({ credentialId }) => credentialId === id))
      transaction.update('connections', connection, { lastError: error })
  }
}

export const modelVault: ModelMethods<VaultStorage> = {
  ensureStoreId(transaction, proposed) {
    const row = transaction.find('store', ONLY_ROW)
    if (row !== undefined) return row.storeId
    transaction.insert('store', { storeId: proposed })
    return proposed
  },

  listVaultKeys(transaction) {
    const credentials = transaction.select('credentials').map(({ secret }) => secret)
    const attempts = transaction.select('attempts').flatMap(({ verifier, held }) => [verifier ?? [], held ?? []].flat())
    const used = new Set([...credentials, ...attempts].map(({ keyId }) => keyId))
    return { current: currentVaultKey(transaction), used: [...used].sort() }
  },

  changeVaultKey(transaction, before, next) {
    const row = transaction.find('vault', ONLY_ROW)
    if (row === undefined && before === undefined) transaction.insert('vault', { currentKey: next })
    if (row !== undefined && row.currentKey === before) transaction.update('vault', row, { currentKey: next })
    return currentVaultKey(transaction) === next
  },

  listStaleSecrets(transaction, limit) {
    const current = currentVaultKey(transaction)
    if (current === undefined) return []
    return listSecrets(transaction)
      .filter(({ secret }) => secret.keyId !== current)
      .slice(0, limit)
  },

  resealSecret(transaction, { kind, id, secret }, next) {
    if (next.keyId !== currentVaultKey(transaction)) return false
    if (kind === 'credential') {
      const row = transaction.find('credentials', id)
      if (row === undefined || !isSameBytes(row.secret.bytes, secret.bytes)) return false
      transaction.update('credentials', row, { secret: next })
      return true
    }
    const row = transaction.find('attempts', id)
    if (row === undefined || !isSameBytes(row[kind]?.bytes, secret.bytes)) return false
    transaction.update('attempts', row, { [kind]: next })
    return true
  }
}

/** Takes a credential if no connection uses it. */
export function takeIfUnused(transaction: ModelTransaction, id: string): StoredCredential | undefined {
  const row = transaction.find('credentials', id)
  if (row === undefined || isUsed(transaction, id)) return undefined
  transaction.remove('credentials', [row])
  return toStoredCredential(row)
}

/** Lists secrets: credentials first, then verifiers, then grants that wait for a confirmation. */
function listSecrets(transaction: ModelTransaction): StaleSecret[] {
  const attempts = transaction.select('attempts')
  const credentials = transaction.select('credentials').map((row): StaleSecret => {
    return { kind: 'credential', id: row.id, identity: secretIdentity.credential(row), secret: row.secret }
  })
  const verifiers = attempts.flatMap(({ id, verifier }): StaleSecret[] =>
    verifier === undefined
      ? []
      : [{ kind: 'verifier', id, identity: secretIdentity.verifier({ id }), secret: verifier }]
  )
  const held = attempts.flatMap(({ id, held: secret }): StaleSecret[] =>
    secret === undefined ? [] : [{ kind: 'held', id, identity: secretIdentity.held({ id }), secret }]
  )
  return [...credentials, ...verifiers, ...held]
}

function toStoredCredential(row: CredentialRow): StoredCredential {
  const { id, provider, clientId, accountId, secret, expiresAt } = row
  return { id, provider, clientId, accountId, secret, expiresAt }
}

const WITHOUT_LEASE = { leaseOwner: undefined, leaseUntil: undefined } as const

import type { StoredEpoch } from '../../../server/storage/port/collection-storage.ts'
import type { AttemptStatus, MadeConnection, Sealed } from '../../../server/storage/port/connector-storage.ts'
import type { ItemStatus, RunOutcome, RunTrigger } from '../../../server/storage/port/sync-storage.ts'
import type { ConnectionConfig, ConnectionStatus } from '../../../src/contract/connection.ts'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { ProviderId } from '../../../src/contract/provider-ids.ts'

/**
 * The rows of the storage model by table. Rows are never changed in place: a write replaces the row. Bytes that are
 * compared (keys, checks, hashes) are written in hex.
 */
export type ModelRows = {
  collections: CollectionRow
  keys: KeyRow
  grants: GrantRow
  records: RecordRow
  damagedLines: DamagedLineRow
  attempts: AttemptRow
  connections: ConnectionRow
  credentials: CredentialRow
  vault: VaultRow
  store: StoreRow
  epoch: EpochRow
  items: ItemRow
  references: ReferenceRow
  ledger: LedgerRow
  reads: ReadRow
  runs: RunRow
  scrub: ScrubRow
}

export type ModelTable = keyof ModelRows

/**
 * One committed state of the storage. It never changes, so a reference to it is as good as a copy. Rows are found by
 * `rowKey`.
 */
export type ModelTables = { readonly [Table in ModelTable]: ReadonlyMap<string, ModelRows[Table]> }

export type CollectionRow = {
  readonly id: string
  readonly name: string
  readonly createdAt: EpochMs
  readonly expiresAt: EpochMs | undefined
  readonly ownerKeyId: string | undefined
  readonly snapshotId: string
  readonly memories: number
  readonly seq: number
  readonly damaged: number
  readonly epochs: readonly StoredEpoch[] | undefined
  /** After a collection is deleted, its rows in other tables are removed in parts. */
  readonly deletedAt: EpochMs | undefined
}

export type KeyRow = {
  readonly id: string
  readonly name: string
  readonly hash: string
  readonly admin: boolean
  readonly createdAt: EpochMs
  readonly revokedAt: EpochMs | undefined
}

export type GrantRow = {
  readonly keyId: string
  readonly collectionId: string
  readonly permission: 'read' | 'edit'
}

export type RecordRow = {
  readonly collectionId: string
  readonly seq: number
  /** A value of `RECORD_KINDS`. */
  readonly kind: number
  readonly key: string
  readonly time: number
  readonly extractor: number
  readonly check: string
  readonly line: Uint8Array
  /** A forget line for a memory that its source deleted. */
  readonly takenBack: boolean
}

export type DamagedLineRow = {
  readonly collectionId: string
  readonly seq: number
  readonly reason: string
  readonly foundAt: EpochMs
}

export type AttemptRow = {
  readonly id: string
  readonly provider: ProviderId
  readonly collectionId: string
  readonly keyId: string
  readonly config: ConnectionConfig
  readonly createdAt: EpochMs
  readonly expiresAt: EpochMs
  readonly usedAt: EpochMs | undefined
  readonly endedAt: EpochMs | undefined
  readonly status: AttemptStatus
  readonly detail: string | undefined
  readonly connectionId: string | undefined
  readonly verifier: Sealed | undefined
  readonly held: Sealed | undefined
  readonly heldGrant:
    | { account: MadeConnection['account']; clientId: string; expiresAt?: EpochMs | undefined }
    | undefined
  readonly ticketHash: Uint8Array | undefined
}

export type ConnectionRow = {
  readonly id: string
  readonly provider: ProviderId
  readonly collectionId: string
  readonly account: MadeConnection['account']
  readonly status: ConnectionStatus
  readonly config: ConnectionConfig
  readonly placeNames: Readonly<Record<string, string>> | undefined
  readonly credentialId: string | undefined
  readonly lastError: string | undefined
  readonly createdAt: EpochMs
  readonly revokedAt: EpochMs | undefined
  readonly version: number
  readonly cursorGeneration: number
  readonly nextRunAt: EpochMs | undefined
  readonly pausedAt: EpochMs | undefined
  readonly requestedAt: EpochMs | undefined
  readonly leaseOwner: string | undefined
  readonly leaseUntil: EpochMs | undefined
  readonly fence: number
  /** The newest run. */
  readonly runId: string | undefined
  readonly progress: string | undefined
  readonly lastPass: number
  readonly failures: number
  readonly itemsSynced: number
  readonly lastSyncedAt: EpochMs | undefined
  /** Set if its memories must be released. */
  readonly cleanup: boolean
}

export type CredentialRow = {
  readonly id: string
  readonly provider: ProviderId
  readonly clientId: string
  readonly accountId: string
  readonly secret: Sealed
  readonly expiresAt: EpochMs | undefined
  readonly leaseOwner: string | undefined
  readonly leaseUntil: EpochMs | undefined
  readonly unusedSince: EpochMs | undefined
}

export type VaultRow = { readonly currentKey: string }

export type StoreRow = { readonly storeId: string }

type EpochRow = { readonly epoch: string }

export type ItemRow = {
  readonly connectionId: string
  readonly id: string
  readonly place: string | undefined
  readonly version: string | undefined
  readonly title: string | undefined
  readonly url: string | undefined
  readonly status: ItemStatus
  readonly contentHash: Uint8Array | undefined
  readonly reason: string | undefined
  readonly tries: number
  readonly nextTryAt: EpochMs | undefined
  readonly seenPass: number
  readonly missingPass: number | undefined
  readonly absentSince: EpochMs | undefined
  readonly absentPass: number | undefined
  readonly changedAt: EpochMs
}

/** An owner of a memory: an item, or a person, whose `connectionId` is undefined and whose `itemId` is empty. */
export type ReferenceRow = {
  readonly collectionId: string
  readonly memoryKey: string
  readonly connectionId: string | undefined
  readonly itemId: string
}

export type LedgerRow = { readonly connectionId: string; readonly key: string; readonly value: string }

export type ReadRow = {
  readonly connectionId: string
  readonly itemId: string
  readonly version: string | undefined
  readonly attempts: number
  /** Undefined if no run reads it. */
  readonly runId: string | undefined
}

export type RunRow = {
  readonly id: string
  readonly connectionId: string
  readonly trigger: RunTrigger
  readonly startedAt: EpochMs
  readonly endedAt: EpochMs | undefined
  readonly outcome: RunOutcome | undefined
  readonly error: string | undefined
  readonly seen: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly deleted: number
  readonly failed: number
  readonly skipped: number
  readonly reasons: Readonly<Record<string, number>>
}

export type ScrubRow = {
  readonly owner: string | undefined
  readonly leaseUntil: EpochMs | undefined
  readonly position: string | undefined
  readonly found: number
  readonly endedAt: EpochMs | undefined
  readonly damage: number
}

/** The key of the row of a table with only one row. */
export const ONLY_ROW = 'only'

/**
 * The key by which the row of each table is found: its primary key, or for a record a unique key without the sequence
 * number.
 */
export const ROW_KEYS: { readonly [Table in ModelTable]: (row: ModelRows[Table]) => string } = {
  collections: ({ id }) => id,
  keys: ({ id }) => id,
  grants: ({ keyId, collectionId }) => joinKey(keyId, collectionId),
  records: ({ collectionId, key, kind }) => joinKey(collectionId, key, String(kind)),
  damagedLines: ({ collectionId, seq }) => joinKey(collectionId, String(seq)),
  attempts: ({ id }) => id,
  connections: ({ id }) => id,
  credentials: ({ id }) => id,
  vault: () => ONLY_ROW,
  store: () => ONLY_ROW,
  epoch: () => ONLY_ROW,
  items: ({ connectionId, id }) => joinKey(connectionId, id),
  references: ({ collectionId, memoryKey, connectionId = '', itemId }) =>
    joinKey(collectionId, memoryKey, connectionId, itemId),
  ledger: ({ connectionId, key }) => joinKey(connectionId, key),
  reads: ({ connectionId, itemId }) => joinKey(connectionId, itemId),
  runs: ({ id }) => id,
  scrub: () => ONLY_ROW
}

/** Further values that no two rows of a table share; undefined for a row that the constraint ignores. */
export const UNIQUE_KEYS: { readonly [Table in ModelTable]?: (row: ModelRows[Table]) => string | undefined } = {
  keys: ({ hash }) => hash,
  connections: ({ collectionId, provider, account, revokedAt }) =>
    revokedAt === undefined ? joinKey(collectionId, provider, account.id) : undefined,
  credentials: ({ provider, clientId, accountId }) => JSON.stringify([provider, clientId, accountId])
}

/** Joins the parts of a key. Only the last part may contain a space. */
export function joinKey(...parts: readonly string[]): string {
  return parts.join(' ')
}

export const EMPTY_TABLES: ModelTables = {
  collections: new Map(),
  keys: new Map(),
  grants: new Map(),
  records: new Map(),
  damagedLines: new Map(),
  attempts: new Map(),
  connections: new Map(),
  credentials: new Map(),
  vault: new Map(),
  store: new Map(),
  epoch: new Map(),
  items: new Map(),
  references: new Map(),
  ledger: new Map(),
  reads: new Map(),
  runs: new Map(),
  scrub: new Map()
}

import type { ModelRows, ModelTable } from './model-rows.ts'

/**
 * The column types of PostgreSQL, as far as they differ in the values that they refuse. `?` means that the column may
 * be null.
 */
type ColumnType = keyof typeof REFUSALS
type Column = ColumnType | `${ColumnType}?`

type Columns = { readonly [Table in ModelTable]: { readonly [Name in keyof ModelRows[Table]]-?: Column } }

/** The first numbers that are too large for each type. */
const INT2_END = 2 ** 15
const INT4_END = 2 ** 31
const INT8_END = 2 ** 63

/** The size from which PostgreSQL refuses a row of a B-tree index: a third of a page. */
const INDEX_ROW_BYTES = 2704

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The error of PostgreSQL for a value that a type cannot hold; undefined for a valid value. */
const REFUSALS = {
  uuid: (value: unknown) =>
    typeof value === 'string' && UUID.test(value) ? undefined : 'invalid input syntax for type uuid',
  text: (value: unknown) =>
    typeof value !== 'string'
      ? 'no text'
      : value.includes('\0') || !value.isWellFormed()
        ? 'invalid byte sequence for encoding "UTF8"'
        : undefined,
  /** A key of an index, as UTF-8 bytes. */
  keyBytes: (value: unknown) =>
    typeof value === 'string' && new TextEncoder().encode(value).byteLength < INDEX_ROW_BYTES
      ? undefined
      : 'index row size exceeds btree maximum',
  int2: (value: unknown) => refuseInteger(value, 'smallint', INT2_END),
  int4: (value: unknown) => refuseInteger(value, 'integer', INT4_END),
  int8: (value: unknown) => refuseInteger(value, 'bigint', INT8_END),
  bytes: (value: unknown) => (value instanceof Uint8Array ? undefined : 'no bytes'),
  hex: (value: unknown) => (typeof value === 'string' && /^([0-9a-f]{2})*$/.test(value) ? undefined : 'no bytes'),
  /** Any value, as JSON in a column of type text. */
  json: (value: unknown) => (JSON.stringify(value) === undefined ? 'no JSON' : undefined),
  sealed: (value: unknown) => (isSealed(value) ? undefined : 'no sealed secret'),
  boolean: (value: unknown) => (typeof value === 'boolean' ? undefined : 'invalid input syntax for type smallint')
} as const

function refuseInteger(value: unknown, type: string, end: number): string | undefined {
  if (typeof value !== 'number' || !Number.isInteger(value)) return `invalid input syntax for type ${type}`
  return value < end && value >= -end ? undefined : `value out of range for type ${type}`
}

function isSealed(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('keyId' in value && 'bytes' in value)) return false
  return REFUSALS.text(value.keyId) === undefined && REFUSALS.bytes(value.bytes) === undefined
}

const COLUMNS: Columns = {
  collections: {
    ...{ id: 'uuid', name: 'text', createdAt: 'int8', expiresAt: 'int8?', ownerKeyId: 'uuid?', snapshotId: 'text' },
    ...{ memories: 'int8', seq: 'int8', damaged: 'int8', epochs: 'json?', deletedAt: 'int8?' }
  },
  keys: { id: 'uuid', name: 'text', hash: 'hex', admin: 'boolean', createdAt: 'int8', revokedAt: 'int8?' },
  grants: { keyId: 'uuid', collectionId: 'uuid', permission: 'text' },
  records: {
    ...{ collectionId: 'uuid', seq: 'int8', kind: 'int2', key: 'hex', time: 'int8', extractor: 'int8' },
    ...{ check: 'hex', line: 'bytes', takenBack: 'boolean' }
  },
  damagedLines: { collectionId: 'uuid', seq: 'int8', reason: 'json', foundAt: 'int8' },
  attempts: {
    ...{ id: 'text', provider: 'text', collectionId: 'uuid', keyId: 'uuid', config: 'json', createdAt: 'int8' },
    ...{ expiresAt: 'int8', usedAt: 'int8?', endedAt: 'int8?', status: 'text', detail: 'json?' },
    ...{ connectionId: 'uuid?', verifier: 'sealed?', held: 'sealed?', heldGrant: 'json?', ticketHash: 'bytes?' }
  },
  connections: {
    ...{ id: 'uuid', provider: 'text', collectionId: 'uuid', account: 'json', status: 'text', config: 'json' },
    ...{
      placeNames: 'json?',
      credentialId: 'text?',
      lastError: 'json?',
      createdAt: 'int8',
      revokedAt: 'int8?',
      version: 'int8'
    },
    ...{ cursorGeneration: 'int8', nextRunAt: 'int8?', pausedAt: 'int8?', requestedAt: 'int8?' },
    ...{ leaseOwner: 'text?', leaseUntil: 'int8?', fence: 'int8', runId: 'uuid?', progress: 'json?' },
    ...{ lastPass: 'int8', failures: 'int8', itemsSynced: 'int8', lastSyncedAt: 'int8?', cleanup: 'boolean' }
  },
  credentials: {
    ...{ id: 'text', provider: 'text', clientId: 'json', accountId: 'json', secret: 'sealed', expiresAt: 'int8?' },
    ...{ leaseOwner: 'text?', leaseUntil: 'int8?', unusedSince: 'int8?' }
  },
  vault: { currentKey: 'text' },
  store: { storeId: 'text' },
  epoch: { epoch: 'text' },
  items: {
    ...{ connectionId: 'uuid', id: 'keyBytes', place: 'json?', version: 'json?', title: 'json?', url: 'json?' },
    ...{ status: 'text', contentHash: 'bytes?', reason: 'json?', tries: 'int4', nextTryAt: 'int8?' },
    ...{ seenPass: 'int8', missingPass: 'int8?', absentSince: 'int8?', absentPass: 'int8?', changedAt: 'int8' }
  },
  references: { collectionId: 'uuid', memoryKey: 'hex', connectionId: 'uuid?', itemId: 'keyBytes' },
  ledger: { connectionId: 'uuid', key: 'keyBytes', value: 'json' },
  reads: { connectionId: 'uuid', itemId: 'keyBytes', version: 'json?', attempts: 'int4', runId: 'uuid?' },
  runs: {
    ...{ id: 'uuid', connectionId: 'uuid', trigger: 'text', startedAt: 'int8', endedAt: 'int8?', outcome: 'text?' },
    ...{ error: 'json?', seen: 'int8', created: 'int8', updated: 'int8', unchanged: 'int8', deleted: 'int8' },
    ...{ failed: 'int8', skipped: 'int8', reasons: 'json' }
  },
  scrub: {
    ...{ owner: 'text?', leaseUntil: 'int8?', position: 'json?', found: 'int8', endedAt: 'int8?', damage: 'int8' }
  }
}

/**
 * Refuses a row with a value that a column of PostgreSQL cannot hold.
 *
 * @throws Error that names the column.
 */
export function assertColumns<Table extends ModelTable>(table: Table, row: ModelRows[Table]): void {
  for (const [name, column] of Object.entries<Column>(COLUMNS[table])) {
    const value: unknown = row[name as keyof typeof row]
    if (value === undefined && column.endsWith('?')) continue
    const refusal = REFUSALS[column.replace('?', '') as ColumnType](value)
    if (refusal !== undefined) throw new Error(`${table}.${name} is ${String(value)}: ${refusal}`)
  }
}

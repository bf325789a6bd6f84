import { type KyselyPlugin, type RawBuilder, sql } from 'kysely'
import { ConnectionStatus } from '../../../src/contract/connection.ts'
import { EPOCH_MS_MAX } from '../../../src/contract/epoch-ms.ts'
import { ATTEMPT_STATUSES } from '../port/connector-storage.ts'
import { RECORD_KINDS } from '../port/record-batch.ts'
import { ITEM_STATUSES } from '../port/sync-storage.ts'
import { BrokenText, damagedValueError, toStored } from './stored-values.ts'
import { BY_HAND } from './tables.ts'

/** The constraints on every row of a table, and the cure that a repair applies to a violation. */
export type TableRule = {
  table: string
  /** The columns of the primary key. */
  key: readonly string[]
  /** Rows in one part: fewer if each takes longer to check. */
  rowsMax: number
  columns: Readonly<Record<string, ColumnRule>>
  /** Constraints between a row and the rows that it refers to, checked by the database. */
  relations: readonly RelationRule[]
}

export type ColumnRule = {
  /** `text` is JSON, as `toStored` writes it. `whole` is an integer. A list names the allowed values. */
  holds: 'text' | 'whole' | readonly string[]
  isNullable?: true
  cure: Cure
}

type RelationRule = { wrong: RawBuilder<unknown>; says: string; cure: Cure }

/** Rows are set aside before they are changed. `again` is what the next sync reads again. */
export type Cure = Remove | Change | 'none'

type Again = 'item' | 'connection'
type Remove = { kind: 'remove'; again?: Again }
type Change = { kind: 'change'; to: RawBuilder<unknown>; column: string; again?: Again }

const REMOVE: Cure = { kind: 'remove' }

/** Outcomes and triggers of runs, as in `RunOutcome` and `RunTrigger`. */
const OUTCOMES = ['succeeded', 'partial', 'failed', 'parked', 'stopped', 'interrupted']
const TRIGGERS = ['schedule', 'manual']

const NULL = sql`null`
const CREDENTIAL_LOST = sql`${toStored('its credential is missing from the database: connect again')}`

export const TABLE_RULES: readonly TableRule[] = [
  {
    table: 'connections',
    key: ['id'],
    rowsMax: 20,
    columns: {
      account: { holds: 'text', cure: 'none' },
      config: { holds: 'text', cure: 'none' },
      status: { holds: ConnectionStatus.options, cure: 'none' },
      last_error: change('last_error', NULL, { holds: 'text', isNullable: true }),
      place_names: change('place_names', NULL, { holds: 'text', isNullable: true }),
      progress: change('progress', NULL, { holds: 'text', isNullable: true, again: 'connection' }),
      ...wholes(['created_at', 'version', 'cursor_generation', 'fence', 'last_pass', 'failures', 'cleanup']),
      ...nullableWholes(['revoked_at', 'next_run_at', 'paused_at', 'requested_at', 'lease_until', 'last_synced_at'])
    },
    relations: [
      {
        wrong: lacks('collections', 'id', 'connections.collection_id'),
        says: 'its collection is missing',
        cure: REMOVE
      },
      {
        wrong: sql`credential_id is not null and ${lacks('credentials', 'id', 'connections.credential_id')}`,
        says: 'its credential is missing',
        cure: { kind: 'change', column: 'credential_id', to: NULL }
      },
      {
        wrong: sql`revoked_at is null and last_error is null
          and (credential_id is null or ${lacks('credentials', 'id', 'connections.credential_id')})`,
        says: 'it has neither a credential nor an error that says why',
        cure: { kind: 'change', column: 'last_error', to: CREDENTIAL_LOST }
      },
      {
        wrong: sql`revoked_at is null and items_synced <> (${itemsWithContent()})`,
        says: 'its count of synced items is wrong',
        cure: { kind: 'change', column: 'items_synced', to: sql`(${itemsWithContent()})` }
      }
    ]
  },
  {
    table: 'credentials',
    key: ['id'],
    rowsMax: 200,
    columns: {
      client_id: { holds: 'text', cure: 'none' },
      account_id: { holds: 'text', cure: 'none' },
      ...nullableWholes(['expires_at', 'lease_until', 'unused_since'])
    },
    relations: [
      {
        wrong: sql`unused_since is not null and ${isUsed()}`,
        says: 'it is marked as unused, but a connection uses it',
        cure: { kind: 'change', column: 'unused_since', to: NULL }
      },
      {
        wrong: sql`unused_since is null and not ${isUsed()}`,
        says: 'it is marked as used, but no connection uses it',
        cure: { kind: 'change', column: 'unused_since', to: sql`0` }
      }
    ]
  },
  {
    table: 'items',
    key: ['connection_id', 'item_id'],
    rowsMax: 500,
    columns: {
      status: change('status', sql`'failed'`, { holds: ITEM_STATUSES, again: 'item' }),
      ...nullableTexts(['place', 'version', 'title', 'url', 'reason'], 'item'),
      ...zeros(['tries', 'seen_pass', 'changed_at'], 'item'),
      ...nullableWholes(['next_try_at', 'missing_pass', 'absent_since', 'absent_pass'], 'item')
    },
    relations: [orphan('items')]
  },
  {
    table: 'holdings',
    key: ['collection_id', 'memory_key', 'connection_id', 'item_id'],
    rowsMax: 200,
    columns: {},
    relations: [
      { wrong: lacks('collections', 'id', 'holdings.collection_id'), says: 'its collection is missing', cure: REMOVE },
      {
        wrong: sql`connection_id <> ${BY_HAND} and ${lacks('connections', 'id', 'holdings.connection_id')}`,
        says: 'its connection is missing',
        cure: REMOVE
      },
      {
        wrong: sql`exists (
          select 1 from connections where connections.id = holdings.connection_id and revoked_at is null
        ) and not exists (
          select 1 from items where items.connection_id = holdings.connection_id and items.item_id = holdings.item_id
        )`,
        says: 'its item is missing',
        cure: { kind: 'remove', again: 'connection' }
      },
      {
        wrong: sql`exists (
          select 1 from collections where collections.id = holdings.collection_id and deleted_at is null
        ) and ${lacksMemory('records')} and ${lacksMemory('aside_lines')}`,
        says: 'its memory is missing',
        cure: { kind: 'remove', again: 'item' }
      }
    ]
  },
  {
    table: 'ledger',
    key: ['connection_id', 'entry_key'],
    rowsMax: 500,
    columns: { value: { holds: 'text', cure: { kind: 'remove', again: 'connection' } } },
    relations: [orphan('ledger')]
  },
  {
    table: 'reads',
    key: ['connection_id', 'item_id'],
    rowsMax: 500,
    columns: {
      version: { holds: 'text', isNullable: true, cure: REMOVE },
      attempts: { holds: 'whole', cure: REMOVE }
    },
    relations: [orphan('reads')]
  },
  {
    table: 'runs',
    key: ['id'],
    rowsMax: 500,
    columns: {
      trigger: change('trigger', sql`'schedule'`, { holds: TRIGGERS }),
      outcome: change('outcome', sql`'interrupted'`, { holds: OUTCOMES, isNullable: true }),
      error: change('error', NULL, { holds: 'text', isNullable: true }),
      reasons: change('reasons', sql`${toStored({})}`, { holds: 'text' }),
      ...zeros(['started_at', 'seen', 'created', 'updated', 'unchanged', 'deleted', 'failed', 'skipped']),
      ...nullableWholes(['ended_at'])
    },
    relations: [orphan('runs')]
  },
  {
    table: 'attempts',
    key: ['id'],
    rowsMax: 200,
    columns: {
      config: { holds: 'text', cure: REMOVE },
      status: { holds: ATTEMPT_STATUSES, cure: REMOVE },
      detail: { holds: 'text', isNullable: true, cure: REMOVE },
      held_grant: { holds: 'text', isNullable: true, cure: REMOVE },
      created_at: { holds: 'whole', cure: REMOVE },
      expires_at: { holds: 'whole', cure: REMOVE },
      used_at: { holds: 'whole', isNullable: true, cure: REMOVE },
      ended_at: { holds: 'whole', isNullable: true, cure: REMOVE }
    },
    relations: []
  },
  {
    table: 'keys',
    key: ['id'],
    rowsMax: 500,
    columns: {
      created_at: change('created_at', sql`0`, { holds: 'whole' }),
      // Without the admin right, the key keeps only its grants.
      admin: change('admin', sql`0`, { holds: 'whole' }),
      revoked_at: { holds: 'whole', isNullable: true, cure: 'none' }
    },
    relations: [
      {
        wrong: sql`admin not in (0, 1)`,
        says: '`admin` is neither 0 nor 1',
        cure: { kind: 'change', column: 'admin', to: sql`0` }
      }
    ]
  },
  {
    table: 'grants',
    key: ['key_id', 'collection_id'],
    rowsMax: 500,
    columns: { permission: { holds: ['read', 'edit'], cure: REMOVE } },
    relations: [
      { wrong: lacks('keys', 'id', 'grants.key_id'), says: 'its key is missing', cure: REMOVE },
      { wrong: lacks('collections', 'id', 'grants.collection_id'), says: 'its collection is missing', cure: REMOVE }
    ]
  },
  {
    table: 'collections',
    key: ['id'],
    rowsMax: 500,
    columns: {
      created_at: change('created_at', sql`0`, { holds: 'whole' }),
      expires_at: { holds: 'whole', isNullable: true, cure: 'none' },
      deleted_at: { holds: 'whole', isNullable: true, cure: 'none' }
    },
    relations: []
  }
]

function change(
  column: string,
  to: RawBuilder<unknown>,
  { again, ...rule }: Omit<ColumnRule, 'cure'> & { again?: Again | undefined }
): ColumnRule {
  return { ...rule, cure: { kind: 'change', column, to, ...(again !== undefined && { again }) } }
}

function wholes(names: readonly string[]): Record<string, ColumnRule> {
  return Object.fromEntries(names.map((name) => [name, { holds: 'whole', cure: 'none' }]))
}

function zeros(names: readonly string[], again?: 'item'): Record<string, ColumnRule> {
  return Object.fromEntries(names.map((name) => [name, change(name, sql`0`, { holds: 'whole', again })]))
}

function nullableWholes(names: readonly string[], again?: 'item'): Record<string, ColumnRule> {
  const rule = { holds: 'whole', isNullable: true, again } as const
  return Object.fromEntries(names.map((name) => [name, change(name, NULL, rule)]))
}

function nullableTexts(names: readonly string[], again?: 'item'): Record<string, ColumnRule> {
  const rule = { holds: 'text', isNullable: true, again } as const
  return Object.fromEntries(names.map((name) => [name, change(name, NULL, rule)]))
}

function orphan(table: string): RelationRule {
  return {
    wrong: lacks('connections', 'id', `${table}.connection_id`),
    says: 'its connection is missing',
    cure: REMOVE
  }
}

function lacks(table: string, column: string, reference: string): RawBuilder<unknown> {
  return sql`not exists (
    select 1 from ${sql.table(table)} as other where ${sql.ref(`other.${column}`)} = ${sql.ref(reference)}
  )`
}

/**
 * Builds the condition that the memory of a reference has no line in a table. A memory that was set aside counts, so
 * that its owner learns when it is forgotten.
 */
function lacksMemory(table: 'records' | 'aside_lines'): RawBuilder<unknown> {
  return sql`not exists (
    select 1 from ${sql.table(table)} as line
    where line.collection_id = holdings.collection_id and line.key = holdings.memory_key
      and line.kind = ${sql.lit(RECORD_KINDS.memory)}
  )`
}

function itemsWithContent(): RawBuilder<unknown> {
  return sql`select count(*) from items where items.connection_id = connections.id and content_hash is not null`
}

function isUsed(): RawBuilder<unknown> {
  return sql`exists (select 1 from connections where connections.credential_id = credentials.id)`
}

/**
 * Refuses rows with values that no server writes: a number that is not an integer or exceeds the range of a `Date`, a
 * text in a number column, another type in a text column, or text that is not UTF-8. SQLite stores any value in any
 * column, and both engines store integers that a JavaScript number cannot represent. Rows of lines are exempt.
 *
 * A query for such a row rejects with a Fault `damaged_storage`.
 */
export const soundValues: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    for (const row of result.rows) assertSoundRow(row)
    return result
  }
}

/**
 * Checks the values of a row. A line is exempt because its own check verifies it, so that one damaged line does not
 * hide others.
 *
 * @throws Fault `damaged_storage` as documented at `soundValues`.
 */
export function assertSoundRow(row: object): void {
  if ('check_hash' in row) return
  for (const [column, value] of Object.entries(row)) {
    const problem = wrongValue(column, value)
    if (problem !== undefined) throw damagedValueError(`${column} ${problem}`)
  }
}

/** Matches the names of columns with times. */
const TIMES = /_(at|until|since)$/

function wrongValue(column: string, value: unknown): string | undefined {
  if (value === null) return undefined
  if (value instanceof BrokenText) return 'is a text that is not valid UTF-8'
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return `is ${value}, which is not a whole number`
  if (typeof value === 'number' && TIMES.test(column) && Math.abs(value) > EPOCH_MS_MAX)
    return `is ${value}, which is not a time`
  if (WHOLE.has(column) && typeof value !== 'number') return 'is not a number'
  return TEXTS.has(column) && typeof value !== 'string' ? 'is not a text' : undefined
}

const COLUMNS = TABLE_RULES.flatMap(({ columns }) => Object.entries(columns))

const HOLDS_WHOLE = COLUMNS.flatMap(([name, { holds }]) => (holds === 'whole' ? [name] : []))
const HOLDS_TEXT = COLUMNS.flatMap(([name, { holds }]) => (holds === 'whole' ? [] : [name]))

/**
 * Names of columns that have the same type in all tables. `version` does not: it is a number in one table and a text in
 * another.
 */
const WHOLE: ReadonlySet<string> = new Set([
  ...HOLDS_WHOLE.filter((name) => !HOLDS_TEXT.includes(name)),
  'memories',
  'seq',
  'damaged',
  'items_synced',
  'found',
  'damage'
])

const TEXTS: ReadonlySet<string> = new Set([
  ...HOLDS_TEXT.filter((name) => !HOLDS_WHOLE.includes(name)),
  'name',
  'snapshot_id',
  'provider',
  'collection_id',
  'credential_id',
  'connection_id',
  'key_id',
  'owner_key_id',
  'run_id',
  'lease_owner',
  'owner',
  'store_id',
  'epoch',
  'epochs',
  'current_key',
  'verifier_key',
  'held_key',
  'secret_key'
])

import type { KyselyPlugin } from 'kysely'
import { EPOCH_MS_MAX } from '../../../src/contract/epoch-ms.ts'
import { BrokenText, damagedValueError } from './stored-values.ts'
import { TABLE_RULES } from './table-rules.ts'

/**
 * Refuses rows, except those of lines, with a value that no server writes: a number that is not whole or lies beyond what a `Date` can
 * show, a text where a number belongs, something else where a text belongs, and a text that is no UTF-8. SQLite keeps any value in any
 * column, and both engines keep integers that a JavaScript number cannot hold.
 *
 * Their reading rejects with a Fault `damaged_storage`.
 */
export const soundValues: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    for (const row of result.rows) assertSoundRow(row)
    return result
  }
}

/** @throws Fault `damaged_storage` as `soundValues` says. A line is verified as a whole by its check, so that it does not hide others. */
export function assertSoundRow(row: object): void {
  if ('check_hash' in row) return
  for (const [column, value] of Object.entries(row)) {
    const problem = wrongValue(column, value)
    if (problem !== undefined) throw damagedValueError(`${column} ${problem}`)
  }
}

/** Names of columns with times. */
const TIMES = /_(at|until|since)$/

function wrongValue(column: string, value: unknown): string | undefined {
  if (value === null) return undefined
  if (value instanceof BrokenText) return 'is a text that is no UTF-8'
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return `is ${value}, which is not a whole number`
  if (typeof value === 'number' && TIMES.test(column) && Math.abs(value) > EPOCH_MS_MAX)
    return `is ${value}, which is no time`
  if (WHOLE.has(column) && typeof value !== 'number') return 'is no number'
  return TEXTS.has(column) && typeof value !== 'string' ? 'is no text' : undefined
}

const COLUMNS = TABLE_RULES.flatMap(({ columns }) => Object.entries(columns))

const HOLDS_WHOLE = COLUMNS.flatMap(([name, { holds }]) => (holds === 'whole' ? [name] : []))
const HOLDS_TEXT = COLUMNS.flatMap(([name, { holds }]) => (holds === 'whole' ? [] : [name]))

/** Names of columns that hold the same in all tables: `version` is a number of one and a text of another. */
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
  'current_key',
  'verifier_key',
  'held_key',
  'secret_key'
])

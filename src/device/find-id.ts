import { Fault } from '../contract/faults.ts'
import type { RecordTable } from '../snapshot/table/record-table.ts'

const PREFIX_MIN = 6
const ID_DIGITS = 32

/**
 * Finds the number of a known id by the whole id or a unique prefix of at least 6 characters after `mem_`, which is
 * optional.
 *
 * @throws Fault `not_found`, or `usage` for a prefix that is too short or ambiguous.
 */
export function findId(table: RecordTable, idOrPrefix: string): number {
  const digits = parseIdDigits(idOrPrefix)
  const found = digits.length === ID_DIGITS ? findIds(table, digits) : findIdsFrom(table, digits)
  return pickOnlyId(idOrPrefix, found, (id) => table.ids.keys.toString('hex', id * 16, id * 16 + 16))
}

/**
 * Parses an id or a prefix of one to hex digits.
 *
 * @throws Fault `usage` for anything else, or a prefix that is too short.
 */
export function parseIdDigits(idOrPrefix: string): string {
  const digits = idOrPrefix.replace(/^mem_/, '')
  if (OTHER_ID.test(idOrPrefix)) {
    throw new Fault(
      'usage',
      `'${idOrPrefix}' is the id of an entry that is derived from memories: expected the id of a memory`,
      {
        hint: 'use an id from the source_ids of that entry: mem_ and 32 hex digits'
      }
    )
  }
  if (!/^[0-9a-f]*$/.test(digits) || digits.length > ID_DIGITS) {
    throw new Fault('usage', `invalid memory id '${idOrPrefix}': expected mem_ and 32 hex digits, or a prefix`, {
      hint: 'to list ids: memctl device list'
    })
  }
  if (digits.length < PREFIX_MIN) {
    throw new Fault('usage', `the id prefix '${idOrPrefix}' is too short`, {
      hint: `give at least ${PREFIX_MIN} digits of the id`
    })
  }
  return digits
}

/** Ids of facts, procedures and episodes in an answer. */
const OTHER_ID = /^(?:fct|prc|epi)_/

/**
 * Returns the only id found.
 *
 * @throws Fault `not_found` if there is none, `usage` if there are several.
 */
export function pickOnlyId<T>(idOrPrefix: string, found: readonly T[], digitsOf: (id: T) => string): T {
  const [first] = found
  if (first === undefined)
    throw new Fault('not_found', `no memory ${idOrPrefix} in this snapshot`, { hint: 'memctl device list' })
  if (found.length === 1) return first
  const ids = found.slice(0, 3).map((id) => `mem_${digitsOf(id)}`)
  throw new Fault('usage', `the id prefix '${idOrPrefix}' matches ${found.length} memories: ${ids.join(', ')}…`, {
    hint: 'give more digits'
  })
}

/** Looks up a whole id in the table, which is fast even for many of them. */
function findIds(table: RecordTable, digits: string): number[] {
  const id = table.ids.find(Buffer.from(digits, 'hex'), 0)
  return id < 0 ? [] : [id]
}

function findIdsFrom(table: RecordTable, digits: string): number[] {
  const found: number[] = []
  for (let id = 0; id < table.ids.size; id++) {
    if (table.ids.keys.toString('hex', id * 16, id * 16 + 16).startsWith(digits)) found.push(id)
  }
  return found
}

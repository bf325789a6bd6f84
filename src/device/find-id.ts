import { Fault } from '../contract/faults.ts'
import type { RecordTable } from '../snapshot/table/record-table.ts'

const PREFIX_MIN = 6
const ID_DIGITS = 32

/**
 * The number of the known id that a person means: a whole id, or a unique prefix of it of 6 characters or more after
 * `mem_`, which may be left out.
 *
 * @throws Fault `not_found`, or `usage` for a prefix that is too short or of several ids.
 */
export function findId(table: RecordTable, idOrPrefix: string): number {
  const digits = parseIdDigits(idOrPrefix)
  const found = digits.length === ID_DIGITS ? findIds(table, digits) : findIdsFrom(table, digits)
  return pickOnlyId(idOrPrefix, found, (id) => table.ids.keys.toString('hex', id * 16, id * 16 + 16))
}

/**
 * The hex digits of an id or of the beginning of one, long enough to be looked for.
 *
 * @throws Fault `usage` for what is no memory id, or too short to mean one.
 */
export function parseIdDigits(idOrPrefix: string): string {
  const digits = idOrPrefix.replace(/^mem_/, '')
  if (OTHER_ID.test(idOrPrefix)) {
    throw new Fault('usage', `'${idOrPrefix}' is no memory: it was worked out from memories`, {
      hint: 'name a memory that it rests on, from its source_ids: an id like mem_ and 32 hex digits'
    })
  }
  if (!/^[0-9a-f]*$/.test(digits) || digits.length > ID_DIGITS) {
    throw new Fault('usage', `'${idOrPrefix}' is no memory id`, {
      hint: 'ids look like mem_ and 32 hex digits: memctl device list'
    })
  }
  if (digits.length < PREFIX_MIN) {
    throw new Fault('usage', `'${idOrPrefix}' is too short to mean one memory`, {
      hint: `give at least ${PREFIX_MIN} digits of the id`
    })
  }
  return digits
}

/** Ids of facts, procedures and episodes of an answer. */
const OTHER_ID = /^(?:fct|prc|epi)_/

/**
 * The one id that was found.
 *
 * @throws Fault `not_found` where there is none, `usage` where there are several.
 */
export function pickOnlyId<T>(idOrPrefix: string, found: readonly T[], digitsOf: (id: T) => string): T {
  const [first] = found
  if (first === undefined)
    throw new Fault('not_found', `no memory ${idOrPrefix} in this snapshot`, { hint: 'memctl device list' })
  if (found.length === 1) return first
  const ids = found.slice(0, 3).map((id) => `mem_${digitsOf(id)}`)
  throw new Fault('usage', `'${idOrPrefix}' may be one of ${found.length} memories: ${ids.join(', ')}…`, {
    hint: 'give more digits'
  })
}

/** A whole id is looked up, so that many can be. */
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

import type { KyselyPlugin } from 'kysely'
import { damagedValue } from './tables.ts'

/**
 * Refuses rows, but for those of lines, with a number that is not whole or too large to be exact: every column with numbers holds whole ones. SQLite keeps a
 * fraction in a column of type `integer`, and both engines keep integers that a JavaScript number cannot hold.
 *
 * Their reading rejects with a Fault `damaged_storage`.
 */
export const wholeNumbers: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    for (const row of result.rows) {
      // A line is verified as a whole by its check, so that a damaged one does not hide the others of its page.
      if ('check_hash' in row) continue
      for (const [column, value] of Object.entries(row))
        if (typeof value === 'number' && !Number.isSafeInteger(value))
          throw damagedValue(`${column} is ${value}, which is not a whole number`)
    }
    return result
  }
}

import type { Database, Statement } from 'sql.js'

export type SqlValue = string | number | Uint8Array

/** A database as it is used here: every statement is prepared once. */
export type PreparedSql = {
  rows(sql: string, values?: SqlValue[]): unknown[][]
  write(sql: string, values: SqlValue[]): void
  /** All writes of `work` in one go. After an error the database is of no use: it keeps no journal. */
  transaction(work: () => void): void
}

/** For databases of which only the bytes are ever kept: no journal, removed bytes overwritten. */
const WRITE_SETTINGS = 'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA secure_delete = ON;'

/** Settings for writing are made before the first write: a search never needs them. */
export function prepareSql(database: Database): PreparedSql {
  let writable = false
  const makeWritable = (): void => {
    if (!writable) database.run(WRITE_SETTINGS)
    writable = true
  }
  const statements = new Map<string, Statement>()
  const statement = (sql: string): Statement => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const made = database.prepare(sql)
    statements.set(sql, made)
    return made
  }
  return {
    rows(sql, values = []) {
      const asked = statement(sql)
      asked.bind(values)
      const found: unknown[][] = []
      while (asked.step()) found.push(asked.get())
      asked.reset()
      return found
    },
    write(sql, values) {
      makeWritable()
      statement(sql).run(values)
    },
    transaction(work) {
      makeWritable()
      database.run('BEGIN')
      work()
      database.run('COMMIT')
    }
  }
}

import type { Database, Statement } from 'sql.js'
import type { Assets } from '../../ports.ts'

/** Makes a database in memory: empty, or of the bytes of a database file, of which it takes a copy. */
export type Sqlite = (bytes?: Uint8Array) => Database

/** The one place that loads sql.js, at first use. */
export function loadSqlite(assets: Assets): Promise<Sqlite> {
  engine ??= startEngine(assets)
  return engine
}

let engine: Promise<Sqlite> | undefined

async function startEngine(assets: Assets): Promise<Sqlite> {
  const { default: initSqlJs } = await import('sql.js')
  const { Database } = await initSqlJs({
    instantiateWasm(imports, done) {
      done(new WebAssembly.Instance(new WebAssembly.Module(assets.sqliteWasm()), imports))
      return {}
    }
  })
  return (bytes) => new Database(bytes)
}

/**
 * WebAssembly as far as it is used here: its types come with browsers' only. Compiling at once takes a third of the time
 * that sql.js's own way takes, which hands the module to other threads.
 */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => object
}

type SqlValue = string | number | Uint8Array

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

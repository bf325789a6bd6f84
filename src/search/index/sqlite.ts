import type { Database, Statement } from 'sql.js'
import type { Assets } from '../../ports.ts'

/** Creates a database in memory: empty, or from a copy of the bytes of a database file. */
export type Sqlite = (bytes?: Uint8Array) => Database

/** Loads sql.js at first use. No other code loads it. */
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
 * The part of WebAssembly that is used here; only the browser types declare it. Compiling synchronously takes a third
 * of the time that sql.js needs by default, because sql.js transfers the module to other threads.
 */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => object
}

type SqlValue = string | number | Uint8Array

/** The database operations used here. Each statement is prepared once. */
export type PreparedSql = {
  rows(sql: string, values?: SqlValue[]): unknown[][]
  write(sql: string, values: SqlValue[]): void
  /**
   * Runs all writes of `work` in one transaction. After an error the database is unusable, because it has no journal.
   */
  transaction(work: () => void): void
}

/** For databases of which only the bytes are kept: no journal, and removed bytes are overwritten. */
const WRITE_SETTINGS = 'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA secure_delete = ON;'

/**
 * Prepares SQL access. The settings for writing are made before the first write, because a search does not need them.
 */
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

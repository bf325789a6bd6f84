import type { Database } from 'sql.js'
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

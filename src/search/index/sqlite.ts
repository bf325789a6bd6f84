import type { Database } from 'sql.js'
import type { Assets } from '../../ports.ts'

/** Makes a database in memory: empty, or of the bytes of a database file, of which it takes a copy. */
export type Sqlite = (bytes?: Uint8Array) => Database

/** The one place that loads sql.js, at first use: it takes 15 ms. */
export function loadSqlite(assets: Assets): Promise<Sqlite> {
  engine ??= startEngine(assets)
  return engine
}

let engine: Promise<Sqlite> | undefined

async function startEngine(assets: Assets): Promise<Sqlite> {
  const { default: initSqlJs } = await import('sql.js')
  const { Database } = await initSqlJs({ wasmBinary: exactBuffer(assets.sqliteWasm()) })
  return (bytes) => new Database(bytes)
}

/** The bytes as a buffer of their own, copied only where they are part of a larger one. */
function exactBuffer(bytes: Uint8Array): ArrayBuffer {
  const { buffer } = bytes
  return buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength ? buffer : new Uint8Array(bytes).buffer
}

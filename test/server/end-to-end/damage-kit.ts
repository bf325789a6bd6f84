import { join } from 'node:path'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { openPostgresStorage } from '../../../server/storage/open-postgres-storage.ts'
import { temporaryFolder } from '../../device/device-kit.ts'
import { postgresSchema } from '../../setup/postgres-schema.ts'
import { runInFile } from '../storage/check-kit.ts'
import { sqliteStorage, startTestServer, type TestServer, type TestServerOptions } from './server-kit.ts'

/** A server, with access to its database for damaging it. */
export type Damageable = {
  server: TestServer
  /** Runs a statement with `?` for its parameters. */
  run(statement: string, ...parameters: readonly unknown[]): Promise<Record<string, unknown>[]>
}

export type StartDamageable = (options?: TestServerOptions) => Promise<Damageable | { reason: string }>

/** Starts a server over a SQLite file. */
export async function startOverFile(options: TestServerOptions = {}): Promise<Damageable> {
  const folder = temporaryFolder()
  const server = await startTestServer({ ...options, storage: await sqliteStorage(folder) })
  const file = join(folder, 'server.db')
  return { server, run: async (statement, ...parameters) => runInFile(file, statement, parameters) }
}

/** Starts a server over its own PostgreSQL schema, or returns the reason why there is none. */
export async function startOverSchema(options: TestServerOptions = {}): Promise<Damageable | { reason: string }> {
  const schema = await postgresSchema()
  if ('reason' in schema) return schema
  onTestFinished(() => schema.remove())
  const storage = await openPostgresStorage({ url: schema.url, clock: nodeClock, connections: 4 })
  const server = await startTestServer({ ...options, storage })
  const client = new pg.Client({ connectionString: schema.url })
  await client.connect()
  onTestFinished(() => client.end())
  const run: Damageable['run'] = async (statement, ...parameters) => {
    let count = 0
    const { rows } = await client.query(
      statement.replaceAll('?', () => `$${++count}`),
      [...parameters]
    )
    return rows
  }
  return { server, run }
}

/** Returns the bytes of a stored line. */
export async function lineAt({ run }: Damageable, collectionId: string, seq: number): Promise<Buffer> {
  const [row] = await run('select line from records where collection_id = ? and seq = ?', collectionId, seq)
  return Buffer.from(row?.line as Uint8Array)
}

/** Replaces the bytes of a stored line, as a bad disk does. */
export async function putLine(
  { run }: Damageable,
  { collectionId, seq }: { collectionId: string; seq: number },
  line: Buffer
): Promise<void> {
  await run('update records set line = ? where collection_id = ? and seq = ?', line, collectionId, seq)
}

/** Returns the bytes with one bit flipped. */
export function flipped(bytes: Buffer, bit: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return changed
}

/** Returns numbers below `limit` that are the same in every run. */
export function sampled(count: number, limit: number, seed = 1): number[] {
  let state = seed
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  })
}

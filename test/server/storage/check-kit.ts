import path from 'node:path'
import Database from 'libsql'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { nodeFiles } from '../../../bin/node/node-files.ts'
import { openPostgresStorage } from '../../../server/storage/open-postgres-storage.ts'
import { openSqliteStorage } from '../../../server/storage/open-sqlite-storage.ts'
import type { CheckAsked, CheckedPart, CheckFinding, CheckMode } from '../../../server/storage/port/check-storage.ts'
import type { Storage } from '../../../server/storage/port/storage.ts'
import { toEpochMs } from '../../../src/contract/epoch-ms.ts'
import { postgresSchema } from '../../setup/postgres-schema.ts'
import { temporaryFolder } from '../../snapshot/temporary-folder.ts'
import { ready } from '../../suites/storage-connector-things.ts'
import { held, pageOf } from '../../suites/storage-page-things.ts'
import { hashOf, idAt, newKey } from '../../suites/storage-place.ts'
import { ended } from '../../suites/storage-queue-things.ts'
import { batchOf, memory } from './record-lines.ts'

export type Row = Record<string, unknown>

/** A storage, with access to its database for damaging it. */
export type Damageable = {
  storage: Storage
  /** Runs a statement with `?` for its parameters. */
  run(statement: string, ...parameters: readonly unknown[]): Promise<Row[]>
}

export async function overFile(): Promise<Damageable & { file: string }> {
  const file = path.join(temporaryFolder(), 'server.db')
  const storage = await openSqliteStorage({ path: file, files: nodeFiles, clock: nodeClock })
  onTestFinished(() => storage.close())
  return { storage, file, run: async (statement, ...parameters) => runInFile(file, statement, parameters) }
}

async function overSchema(): Promise<Damageable | { reason: string }> {
  const schema = await postgresSchema()
  if ('reason' in schema) return schema
  onTestFinished(() => schema.remove())
  const storage = await openPostgresStorage({ url: schema.url, clock: nodeClock, connections: 4 })
  onTestFinished(() => storage.close())
  const client = new pg.Client({ connectionString: schema.url })
  await client.connect()
  onTestFinished(() => client.end())
  return {
    storage,
    async run(statement, ...parameters) {
      let count = 0
      const numbered = statement.replaceAll('?', () => `$${++count}`)
      return (await client.query(numbered, [...parameters])).rows
    }
  }
}

/**
 * Runs a statement over a separate connection, which is closed afterwards: an open statement would keep the file
 * locked.
 */
export function runInFile(file: string, statement: string, parameters: readonly unknown[] = []): Row[] {
  const database = new Database(file)
  try {
    database.pragma('busy_timeout = 5000')
    database.pragma('foreign_keys = off')
    const prepared = database.prepare(statement)
    if (prepared.reader) return prepared.all([...parameters]) as Row[]
    prepared.run([...parameters])
    return []
  } finally {
    database.close()
  }
}

/** Defines the same test on both engines. */
export function onBothEngines(sentence: string, body: (damageable: Damageable) => Promise<void>): void {
  test(`SQLite: ${sentence}`, async () => body(await overFile()))
  test(`PostgreSQL: ${sentence}`, async ({ skip }) => {
    const damageable = await overSchema()
    if ('reason' in damageable) return skip(damageable.reason)
    await body(damageable)
  })
}

export type Pass = { lines: number; rows: number; parts: number; findings: CheckFinding[] }

/** Runs a complete pass in small parts. */
export async function passOver(
  { storage }: Pick<Damageable, 'storage'>,
  mode: CheckMode = 'look',
  more: Partial<CheckAsked> = {}
): Promise<Pass> {
  const pass: Pass = { lines: 0, rows: 0, parts: 0, findings: [] }
  for (let position: string | undefined, first = true; first || position !== undefined; first = false) {
    const asked = { position, mode, withFile: true, maxBytes: 400, now: toEpochMs(50_000), ...more }
    const part: CheckedPart = await storage.checkPart(asked)
    pass.lines += part.lines
    pass.rows += part.rows
    pass.parts++
    pass.findings.push(...part.findings)
    position = part.position
  }
  return pass
}

/** Formats each finding as a line. */
export function said(findings: readonly CheckFinding[]): string[] {
  return findings.map(({ table, problem, outcome }) => `${table}: ${problem}: ${outcome}`)
}

/** Fills two collections. The first has memories of a person and of a connection with two items. */
export async function filled(storage: Storage): Promise<{ connectionId: string }> {
  await ready(async () => storage)
  await storage.createKey(newKey(2, { grants: [{ collectionId: idAt(1), permission: 'read' }] }))
  await storage.append(idAt(1), batchOf([memory('by hand'), memory('also')]))
  await storage.append(idAt(2), batchOf([memory('elsewhere')]))
  const hold = await held(storage, 1)
  await storage.commitPage(hold, pageOf({ doc: ['x', 'y'], page: ['z'] }))
  await storage.endRun(hold, ended(4000))
  expect(await storage.findKeyByHash(hashOf(2))).toBeDefined()
  return hold
}

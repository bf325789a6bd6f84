import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { StartOptions } from '../../../server/service/check-start.ts'
import { faultOf, temporaryFolder } from '../../device/device-kit.ts'
import { type ListeningOptions, startListening } from '../../server/end-to-end/listening-server.ts'
import { postgresSchema } from '../../setup/postgres-schema.ts'

const NEW_STORE = { code: 'conflict', next: ['memctl server start --new-store'] }

/** Starts a server and stops it at once. Returns the key that it created. */
async function startOnce(folder: string, more: Partial<ListeningOptions> = {}): Promise<string | undefined> {
  const { madeKey, stop } = await startListening({ folder, ...more })
  await stop()
  return madeKey
}

/** Returns the hashes of all files in a folder, without SQLite's temporary files. */
function contents(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const hashes = names.map((name): [string, string] => {
    const path = join(folder, name)
    const bytes = statSync(path).isFile() ? readFileSync(path) : ''
    return [name, createHash('sha256').update(bytes).digest('hex')]
  })
  const empty = createHash('sha256').digest('hex')
  return Object.fromEntries(
    hashes.filter(([name, hash]) => !name.endsWith('-shm') && !(name.endsWith('-wal') && hash === empty))
  )
}

/** Checks that a start fails and changes nothing. */
async function refused(folder: string, more: Partial<ListeningOptions> = {}): Promise<unknown> {
  const before = contents(folder)
  const fault = await faultOf(() => startOnce(folder, more))
  expect(contents(folder)).toEqual(before)
  return fault
}

/** Creates a data folder with a store. */
async function usedFolder(): Promise<{ folder: string; database: string }> {
  const folder = temporaryFolder()
  expect(await startOnce(folder)).toMatch(/^mk_/)
  return { folder, database: join(folder, 'server.db') }
}

/** Returns the bytes of a database including its log. */
function wholeDatabase(database: string): Buffer {
  const copy = join(temporaryFolder(), 'copy.db')
  for (const end of ['', '-wal']) if (existsSync(database + end)) copyFileSync(database + end, copy + end)
  edit(copy, '')
  return readFileSync(copy)
}

/** Changes a database that no server has open, and checkpoints its log. */
function edit(database: string, sql: string): void {
  execFileSync(process.execPath, ['-e', EDIT, database, sql], { cwd: import.meta.dirname })
}

/** In a separate process, because this one would keep the file open. */
const EDIT = `
const [database, sql] = process.argv.slice(1)
const connection = new (require('libsql'))(database)
connection.pragma('journal_mode = wal')
connection.exec(sql)
connection.pragma('wal_checkpoint(truncate)')`

const LOSSES: Record<string, (database: string) => void> = {
  'a missing database': (database) => rmSync(database),
  // A new file, because this process may still have the old one open and locked.
  'an empty file': (database) => {
    rmSync(database)
    writeFileSync(database, '')
  },
  'a database without tables': (database) => {
    rmSync(database)
    edit(database, 'create table other (id integer); drop table other')
  }
}

test.each(Object.entries(LOSSES))('does not start a new store for %s beside a key file', async (_, lose) => {
  const { folder, database } = await usedFolder()
  for (const end of ['-wal', '-shm']) rmSync(database + end, { force: true })
  lose(database)
  const key = readFileSync(join(folder, 'server.key'), 'utf8')
  expect(await refused(folder)).toMatchObject({
    ...NEW_STORE,
    message: `${database} is empty, but the key file ${join(folder, 'server.key')} belongs to a store`,
    hint: 'restore the database, or start with an empty one: memctl server start --new-store'
  })
  expect(await startOnce(folder, { wishes: { newStore: true } })).toMatch(/^mk_/)
  expect(readFileSync(join(folder, 'server.key'), 'utf8')).toBe(key)
  expect(await startOnce(folder)).toBeUndefined()
})

test('does not start a new store if an admin key is kept for the folder', async () => {
  const folder = temporaryFolder()
  const wishes: StartOptions = { hasKey: true }
  expect(await refused(folder, { wishes })).toMatchObject({
    ...NEW_STORE,
    message: `${join(folder, 'server.db')} is empty, but an admin key is stored for the server of ${folder}`
  })
  expect(await startOnce(folder, { wishes: { ...wishes, newStore: true } })).toMatch(/^mk_/)
  expect(await startOnce(folder, { wishes })).toBeUndefined()
})

test('does not use tables that never had a key if an admin key is kept for the folder', async () => {
  const { folder, database } = await usedFolder()
  edit(database, 'delete from grants; delete from keys')
  expect(await faultOf(() => startOnce(folder, { wishes: { hasKey: true } }))).toMatchObject(NEW_STORE)
})

test('completes a first start that was killed at any point', async () => {
  for (const sql of ['delete from keys', 'delete from keys; delete from vault']) {
    const { folder, database } = await usedFolder()
    edit(database, `delete from grants; ${sql}`)
    expect(await startOnce(folder)).toMatch(/^mk_/)
  }
  const { folder } = await usedFolder()
  rmSync(join(folder, 'server.key'))
  expect(await startOnce(folder)).toBeUndefined()
})

/** Undoes the migrations after version 3, before stores had ids. */
const UNDO_STORE_IDS = `
  drop table store;
  drop table epoch;
  drop table damaged_lines;
  drop table aside_lines;
  drop table aside_rows;
  drop table scrub;
  drop table reads;
  drop index records_unknown;
  alter table collections drop column damaged;
  alter table collections drop column epochs;
  alter table connections drop column place_names;
  alter table items drop column absent_since;
  alter table items drop column absent_pass;
  delete from schema_versions where version > 3`

test('opens a store from before store ids with its key file', async () => {
  const { folder, database } = await usedFolder()
  const path = join(folder, 'server.key')
  const { store, ...older } = JSON.parse(readFileSync(path, 'utf8'))
  expect(store).toMatch(/^st_[0-9a-f]{32}$/)
  writeFileSync(path, JSON.stringify(older))
  edit(database, UNDO_STORE_IDS)
  expect(await startOnce(folder)).toBeUndefined()
})

test('refuses the database of another server', async () => {
  const [one, other] = [await usedFolder(), await usedFolder()]
  for (const end of ['-wal', '-shm']) rmSync(one.database + end, { force: true })
  writeFileSync(one.database, wholeDatabase(other.database))
  for (const wishes of [{}, { newStore: true }])
    expect(await faultOf(() => startOnce(one.folder, { wishes }))).toMatchObject({
      code: 'system_refused',
      message: expect.stringContaining('they belong to different servers'),
      hint: expect.stringContaining('restore the key file or the database')
    })
})

test.each([0.5, 0.02])('refuses a database that was truncated to a part of %d', async (share) => {
  const { database } = await usedFolder()
  const folder = temporaryFolder()
  const whole = wholeDatabase(database)
  writeFileSync(join(folder, 'server.db'), whole.subarray(0, Math.floor(whole.length * share)))
  expect(await faultOf(() => startOnce(folder))).toMatchObject({
    code: 'system_refused',
    message: expect.stringContaining(`cannot open the storage ${join(folder, 'server.db')}`)
  })
})

test.each(['missing', 'empty'])('keeps the log of a database that is %s', async (state) => {
  const folder = temporaryFolder()
  const database = join(folder, 'server.db')
  writeFileSync(`${database}-wal`, 'transactions')
  if (state === 'empty') writeFileSync(database, '')
  for (const wishes of [{}, { newStore: true }])
    expect(await refused(folder, { wishes })).toMatchObject({
      code: 'system_refused',
      message: `${database} is missing or empty, but ${database}-wal contains transactions of it`
    })
})

test('does not create tables in an empty PostgreSQL database beside the key file of another store', async ({
  skip
}) => {
  const schema = await postgresSchema()
  if ('reason' in schema) return skip(schema.reason)
  onTestFinished(() => schema.remove())
  const { folder } = await usedFolder()
  const flags = { database_url: schema.url }
  expect(await refused(folder, { flags })).toMatchObject({
    ...NEW_STORE,
    message: `the database is empty, but the key file ${join(folder, 'server.key')} belongs to a store`
  })
  expect(await startOnce(folder, { flags, wishes: { newStore: true } })).toMatch(/^mk_/)
  expect(await startOnce(folder, { flags })).toBeUndefined()
  expect(await startOnce(folder)).toBeUndefined()
})

test('creates nothing if the admin key of a first start could not be kept', async () => {
  const folder = temporaryFolder()
  const data = join(folder, 'data')
  const flags = { data_dir: data }
  writeFileSync(join(folder, 'file'), '')
  for (const keysFolder of [join(folder, 'file'), join(folder, 'file', 'below')]) {
    const fault = await refused(folder, { flags, wishes: { keysFolder } })
    expect(fault).toMatchObject({
      code: 'system_refused',
      message: `cannot store the admin key in ${keysFolder}: ${join(folder, 'file')} is not a folder`,
      hint: expect.stringContaining('or set MEMCTL_ADMIN_KEY')
    })
  }
  const readOnly = { mayWrite: (path: string) => !path.startsWith(join(folder, 'config')) }
  mkdirSync(join(folder, 'config'))
  const wishes = { keysFolder: join(folder, 'config', 'memctl') }
  expect(await refused(folder, { flags, wishes, world: { machine: readOnly } })).toMatchObject({
    message: expect.stringContaining(`${join(folder, 'config')} is not writable`)
  })
  expect(await startOnce(folder, { flags, wishes })).toMatch(/^mk_/)
  // Without a key to keep, the folder does not matter.
  expect(await startOnce(folder, { flags, wishes, world: { machine: readOnly } })).toBeUndefined()
  const again = { flags, wishes: { ...wishes, newAdminKey: true }, world: { machine: readOnly } }
  expect(await refused(folder, again)).toMatchObject({ code: 'system_refused' })
})

test('does not keep a key from the settings', async () => {
  const folder = temporaryFolder()
  const environment = { MEMCTL_ADMIN_KEY: `mk_${'A'.repeat(43)}` }
  const world = { machine: { mayWrite: () => false } }
  writeFileSync(join(folder, 'server.key'), '')
  rmSync(join(folder, 'server.key'))
  const more = { environment, wishes: { keysFolder: join(folder, 'config') } }
  expect(await refused(folder, { ...more, world })).toMatchObject({
    message: `cannot create the key file ${join(folder, 'server.key')}: ${folder} is not writable`
  })
  expect(await startOnce(folder, more)).toBe(environment.MEMCTL_ADMIN_KEY)
})

test('creates nothing if the key file could not be created or used', async () => {
  const folder = temporaryFolder()
  const elsewhere = temporaryFolder()
  writeFileSync(join(elsewhere, 'file'), '', { mode: 0o600 })
  const start = (path: string) =>
    refused(folder, { flags: { data_dir: join(folder, 'data') }, environment: { MEMCTL_SECRET_KEY_FILE: path } })
  expect(await start(join(elsewhere, 'file', 'server.key'))).toMatchObject({
    message: expect.stringMatching(/^cannot read the key file .*: a part of the path is not a folder/)
  })
  expect(await start(join(elsewhere, 'file'))).toMatchObject({ message: expect.stringContaining('is damaged') })
  const { folder: used } = await usedFolder()
  chmodSync(join(used, 'server.key'), 0o644)
  expect(await start(join(used, 'server.key'))).toMatchObject({ hint: `chmod 600 '${join(used, 'server.key')}'` })
})

test('creates nothing in the data folder if the port is in use', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  expect(await refused(temporaryFolder(), { flags: { port: String(port) } })).toMatchObject({ code: 'address_in_use' })
})

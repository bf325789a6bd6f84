import { expect, test } from 'vitest'
import { TABLE_RULES } from '../../../server/storage/database/table-rules.ts'
import { manualClock } from '../http/manual-clock.ts'
import type { Damageable, StartDamageable } from './damage-kit.ts'
import { at, LOOK_MS, rested, type SyncServer, syncedDrive } from './sync-kit.ts'

type Column = { name: string; type: string }
type Ask = readonly [method: string, path: string, body?: unknown]

/** The differences between the engines. */
export type RowDamage = {
  /** A statement that returns the columns of a table as `name` and `type`. */
  columns: string
  /** Values that a damaged row may have in a column of this type. One that begins with `sql:` is an expression. */
  values(type: string): readonly unknown[]
  /** The first damaged column, in order of the names, of which every second is damaged; all of them with `SLOW=1`. */
  first: 0 | 1
}

const EXPRESSION = 'sql:'

/** Values that no text column contains: invalid JSON, and JSON of other types. */
export const ODD_TEXTS: readonly unknown[] = ['{"half', 'null', '5', '[]']

/** Integers beyond the range of a `Date`. */
export const ODD_NUMBERS: readonly unknown[] = [8_900_000_000_000_000, -8_900_000_000_000_000]

/** Damages the columns of every table except that of lines, one by one, and makes all calls that read it. */
export function damagedRowsSuite(start: StartDamageable, damage: RowDamage): void {
  for (const { table, key } of TABLE_RULES)
    test(`causes no internal error over a damaged row of ${table}`, async ({ skip }) => {
      const damageable = await start({ syncs: true, clock: manualClock() })
      if ('reason' in damageable) return skip(damageable.reason)
      const server = damageable.server as SyncServer
      const asks = await filled(server)
      await damageable.run(UNENDED_READS)
      const rows = await damageable.run(`select * from ${table}`)
      expect(rows.length).toBeGreaterThan(0)
      const columns = ((await damageable.run(damage.columns, table)) as Column[])
        .filter(({ name }) => !key.includes(name))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        .filter((_column, n) => process.env.SLOW || n % 2 === damage.first)
      const failed: string[] = []
      for (const { name, value } of columns.flatMap((column) => sampled(damage, column))) {
        if (!(await isPut(damageable, { table, name, value }))) continue
        failed.push(...(await failuresOf(server, asks)).map((failure) => `${name} = ${String(value)}: ${failure}`))
        for (const row of rows) await restore(damageable, { table, key, row })
      }
      expect(failed).toEqual([])
    })

  test('postpones a damaged connection that is the only one due, and reports why', async ({ skip }) => {
    const clock = manualClock()
    const damageable = await start({ syncs: true, clock })
    if ('reason' in damageable) return skip(damageable.reason)
    const server = damageable.server as SyncServer
    await filled(server)
    await damageable.run(`update connections set config = ?, next_run_at = ?`, '{"half', 1)
    const known = server.log.length
    let row: Record<string, unknown> | undefined
    do {
      await clock.pass(LOOK_MS)
      ;[row] = await damageable.run('select next_run_at, last_error from connections')
    } while (Number(row?.next_run_at) === 1 && bugsIn(server, known).length === 0)
    expect(bugsIn(server, known)).toEqual([])
    expect(Number(row?.next_run_at)).toBeGreaterThan(clock.now())
    expect(String(row?.last_error)).toContain('damaged')
  })
}

/** The reads of a server that was killed while it read the items. */
const UNENDED_READS = `insert into reads (connection_id, item_id, version, attempts)
  select connection_id, item_id, version, 1 from items`

/** Returns one value for each column, which depends on the column's name; all of them with `SLOW=1`. */
function sampled({ values }: RowDamage, { name, type }: Column): { name: string; value: unknown }[] {
  const all = values(type)
  const at = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
  return (process.env.SLOW ? all : [all[at % all.length]]).map((value) => ({ name, value }))
}

/** Fills a server with a synced drive, a key with a grant and a waiting consent. Returns calls that read all of it. */
async function filled(server: SyncServer): Promise<Ask[]> {
  const { collectionId } = server
  const { id } = await syncedDrive(server, { 'a.txt': 'The ferry leaves at nine.' })
  const grants = [{ collection_id: collectionId, permission: 'read' }]
  await server.call('POST', '/v1/keys', { body: { name: 'k', grants } })
  const consent = await server.call('POST', '/v1/connectors/notes/connect', { body: { collection_id: collectionId } })
  const state = new URL(consent.json.auth_url).searchParams.get('state') ?? ''
  const run = await rested(server, id)
  const { json: items } = await server.call('GET', at(id, 'items'))
  return [
    ['GET', '/v1/collections'],
    ['GET', `/v1/collections/${collectionId}`],
    ['GET', '/v1/keys'],
    ['GET', `/v1/connectors?collection_id=${collectionId}`],
    ['GET', at(id)],
    ['GET', at(id, 'schedule')],
    ['GET', at(id, 'runs')],
    ['GET', at(id, 'runs', run.id)],
    ['GET', at(id, 'items')],
    ['GET', at(id, 'folders')],
    ['GET', `/v1/connectors/attempts?state=${encodeURIComponent(state)}`],
    ['POST', '/v1/memories/search', { collection_ids: [collectionId], query: 'ferry' }],
    ['POST', '/v1/device-memory/snapshot/export', { collection_id: collectionId }],
    ['POST', '/v1/connectors/notes/connect', { collection_id: collectionId }],
    ['POST', at(id, 'items', items[0].item_id, 'retry')],
    ['PATCH', at(id, 'config'), { config: { folder_ids: ['root'] } }],
    ['POST', at(id, 'pause')],
    ['POST', at(id, 'resume')],
    ['POST', at(id, 'sync')]
  ]
}

/** Writes a value. Returns false if the engine refuses it. */
async function isPut(
  { run }: Damageable,
  { table, name, value }: { table: string; name: string; value: unknown }
): Promise<boolean> {
  const isExpression = typeof value === 'string' && value.startsWith(EXPRESSION)
  try {
    if (isExpression) await run(`update ${table} set ${name} = ${value.slice(EXPRESSION.length)}`)
    else await run(`update ${table} set ${name} = ?`, value)
    return true
  } catch {
    return false
  }
}

type Saved = { table: string; key: readonly string[]; row: Record<string, unknown> }

/** Restores a row. It may have been removed meanwhile: the next sync removes the row of a read. */
async function restore({ run }: Damageable, { table, key, row }: Saved): Promise<void> {
  const names = Object.keys(row)
  const values = names.map((name) => {
    const value = row[name]
    return value instanceof ArrayBuffer ? Buffer.from(value) : value
  })
  const set = names.filter((name) => !key.includes(name)).map((name) => `"${name}" = excluded."${name}"`)
  await run(
    `insert into ${table} (${names.map((name) => `"${name}"`).join(', ')}) values (${names.map(() => '?').join(', ')})
      on conflict (${key.join(', ')}) do ${set.length === 0 ? 'nothing' : `update set ${set.join(', ')}`}`,
    ...values
  )
}

/**
 * Returns calls and log lines that reveal an internal error. A damaged row must cause a fault that describes it, or
 * none.
 */
async function failuresOf(server: SyncServer, asks: readonly Ask[]): Promise<string[]> {
  const known = server.log.length
  const failed: string[] = []
  for (const [method, path, body] of asks) {
    const { status, json } = await server.call(method, path, body === undefined ? {} : { body })
    if (status >= 500 && json.code !== 'damaged_storage') failed.push(`${method} ${path}: ${status} ${json.code}`)
  }
  await idle(server)
  return [...failed, ...bugsIn(server, known)]
}

/** Returns the errors logged after the first `known` lines, without faults. */
function bugsIn(server: SyncServer, known: number): string[] {
  return server.log
    .slice(known)
    .flatMap(({ err, message }) =>
      err instanceof Error && err.name !== 'Fault' ? [`${message}: ${err.stack?.slice(0, 300)}`] : []
    )
}

/** Waits until no sync is in progress. */
async function idle(server: SyncServer): Promise<void> {
  for (let quiet = 0; quiet < QUIET_LOOKS; ) {
    const text = await (await server.send('GET', '/metrics')).text()
    quiet = /^memctl_sync_running 0$/m.test(text) ? quiet + 1 : 0
    for (let turn = 0; turn < TURNS_A_LOOK; turn++) await new Promise(setImmediate)
  }
}

/** Consecutive checks without a sync after which none starts until time passes. */
const QUIET_LOOKS = 4
const TURNS_A_LOOK = 5

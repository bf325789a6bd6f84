import path from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { nodeFiles } from '../../../bin/node/node-files.ts'
import { openPostgresStorage } from '../../../server/storage/open-postgres-storage.ts'
import { openSqliteStorage } from '../../../server/storage/open-sqlite-storage.ts'
import type { Storage } from '../../../server/storage/port/storage.ts'
import { toEpochMs } from '../../../src/contract/epoch-ms.ts'
import { postgresSchema } from '../../setup/postgres-schema.ts'
import { temporaryFolder } from '../../snapshot/temporary-folder.ts'
import { heldGrant, made, newAttempt, ready, sealed } from '../../suites/storage-connector-things.ts'
import { idAt, newCollection, newKey } from '../../suites/storage-place.ts'
import { activeConnection, asked, ended, itemWith, pageOf } from '../../suites/storage-queue-things.ts'
import { batchOf, memory } from './record-lines.ts'

const TIMES = { now: toEpochMs(2100), until: toEpochMs(2200) }
const CONNECTION = idAt(101)
const HOLD = { connectionId: CONNECTION, owner: 'one', fence: 1, runId: idAt(500) }

/** Arguments that both engines accept, for methods that store or look up values. */
const CALLS: readonly (readonly [keyof Storage, () => unknown[]])[] = [
  ['createCollection', () => [{ ...newCollection(7), expiresAt: toEpochMs(9000) }]],
  ['findCollection', () => [idAt(1)]],
  ['listExpiredCollections', () => [toEpochMs(5000), 5]],
  ['append', () => [idAt(1), batchOf([memory('a')])]],
  ['readPage', () => [idAt(1), { after: 0, upTo: 10, maxBytes: 1000 }]],
  ['createKey', () => [newKey(7, { grants: [{ collectionId: idAt(1), permission: 'read' }] })]],
  ['createAttempt', () => [newAttempt('seven')]],
  ['holdGrant', () => ['attempt-1', heldGrant('bob')]],
  ['completeAttempt', () => ['attempt-9', made(9, 'bob')]],
  ['takeOldAttempts', () => [{ now: toEpochMs(1), endedBefore: toEpochMs(1), limit: 1 }]],
  ['noteError', () => [CONNECTION, 'no luck']],
  ['leaseRefresh', () => ['credential-1', { owner: 'one', ...TIMES }]],
  ['saveRefreshed', () => ['credential-1', { owner: 'one', secret: sealed('next'), expiresAt: toEpochMs(9000) }]],
  ['listStaleSecrets', () => [3]],
  ['findNextDue', () => [['cloud_drive']]],
  ['requestSync', () => [CONNECTION, TIMES.now]],
  ['renewLease', () => [HOLD, TIMES]],
  ['commitPage', () => [HOLD, page()]],
  ['findKnownItems', () => [CONNECTION, ['a', 'b']]],
  ['listDueItems', () => [CONNECTION, { now: TIMES.now, limit: 3 }]],
  ['countUnseen', () => [CONNECTION, { before: 2 }]],
  ['listLedgerEntries', () => [CONNECTION, 'k']],
  ['setPaused', () => [CONNECTION, { paused: true, now: TIMES.now }]],
  ['listRuns', () => [CONNECTION, { limit: 3 }]],
  ['listItems', () => [CONNECTION, { status: 'failed', after: 'a', limit: 3 }]],
  ['findItem', () => [CONNECTION, 'a']],
  ['retryItem', () => [CONNECTION, { itemId: 'b', now: TIMES.now }]],
  ['endRun', () => [HOLD, ended(2150, { error: 'no' })]],
  ['claimDue', () => [asked(900)]]
]

function page() {
  const failed = { kind: 'failed', error: 'no', tries: 1, nextTryAt: toEpochMs(3000) } as const
  return pageOf({
    ...TIMES,
    items: [{ ...itemWith('b', failed), place: 'p', version: 'v', title: 't', url: 'u' }],
    gone: ['c'],
    covered: [{ from: 'd', to: 'e' }],
    ledger: [['k', 'value']],
    progress: 'there'
  })
}

const NUMBERS = [
  0,
  -1,
  0.5,
  1.5,
  1e-7,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  -(2 ** 53),
  1e300,
  Number.NaN,
  Number.POSITIVE_INFINITY
]
const TEXTS = ['', 'a\0b', '\ud800', '\udca9 x', "' or 1=1 --", idAt(1).toUpperCase(), 'x'.repeat(3000), idAt(1), 'é']

type Leaf = { path: readonly (string | number)[]; value: string | number }

/** Returns the places of numbers and texts in an argument list. */
function leavesOf(value: unknown, at: readonly (string | number)[] = []): Leaf[] {
  if (typeof value === 'string' || typeof value === 'number') return [{ path: at, value }]
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return []
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...at, name]))
}

function withLeaf(value: unknown, [name, ...rest]: Leaf['path'], odd: unknown): unknown {
  if (name === undefined) return odd
  if (Array.isArray(value))
    return value.map((one, at) => (String(at) === String(name) ? withLeaf(one, rest, odd) : one))
  const members = value as Record<string, unknown>
  return { ...members, [name]: withLeaf(members[name], rest, odd) }
}

/** Returns the result of a call, which must be equal on both engines. */
async function verdictOf(storage: Storage, method: keyof Storage, given: unknown[]): Promise<unknown> {
  const call = storage[method] as (...given: unknown[]) => Promise<unknown>
  return await call(...given).then(
    (value) => ({ value }),
    (error: Error) => ({ refused: error.name })
  )
}

async function stateOf(storage: Storage): Promise<unknown> {
  return {
    collections: await storage.listCollections(),
    keys: await storage.listKeys(),
    connections: await storage.listConnectionsInCollection(idAt(1)),
    schedule: await storage.findSchedule(CONNECTION),
    runs: await storage.listRuns(CONNECTION, { limit: 100 }),
    items: await storage.listItems(CONNECTION, { status: undefined, after: undefined, limit: 100 }),
    ledger: await storage.listLedgerEntries(CONNECTION, '')
  }
}

async function prepared(open: () => Promise<Storage>): Promise<Storage> {
  const storage = await ready(open)
  await activeConnection(storage, 1)
  await storage.createAttempt(newAttempt('attempt-9'))
  await storage.useAttempt('attempt-9', toEpochMs(1500))
  await storage.claimDue(asked(500))
  return storage
}

const mutation = fc
  .constantFrom(...CALLS)
  .chain(([method, given]) =>
    fc
      .constantFrom(...leavesOf(given()))
      .chain(({ path: at, value }) =>
        fc
          .constantFrom<string | number>(...(typeof value === 'number' ? NUMBERS : TEXTS))
          .map((odd) => ({ method, at, odd, given }))
      )
  )

test('accepts, refuses and stores the same values in SQLite and PostgreSQL', async ({ skip }) => {
  const schema = await postgresSchema()
  if ('reason' in schema) return skip(schema.reason)
  onTestFinished(() => schema.remove())
  const file = path.join(temporaryFolder(), 'memctl.db')
  const engines = [
    await prepared(() => openSqliteStorage({ path: file, files: nodeFiles, clock: nodeClock })),
    await prepared(() => openPostgresStorage({ url: schema.url, clock: nodeClock, connections: 2 }))
  ]
  onTestFinished(async () => {
    for (const engine of engines) await engine.close()
  })
  const law = fc.asyncProperty(mutation, async ({ method, at, odd, given }) => {
    const verdicts: unknown[] = []
    for (const engine of engines)
      verdicts.push(await verdictOf(engine, method, withLeaf(given(), at, odd) as unknown[]))
    expect(verdicts[0]).toEqual(verdicts[1])
  })
  await fc.assert(law, { numRuns: 400 })
  const [one, other] = [await stateOf(engines[0] as Storage), await stateOf(engines[1] as Storage)]
  expect(one).toEqual(other)
})

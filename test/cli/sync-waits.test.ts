import { expect, test } from 'vitest'
import { main } from '../../src/cli/program/main.ts'
import { fakeDevice } from './fake-device.ts'
import { fakeWorld } from './fake-world.ts'
import { errorLine } from './run-cli.ts'
import { ACTIVE, COLLECTION_ID, CONNECTION, CONNECTION_ID, scriptedService, series } from './scripted-service.ts'
import {
  busySchedule,
  eventsOf,
  runScripted as run,
  SCHEDULE,
  SHOW,
  schedule,
  scheduleAfter,
  syncRun
} from './sync-script.ts'
import { testModules } from './test-modules.ts'

const SYNCED = { ...ACTIVE, last_synced_at: '2026-05-01T11:00:38.000Z', items_synced: 12 }
const BROKEN = { ...SYNCED, health: 'error', last_error: 'the provider answered 500' }
const FOR_SYNCED = ['wait', CONNECTION_ID, '--for', 'synced']
const OTHER_ID = '0190bbbb-0000-7000-8000-000000000009'

test('--for active waits until folders or channels are selected', async () => {
  const script = { [SHOW]: series(CONNECTION, CONNECTION, ACTIVE), [SCHEDULE]: schedule({ state: 'pending' }) }
  const ended = await run(['wait', CONNECTION_ID, '--for', 'active', '--json'], script)
  expect({ code: ended.code, connection: JSON.parse(ended.stdout) }).toEqual({ code: 0, connection: ACTIVE })
})

test('--for synced waits for a queued or running sync, even after earlier ones', async () => {
  const script = {
    [SHOW]: SYNCED,
    [SCHEDULE]: series(schedule({ state: 'queued' }), busySchedule(2), scheduleAfter(syncRun(2)))
  }
  const ended = await run([...FOR_SYNCED, '--json'], script)
  expect({ code: ended.code, connection: JSON.parse(ended.stdout) }).toEqual({ code: 0, connection: SYNCED })
  expect(ended.sent.filter(({ path }) => path.endsWith('/schedule'))).toHaveLength(3)
})

test('--for synced waits for the first sync', async () => {
  const script = { [SHOW]: series(ACTIVE, ACTIVE, SYNCED), [SCHEDULE]: schedule({ next_sync_at: ACTIVE.created_at }) }
  expect((await run(FOR_SYNCED, script)).code).toBe(0)
})

test('--for healthy waits until the last sync has no error', async () => {
  const script = { [SHOW]: series(BROKEN, SYNCED), [SCHEDULE]: series(busySchedule(2), schedule()) }
  const ended = await run(['wait', CONNECTION_ID, '--for', 'healthy'], script)
  expect(ended.code).toBe(0)
  expect(ended.stdout.split('\t').slice(0, 5)).toEqual([CONNECTION_ID, 'cloud_drive', 'ada-1', 'active', 'ok'])
})

test('waits for all connections of a collection without ids, and exits 3 if there are none', async () => {
  const list = `GET /v1/connectors?collection_id=${COLLECTION_ID}`
  const script = {
    [list]: [SYNCED, { ...SYNCED, id: OTHER_ID }],
    [SHOW]: SYNCED,
    [SCHEDULE]: schedule(),
    [`GET /v1/connectors/${OTHER_ID}`]: { ...SYNCED, id: OTHER_ID },
    [`GET /v1/connectors/${OTHER_ID}/schedule`]: schedule()
  }
  const words = ['wait', '--for', 'synced', '-c', COLLECTION_ID]
  const ended = await run([...words, '--jsonl'], script)
  expect(eventsOf(ended.stdout)).toEqual([
    { event: 'done', for: 'synced', connections: [SYNCED, { ...SYNCED, id: OTHER_ID }] }
  ])
  expect((await run(words, { [list]: [] })).code).toBe(3)
})

test('exits 8 on a timeout, with the current state', async () => {
  const script = { [SHOW]: CONNECTION, [SCHEDULE]: schedule({ state: 'pending', next_sync_at: null }) }
  const ended = await run([...FOR_SYNCED, '--wait-timeout', '5s', '--json'], script)
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 8, stdout: '' })
  expect(errorLine(ended)).toMatchObject({
    code: 'still_pending',
    message: `connection ${CONNECTION_ID} is not synced after 5 s: its folders or channels are not selected yet`,
    hint: `select them: memctl connections config ${CONNECTION_ID}; then wait: memctl connections wait ${CONNECTION_ID} --for synced`,
    next: [`memctl connections config ${CONNECTION_ID}`, `memctl connections wait ${CONNECTION_ID} --for synced`]
  })
  const running = { [SHOW]: BROKEN, [SCHEDULE]: busySchedule(2) }
  expect((await run([...FOR_SYNCED, '--wait-timeout', '0s'], running)).stderr).toContain(
    'next sync running, the provider answered 500'
  )
})

test('exits 6 at once for a revoked connection', async () => {
  const revoked = { ...SYNCED, status: 'revoked', health: null, next_sync_at: null }
  const script = { [SHOW]: revoked, [SCHEDULE]: schedule({ state: 'revoked', next_sync_at: null }) }
  const ended = await run([...FOR_SYNCED, '--json'], script)
  expect({ code: ended.code, calls: ended.sent.length }).toEqual({ code: 6, calls: 2 })
  expect(errorLine(ended).next).toEqual([`memctl connect cloud_drive -c ${COLLECTION_ID}`])
})

test('exits 6 at once for a paused connection without a running sync, with the commands that start it', async () => {
  const script = { [SHOW]: ACTIVE, [SCHEDULE]: schedule({ state: 'paused', paused: true }) }
  const ended = await run([...FOR_SYNCED, '--json'], script)
  expect({ code: ended.code, calls: ended.sent.length }).toEqual({ code: 6, calls: 2 })
  expect(errorLine(ended).next).toEqual([
    `memctl connections resume ${CONNECTION_ID}`,
    `memctl connections sync ${CONNECTION_ID}`
  ])
})

test('exits 1 at once if the last sync failed and the next one starts too late', async () => {
  const error = 'the provider answered 500'
  const failed = scheduleAfter(syncRun(2, { outcome: 'failed', error }))
  const ended = await run([...FOR_SYNCED, '--json'], { [SHOW]: ACTIVE, [SCHEDULE]: failed })
  expect({ code: ended.code, error: errorLine(ended).code }).toEqual({ code: 1, error: 'sync_failed' })
  const soon = scheduleAfter(syncRun(2, { outcome: 'failed', error }), { next_sync_at: '2026-05-01T12:00:30.000Z' })
  const again = { [SHOW]: series(ACTIVE, SYNCED), [SCHEDULE]: series(soon, scheduleAfter(syncRun(3))) }
  expect((await run(FOR_SYNCED, again)).code).toBe(0)
})

test.each([
  ['failed', 'the provider answered 500', 'failed: the provider answered 500'],
  ['stopped', null, 'was stopped'],
  ['interrupted', null, 'was interrupted because its server went down']
] as const)('ignores the syncs before one with the outcome %s, and exits 1', async (outcome, error, how) => {
  const script = { [SHOW]: SYNCED, [SCHEDULE]: scheduleAfter(syncRun(2, { outcome, error })) }
  const ended = await run([...FOR_SYNCED, '--json'], script)
  expect({ code: ended.code, stdout: ended.stdout, calls: ended.sent.length }).toEqual({
    code: 1,
    stdout: '',
    calls: 2
  })
  expect(errorLine(ended)).toMatchObject({ code: 'sync_failed', message: `the sync of ${CONNECTION_ID} ${how}` })
})

test('exits 8 at once if the provider requests a longer pause, with the time of the next sync', async () => {
  const parked = scheduleAfter(syncRun(2, { outcome: 'parked', error: 'too many requests' }))
  const ended = await run([...FOR_SYNCED, '--json'], { [SHOW]: ACTIVE, [SCHEDULE]: parked })
  expect(ended.code).toBe(8)
  expect((await run(FOR_SYNCED, { [SHOW]: SYNCED, [SCHEDULE]: parked })).code).toBe(8)
  expect(errorLine(ended).message).toContain('the provider requested a pause, and the next sync starts in 3 h 12 min')
})

test('a terminal shows the progress of a running sync', async () => {
  const script = {
    [SHOW]: SYNCED,
    [SCHEDULE]: series(schedule({ state: 'queued' }), busySchedule(2, { seen: 5, created: 5, updated: 0 }), schedule())
  }
  const ended = await run(FOR_SYNCED, script, { terminals: ['output', 'errors'] })
  expect(ended.progress).toContain('seen 5 · new 5')
  expect(ended.stdout).toMatch(/^last sync +2026-05-01 11:00$/m)
})

test('Ctrl-C while waiting exits 130 and shows how to check the sync', async () => {
  const { fetch } = scriptedService({ [SHOW]: ACTIVE, [SCHEDULE]: busySchedule(2) })
  const world = fakeWorld({
    environment: { MEMCTL_API_KEY: 'mk_x' },
    quickTime: true,
    fetch: async (request) => {
      world.interrupt('SIGINT')
      return await fetch(request)
    }
  })
  expect(await main(['connections', ...FOR_SYNCED], world, testModules(fakeDevice().module))).toBe(130)
  expect(world.said.stderr).toContain(`show the progress: memctl connections runs ${CONNECTION_ID}`)
})

test.each([
  [['wait', CONNECTION_ID], 'missing --for: expected active, synced, healthy'],
  [['wait', CONNECTION_ID, '--for', 'good'], "invalid --for 'good': expected active, synced, healthy"]
])('rejects %j with exit code 2', async (words, message) => {
  const ended = await run([...words, '--json'], {})
  expect(ended.code).toBe(2)
  expect(errorLine(ended)).toMatchObject({
    message: expect.stringContaining(message),
    hint: expect.stringContaining('--for synced')
  })
})

import { expect, test } from 'vitest'
import type { Wishes } from './fake-world.ts'
import { errorLine, runCli } from './run-cli.ts'
import { ACTIVE, COLLECTION_ID, CONNECTION, CONNECTION_ID, scriptedService, series } from './scripted-service.ts'
import {
  busySchedule,
  eventsOf,
  RUNS,
  runUnderWay,
  SCHEDULE,
  SHOW,
  schedule,
  scheduleAfter,
  syncRun
} from './sync-script.ts'

const STATE = 'c3RhdGU.bWFj'
const BEGIN = 'POST /v1/connectors/mailbox/connect'
const MAILBOX = { ...ACTIVE, provider: 'mailbox', config: {} }
const SYNCED = { ...MAILBOX, items_synced: 1200, last_synced_at: '2026-05-01T11:00:38.000Z' }
const SCRIPT = {
  [BEGIN]: { auth_url: 'http://127.0.0.1:8787/sandbox/mailbox/authorize', state: STATE },
  'GET /v1/connectors/attempts': { status: 'completed', connection_id: CONNECTION_ID, detail: null },
  [SHOW]: series(MAILBOX, SYNCED),
  [RUNS]: [runUnderWay(1)]
}
const words = ['connect', 'mailbox', '-c', COLLECTION_ID, '--no-browser', '--wait-timeout', '20s', '--sync-wait']

async function run(argv: readonly string[], script: Record<string, unknown>, wishes: Wishes = {}) {
  const { fetch, sent } = scriptedService({ ...SCRIPT, ...script })
  const ended = await runCli(argv, { environment: { MEMCTL_API_KEY: 'mk_x' }, fetch, quickTime: true, ...wishes })
  return { ...ended, sent }
}

test('waits for the first sync and prints the connection after it', async () => {
  const script = { [SCHEDULE]: series(schedule({ state: 'queued' }), busySchedule(1), scheduleAfter(syncRun(1))) }
  const ended = await run([...words, '--json'], script)
  expect({ code: ended.code, connection: JSON.parse(ended.stdout) }).toEqual({ code: 0, connection: SYNCED })
  const events = eventsOf((await run([...words, '--jsonl'], script)).stdout)
  expect(events.map(({ event }) => event)).toEqual(['consent', 'connected', 'progress', 'ended', 'done'])
})

test('does not wait again for a first sync that has already ended', async () => {
  const ended = await run([...words, '--json'], { [SCHEDULE]: scheduleAfter(syncRun(1)) })
  expect({ code: ended.code, connection: JSON.parse(ended.stdout) }).toEqual({ code: 0, connection: SYNCED })
})

test('a terminal shows the same progress line as connections sync', async () => {
  const script = { [SCHEDULE]: series(schedule({ state: 'queued' }), busySchedule(1), scheduleAfter(syncRun(1))) }
  const ended = await run(words, script, { terminals: ['input', 'output', 'errors'] })
  expect(ended.progress).toContain('seen 1,200 · new 1,150 · changed 3')
  expect(ended.stdout).toMatch(/^items +1200$/m)
})

test('prints the connection and exits 1 if the first sync fails, 8 if it takes too long', async () => {
  const failed = { [SCHEDULE]: scheduleAfter(syncRun(1, { outcome: 'failed', error: 'no answer' })) }
  const ended = await run([...words, '--json'], failed)
  expect({ code: ended.code, connection: JSON.parse(ended.stdout) }).toEqual({ code: 1, connection: SYNCED })
  expect(errorLine({ ...ended, stderr: ended.stderr.split('\n').at(-2) ?? '' }).code).toBe('sync_failed')
  expect((await run(words, { [SCHEDULE]: busySchedule(1) })).code).toBe(8)
})

test('waits through a pause of the provider in the first sync', async () => {
  const parked = scheduleAfter(syncRun(1, { outcome: 'parked' }), { next_sync_at: '2026-05-01T12:00:10.000Z' })
  const script = { [SCHEDULE]: series(parked, parked, scheduleAfter(syncRun(2))), [RUNS]: [syncRun(2), syncRun(1)] }
  const ended = await run([...words, '--json'], script)
  expect({ code: ended.code, connection: JSON.parse(ended.stdout) }).toEqual({ code: 0, connection: SYNCED })
})

test('does not wait for a sync if no folders are selected', async () => {
  const begun = { [BEGIN.replace('mailbox', 'cloud_drive')]: SCRIPT[BEGIN] }
  const drive = words.map((word) => (word === 'mailbox' ? 'cloud_drive' : word))
  const ended = await run(drive, { ...begun, [SHOW]: CONNECTION })
  expect(ended.code).toBe(8)
  expect(ended.sent.some(({ path }) => path.includes('schedule'))).toBe(false)
})

test('the commands that continue later also wait for the sync', async () => {
  const ended = await run(['connect', 'mailbox', '-c', COLLECTION_ID, '--sync-wait', '--json'], {})
  expect(JSON.parse(ended.stdout).next).toEqual([
    `memctl connect mailbox -c ${COLLECTION_ID} --resume ${STATE} --wait-timeout 10m --sync-wait`
  ])
  expect((await run([...words.filter((word) => !/timeout|20s/.test(word)), '--no-wait'], {})).code).toBe(2)
})

import { expect, test } from 'vitest'
import { errorLine } from './run-cli.ts'
import { ACTIVE, COLLECTION_ID, CONNECTION, CONNECTION_ID, problem, series } from './scripted-service.ts'
import {
  busySchedule,
  eventsOf,
  ONE,
  RUNS,
  runScripted as run,
  runUnderWay,
  SCHEDULE,
  SYNC,
  schedule,
  scheduleAfter,
  syncRun,
  TRIGGERED
} from './sync-script.ts'

const there = ['input', 'output', 'errors'] as const
const BUSY = problem(409, 'conflict', 'a sync of connection is under way')
const WAIT = ['sync', CONNECTION_ID, '--wait']
const OTHER_ID = '0190bbbb-0000-7000-8000-000000000009'

/** A script in which a run is requested after run 1, starts, and ends with these values. */
function scriptOf(end: Parameters<typeof syncRun>[1] = {}, more: Parameters<typeof scheduleAfter>[1] = {}) {
  const before = scheduleAfter(syncRun(1))
  const ended = syncRun(2, end)
  return {
    [SYNC]: TRIGGERED,
    [SCHEDULE]: series(
      before,
      { ...before, state: 'queued' },
      busySchedule(2, { seen: 400, created: 380, updated: 0 }),
      busySchedule(2, { seen: 900, created: 850, failed: 2 }),
      scheduleAfter(ended, more)
    ),
    [RUNS]: [runUnderWay(2, { seen: 400, created: 380, updated: 0 }), syncRun(1)]
  }
}

test('without --wait, prints the message of the server and how to check the sync', async () => {
  const ended = await run(['sync', CONNECTION_ID, '--json'], { [SYNC]: TRIGGERED })
  expect({ code: ended.code, answer: JSON.parse(ended.stdout) }).toEqual({ code: 0, answer: TRIGGERED })
  expect(ended.sent.map(({ method }) => method)).toEqual(['POST'])
  const piped = await run(['sync', CONNECTION_ID], { [SYNC]: TRIGGERED })
  expect(piped.stdout).toBe(`${CONNECTION_ID}\tSync triggered\n`)
  expect(piped.stderr).toContain(`memctl connections runs ${CONNECTION_ID}`)
  expect((await run(['sync', CONNECTION_ID], { [SYNC]: TRIGGERED }, { terminals: there })).stdout).toBe(
    'Sync triggered\n'
  )
})

test('--wait waits for the requested run and not for an earlier one', async () => {
  const ended = await run([...WAIT, '--json'], scriptOf())
  expect({ code: ended.code, run: JSON.parse(ended.stdout) }).toEqual({ code: 0, run: syncRun(2) })
  expect(ended.stderr).toBe('')
})

test('--wait waits for the first of several runs that have started since', async () => {
  const script = {
    [SYNC]: TRIGGERED,
    [SCHEDULE]: series(scheduleAfter(syncRun(1)), scheduleAfter(syncRun(3))),
    [RUNS]: [syncRun(3), syncRun(2, { seen: 7 }), syncRun(1)],
    [`GET ${ONE}/runs/${syncRun(2).id}`]: syncRun(2, { seen: 7 })
  }
  expect(JSON.parse((await run([...WAIT, '--json'], script)).stdout)).toEqual(syncRun(2, { seen: 7 }))
})

test('--wait waits for the first run of a connection that has never synced', async () => {
  const script = {
    [SYNC]: TRIGGERED,
    [SCHEDULE]: series(schedule({ state: 'queued' }), scheduleAfter(syncRun(3))),
    [RUNS]: [syncRun(3), syncRun(2)]
  }
  expect(JSON.parse((await run([...WAIT, '--json'], script)).stdout)).toEqual(syncRun(2))
})

test('a terminal shows a line of counters, and the run at the end', async () => {
  const ended = await run(WAIT, scriptOf(), { terminals: there, columns: 100 })
  expect(ended.progress[0]).toMatch(/^Waiting for the sync to start/)
  expect(ended.progress).toContain('seen 400 · new 380')
  expect(ended.progress.join('\n')).toMatch(/^seen 900 · new 850 · changed 3 · failed 2$/m)
  expect(ended.progress.at(-1)).toBe('stopped')
  expect(ended.stdout).toMatch(/^outcome +succeeded$/m)
  expect(ended.stdout).toMatch(/^took +38 s$/m)
  expect(ended.stdout).toMatch(/^items +seen 1,200 · new 1,150 · changed 3 · unchanged 47$/m)
})

test('--jsonl writes the events triggered, progress on changes, ended and done', async () => {
  const ended = await run([...WAIT, '--jsonl'], scriptOf())
  const events = eventsOf(ended.stdout)
  expect(events.map(({ event }) => event)).toEqual(['triggered', 'progress', 'progress', 'ended', 'done'])
  expect(events[0]).toEqual({ event: 'triggered', connection_id: CONNECTION_ID, ...TRIGGERED })
  expect(events[1]).toMatchObject({ run: { seen: 400, ended_at: null } })
  expect(events[3]).toEqual({ event: 'ended', run: syncRun(2) })
  expect(events[4]).toEqual({ event: 'done', outcomes: { succeeded: 1 } })
})

test('draws no progress without a terminal, and a pipe gets a row', async () => {
  const ended = await run(WAIT, scriptOf())
  expect(ended.progress).toEqual([])
  expect(ended.stdout.split('\t').slice(0, 2)).toEqual([syncRun(2).id, CONNECTION_ID])
  expect(ended.stdout.split('\n')).toHaveLength(2)
  const some = await run([...WAIT, '--fields', 'outcome,seen'], scriptOf())
  expect(some.stdout).toBe('succeeded\t1200\n')
})

test('--all syncs the active connections of a collection and skips the others', async () => {
  const script = {
    [`GET /v1/connectors?collection_id=${COLLECTION_ID}`]: [ACTIVE, CONNECTION, { ...ACTIVE, id: OTHER_ID }],
    ...scriptOf(),
    [`POST /v1/connectors/${OTHER_ID}/sync`]: TRIGGERED,
    [`GET /v1/connectors/${OTHER_ID}/schedule`]: series(
      schedule(),
      scheduleAfter(syncRun(5, { connection_id: OTHER_ID }))
    ),
    [`GET /v1/connectors/${OTHER_ID}/runs`]: [syncRun(5, { connection_id: OTHER_ID })]
  }
  const words = ['sync', '--all', '-c', COLLECTION_ID]
  const asked = await run([...words, '--json'], script)
  const ids = JSON.parse(asked.stdout).map(({ id }: { id: string }) => id)
  expect(ids).toEqual([CONNECTION_ID, OTHER_ID])
  expect(asked.stderr).toContain('Skipped 1 pending connection')
  const waited = await run([...words, '--wait', '--json'], script)
  expect(JSON.parse(waited.stdout)).toEqual([syncRun(2), syncRun(5, { connection_id: OTHER_ID })])
  const shown = await run([...words, '--wait'], script, { terminals: there, columns: 120 })
  expect(shown.progress.join('\n')).toContain('1 of 2 done · seen 1,600 ·')
  expect(shown.stdout).toMatch(/^PROVIDER +CONNECTION +ID +STARTED_AT +TOOK +OUTCOME +SEEN/)
  const [, ...rows] = shown.stdout.trimEnd().split('\n')
  expect(rows.map((row) => row.split(/ +/).slice(0, 2))).toEqual(
    [CONNECTION_ID, OTHER_ID].map((id) => ['cloud_drive', id.slice(-6)])
  )
  const narrow = await run([...words, '--wait'], script, { terminals: there, columns: 30 })
  expect(narrow.stdout).toMatch(/^CONNECTION +OUTCOME\n000002 +succeeded\n/)
})

test('succeeds with a note if there are no connections', async () => {
  const ended = await run(['sync', '--all', '-c', COLLECTION_ID, '--wait', '--json'], { 'GET /v1/connectors': [] })
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 0, stdout: '[]\n' })
  expect(ended.stderr).toContain('has no connections')
})

test('exits 6 for a running sync; --skip-running skips it, or with --wait waits for it', async () => {
  const script = { [SYNC]: BUSY, [SCHEDULE]: series(busySchedule(2), busySchedule(2), scheduleAfter(syncRun(2))) }
  const refused = await run(['sync', CONNECTION_ID, '--json'], script)
  expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 6, stdout: '' })
  expect(errorLine(refused)).toMatchObject({
    code: 'conflict',
    next: [`memctl connections wait ${CONNECTION_ID} --for synced`]
  })
  const skipped = await run(['sync', CONNECTION_ID, '--skip-running'], script)
  expect({ code: skipped.code, note: skipped.stderr.includes('skipped') }).toEqual({ code: 0, note: true })
  const waited = await run([...WAIT, '--skip-running', '--json'], script)
  expect({ code: waited.code, id: JSON.parse(waited.stdout).id }).toEqual({ code: 0, id: syncRun(2).id })
})

test('syncs the other connections if one is refused', async () => {
  const script = { [SYNC]: BUSY, [`POST /v1/connectors/${OTHER_ID}/sync`]: TRIGGERED }
  const ended = await run(['sync', CONNECTION_ID, OTHER_ID], script)
  expect(ended.code).toBe(6)
  expect(ended.stdout).toBe(`${OTHER_ID}\tSync triggered\n`)
})

test('exits 6 for a connection that is not active', async () => {
  const script = {
    [SYNC]: problem(400, 'usage', `the connection ${CONNECTION_ID} is pending: no folders or channels are selected yet`)
  }
  const ended = await run(['sync', CONNECTION_ID, '--json'], script)
  expect(ended.code).toBe(6)
  expect(errorLine(ended)).toMatchObject({ code: 'conflict', message: expect.stringContaining('is pending') })
})

test('accepts a shortened id', async () => {
  const script = { 'GET /v1/connectors': [ACTIVE], [SYNC]: TRIGGERED }
  expect((await run(['sync', CONNECTION_ID.slice(0, 8), '-c', COLLECTION_ID], script)).code).toBe(0)
})

test.each([
  [['sync'], 'missing connection ids or --all'],
  [['sync', CONNECTION_ID, '--all'], 'cannot be used together'],
  [['sync', CONNECTION_ID, '--wait-timeout', '2s'], 'requires --wait'],
  [['sync', CONNECTION_ID, '--wait', '--wait-timeout', 'soon'], 'expected a number and a unit'],
  [['sync', CONNECTION_ID, '--wait', '--fields', 'nope', '--json'], 'unknown field']
])('rejects %j with exit code 2', async (words, message) => {
  const ended = await run([...words, '--json'], scriptOf())
  expect(ended.code).toBe(2)
  expect(errorLine(ended).message).toContain(message)
})

test('exits 5 without permission to sync, and 3 for a missing connection', async () => {
  const forbidden = await run(['sync', CONNECTION_ID], { [SYNC]: problem(403, 'forbidden', 'may not edit') })
  const missing = await run(['sync', CONNECTION_ID], { [SYNC]: problem(404, 'not_found', 'there is none') })
  expect([forbidden.code, missing.code]).toEqual([5, 3])
})

import { expect, test } from 'vitest'
import { main } from '../../src/cli/program/main.ts'
import { fakeDevice } from './fake-device.ts'
import { fakeWorld } from './fake-world.ts'
import { errorLine } from './run-cli.ts'
import { ACTIVE, CONNECTION_ID, problem, scriptedService, series } from './scripted-service.ts'
import {
  busySchedule,
  eventsOf,
  failedItem,
  ITEMS,
  RUNS,
  runScripted as run,
  runUnderWay,
  SCHEDULE,
  SHOW,
  SYNC,
  schedule,
  scheduleAfter,
  syncRun,
  TRIGGERED
} from './sync-script.ts'
import { testModules } from './test-modules.ts'

const WAIT = ['sync', CONNECTION_ID, '--wait']
const RECONNECT = 'memctl connect mailbox -c 0190aaaa-0000-7000-8000-000000000001'
const OTHER_ID = '0190bbbb-0000-7000-8000-000000000009'

/** A script in which the requested run ends with these values. */
function ending(end: Parameters<typeof syncRun>[1], more: Parameters<typeof scheduleAfter>[1] = {}) {
  return {
    [SYNC]: TRIGGERED,
    [SCHEDULE]: series(schedule(), busySchedule(2), scheduleAfter(syncRun(2, end), more)),
    [RUNS]: [runUnderWay(2)]
  }
}

test('exits 1 with the reason for a failed sync, and prints the run', async () => {
  const script = ending({ outcome: 'failed', error: 'the provider answered 500' })
  const ended = await run([...WAIT, '--json'], script)
  expect({ code: ended.code, outcome: JSON.parse(ended.stdout).outcome }).toEqual({ code: 1, outcome: 'failed' })
  expect(errorLine(ended)).toMatchObject({
    code: 'sync_failed',
    message: `the sync of ${CONNECTION_ID} failed: the provider answered 500`,
    retryable: true,
    hint: expect.stringMatching(/^the next sync starts in 3 h 12 min; to sync now: memctl connections sync .* --wait$/),
    next: [`memctl connections sync ${CONNECTION_ID} --wait`]
  })
})

test('suggests connecting again if the provider refused access', async () => {
  const error = `the provider no longer takes the stored credentials: link the account again with ${RECONNECT}`
  const ended = await run([...WAIT, '--json'], ending({ outcome: 'failed', error }))
  expect(ended.code).toBe(1)
  expect(errorLine(ended)).toMatchObject({ hint: `connect again: ${RECONNECT}`, next: [RECONNECT], retryable: false })
})

test('warns about failed items, and exits 9 with --fail-on-warning', async () => {
  const reasons = [{ reason: 'the file is too large', count: 2 }]
  const script = () => ending({ outcome: 'partial', failed: 2, reasons })
  const told = await run(WAIT, script())
  expect(told.code).toBe(0)
  expect(told.stderr).toBe(
    `warning: 2 items failed (2 × the file is too large); list them: memctl connections items ${CONNECTION_ID} --status failed\n`
  )
  const ended = await run([...WAIT, '--fail-on-warning', '--json'], script())
  expect({ code: ended.code, error: errorLine(ended).code }).toEqual({ code: 9, error: 'warnings' })
  expect(JSON.parse(ended.stdout).outcome).toBe('partial')
})

test('warns about items that failed in earlier syncs, and exits 9 with --fail-on-warning', async () => {
  const script = () => ({ ...ending({ outcome: 'succeeded' }), [ITEMS]: [failedItem('b')] })
  const told = await run(WAIT, script())
  expect([told.code, told.stderr]).toEqual([
    0,
    `warning: 1 item failed in earlier syncs; list them: memctl connections items ${CONNECTION_ID} --status failed\n`
  ])
  expect((await run([...WAIT, '--fail-on-warning'], script())).code).toBe(9)
  const waited = await run(['wait', CONNECTION_ID, '--for', 'healthy'], {
    ...script(),
    [SHOW]: ACTIVE,
    [SCHEDULE]: schedule()
  })
  expect([waited.code, waited.stderr]).toEqual([0, told.stderr])
})

test('warns if failed items cannot be read, and still succeeds', async () => {
  const away = problem(503, 'unavailable', 'the server drains')
  const told = await run(WAIT, { ...ending({ outcome: 'succeeded' }), [ITEMS]: away })
  expect([told.code, told.stderr]).toEqual([0, expect.stringContaining('could not check for items that failed')])
})

test('warns about skipped parts of the selection and truncated items', async () => {
  const error = '1 of the 2 selected is not synced: nowhere (selected, yet not there)'
  const reasons = [
    { reason: 'selected, yet not there', count: 1 },
    { reason: 'only its beginning is read', count: 3 }
  ]
  const script = () => ending({ outcome: 'partial', skipped: 1, reasons, error })
  const told = await run(WAIT, script())
  expect([told.code, told.stderr.split('\n').slice(0, -1)]).toEqual([
    0,
    [
      `warning: ${error}`,
      `warning: truncated 3 oversized items; list them: memctl connections items ${CONNECTION_ID} --status synced`
    ]
  ])
  expect((await run([...WAIT, '--fail-on-warning'], script())).code).toBe(9)
})

test.each([
  ['stopped', 'was stopped'],
  ['interrupted', 'was interrupted']
] as const)('exits 1 if a run was %s and no other continues it', async (outcome, words) => {
  const ended = await run([...WAIT, '--json'], ending({ outcome }))
  expect(ended.code).toBe(1)
  expect(errorLine(ended)).toMatchObject({
    message: expect.stringContaining(words),
    next: [`memctl connections sync ${CONNECTION_ID} --wait`]
  })
})

test.each(['stopped', 'interrupted'] as const)('follows the next run after one that was %s', async (outcome) => {
  const cut = syncRun(2, { outcome })
  const script = {
    [SYNC]: TRIGGERED,
    [SCHEDULE]: series(
      schedule(),
      busySchedule(2),
      scheduleAfter(cut, { state: 'queued' }),
      scheduleAfter(cut, { state: 'running', running: runUnderWay(3) }),
      scheduleAfter(syncRun(3))
    ),
    [RUNS]: series([runUnderWay(2)], [runUnderWay(3), cut])
  }
  const ended = await run([...WAIT, '--jsonl'], script)
  expect(ended.code).toBe(0)
  expect(eventsOf(ended.stdout).at(-2)).toEqual({ event: 'ended', run: syncRun(3) })
})

test('exits 8 on a timeout, with the progress and the next command', async () => {
  const script = {
    ...ending({}),
    [SCHEDULE]: series(schedule(), busySchedule(2, { seen: 12, created: 12, updated: 0 }))
  }
  const ended = await run([...WAIT, '--wait-timeout', '30s', '--json'], script)
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 8, stdout: '' })
  expect(errorLine(ended)).toMatchObject({
    code: 'still_pending',
    message: `the sync of ${CONNECTION_ID} has not finished after 30 s: seen 12, new 12`,
    next: [`memctl connections wait ${CONNECTION_ID} --for synced`]
  })
  expect(ended.sent.length).toBeLessThan(50)
})

test('exits 6 if the connection is disconnected during the sync', async () => {
  const script = { ...ending({}), [SCHEDULE]: series(schedule(), schedule({ state: 'revoked', next_sync_at: null })) }
  const ended = await run([...WAIT, '--json'], script)
  expect(ended.code).toBe(6)
  expect(errorLine(ended).message).toContain('was disconnected during the sync')
})

test('the worst of several results sets the exit code, and each is reported', async () => {
  const [other, otherRuns] = [`GET /v1/connectors/${OTHER_ID}/schedule`, `GET /v1/connectors/${OTHER_ID}/runs`]
  const parked = syncRun(4, { connection_id: OTHER_ID, outcome: 'parked' })
  const script = {
    ...ending({ outcome: 'failed', error: 'no answer' }),
    [`POST /v1/connectors/${OTHER_ID}/sync`]: TRIGGERED,
    [other]: series(schedule(), scheduleAfter(parked)),
    [otherRuns]: [parked]
  }
  const ended = await run(['sync', OTHER_ID, CONNECTION_ID, '--wait', '--json'], script)
  expect(ended.code).toBe(1)
  expect(JSON.parse(ended.stdout)).toHaveLength(2)
  expect(errorLine(ended).message).toMatch(
    /^2 of 2 connections did not finish: .* failed: no answer; the provider requested/
  )
  expect(errorLine(ended).next).toHaveLength(2)
})

test('several failures are retryable if one of them is', async () => {
  const paths = [`GET /v1/connectors/${OTHER_ID}/schedule`, `GET /v1/connectors/${OTHER_ID}/runs`] as const
  const dead = { outcome: 'failed', error: `the grant is over: connect the account again with ${RECONNECT}` } as const
  const script = (second: Parameters<typeof syncRun>[1]) => {
    const other = syncRun(4, { connection_id: OTHER_ID, ...second })
    const seen = { [paths[0]]: series(schedule(), scheduleAfter(other)), [paths[1]]: [other] }
    return { ...ending(dead), [`POST /v1/connectors/${OTHER_ID}/sync`]: TRIGGERED, ...seen }
  }
  const both = ['sync', OTHER_ID, CONNECTION_ID, '--wait', '--json']
  expect(errorLine(await run(both, script(dead)))).toMatchObject({ code: 'sync_failed', retryable: false })
  const one = errorLine(await run(both, script({ outcome: 'failed', error: 'no answer' })))
  expect(one).toMatchObject({ code: 'sync_failed', retryable: true })
})

test('keeps waiting while the server is briefly unavailable', async () => {
  const { fetch, sent } = scriptedService(ending({}))
  let failures = 5
  const flaky = async (request: Request) => {
    if (sent.length < 3 || failures-- <= 0) return await fetch(request)
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  }
  const ended = await run(WAIT, {}, { fetch: flaky, terminals: ['errors'] })
  expect(ended.code).toBe(0)
  expect(ended.progress.join('\n')).toContain('server not responding, retrying')
})

test('exits 7 if the server stays unavailable', async () => {
  const { fetch, sent } = scriptedService(ending({}))
  const gone = async (request: Request) => {
    if (sent.length < 3) return await fetch(request)
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  }
  const ended = await run([...WAIT, '--json'], {}, { fetch: gone })
  expect({ code: ended.code, error: errorLine(ended).code }).toEqual({ code: 7, error: 'unreachable' })
})

test('exits 7 and aborts the request if the server does not respond', async () => {
  const { fetch, sent } = scriptedService(ending({}))
  const open = new Set<Request>()
  const silent = async (request: Request): Promise<Response> => {
    if (sent.length < 3) return await fetch(request)
    open.add(request)
    return await new Promise((_, reject) => {
      request.signal.addEventListener('abort', () => {
        open.delete(request)
        reject(new DOMException('stop', 'AbortError'))
      })
    })
  }
  const ended = await run([...WAIT, '--json'], {}, { fetch: silent })
  expect({ code: ended.code, message: errorLine(ended).message }).toEqual({
    code: 7,
    message: 'the server did not respond within 30 s'
  })
  expect(open.size).toBe(0)
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143]
] as const)('%s while waiting notes that the sync continues and how to check it, and exits %i', async (name, code) => {
  const { fetch } = scriptedService({ ...ending({}), [SCHEDULE]: series(schedule(), busySchedule(2)) })
  const world = fakeWorld({
    environment: { MEMCTL_API_KEY: 'mk_x' },
    quickTime: true,
    fetch: async (request) => {
      if (request.url.endsWith('/runs?limit=100')) world.interrupt(name)
      return await fetch(request)
    }
  })
  expect(await main(['connections', ...WAIT, '--json'], world, testModules(fakeDevice().module))).toBe(code)
  const { error } = JSON.parse(world.said.stderr)
  expect(error).toMatchObject({
    message: 'stopped waiting; syncs continue on the server',
    hint: `show the progress: memctl connections runs ${CONNECTION_ID}`,
    next: [`memctl connections runs ${CONNECTION_ID}`]
  })
})

test('removes control characters from texts of a provider', async () => {
  const error = 'broken \u001b]0;owned\u0007\u202Egpj'
  const script = ending({ outcome: 'failed', error, reasons: [{ reason: '\u001b[31mred\u001b[0m', count: 1 }] })
  const ended = await run(WAIT, script, { terminals: ['output', 'errors'] })
  expect(ended.code).toBe(1)
  for (const text of [ended.stdout, ended.stderr, ...ended.progress]) expect(text).not.toMatch(/[\u001b\u0007\u202e]/)
})

test('suggested commands keep --server', async () => {
  const script = { [SYNC]: problem(409, 'conflict', 'a sync is under way') }
  const ended = await run(['sync', CONNECTION_ID, '--server', 'http://127.0.0.1:9', '--json'], script)
  expect(errorLine(ended).next).toEqual([
    `memctl connections wait ${CONNECTION_ID} --for synced --server http://127.0.0.1:9`
  ])
})

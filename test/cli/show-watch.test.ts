import { expect, test } from 'vitest'
import { main } from '../../src/cli/program/main.ts'
import { fakeDevice } from './fake-device.ts'
import { fakeWorld } from './fake-world.ts'
import { ACTIVE, CONNECTION, CONNECTION_ID, problem, scriptedService, series } from './scripted-service.ts'
import {
  busySchedule,
  eventsOf,
  ONE,
  runScripted as run,
  SCHEDULE,
  SHOW,
  schedule,
  scheduleAfter,
  syncRun
} from './sync-script.ts'
import { testModules } from './test-modules.ts'

const WATCH = ['show', CONNECTION_ID, '--watch']
const REVOKED = { ...ACTIVE, status: 'revoked', health: null, next_sync_at: null }
const HERE = ['input', 'output', 'errors'] as const
const statusOf = (row: string): string | undefined => row.split('\t')[3]

test('a pipe gets a row for each change until the connection is revoked', async () => {
  const { code, stdout } = await run(WATCH, { [SHOW]: series(CONNECTION, CONNECTION, ACTIVE, ACTIVE, REVOKED) })
  expect(code).toBe(0)
  expect(stdout.trimEnd().split('\n').map(statusOf)).toEqual(['pending', 'active', 'revoked'])
})

test('--jsonl writes the connection and its schedule, only if something changed', async () => {
  const script = {
    [SHOW]: series(CONNECTION, ACTIVE, ACTIVE, ACTIVE, ACTIVE, REVOKED),
    [SCHEDULE]: series(busySchedule(1, { seen: 3 }), busySchedule(1, { seen: 3 }), busySchedule(1, { seen: 9 }))
  }
  const events = eventsOf((await run([...WATCH, '--jsonl'], script)).stdout)
  expect(events.map(({ event, connection }) => [event, (connection as { status: string }).status])).toEqual([
    ['state', 'pending'],
    ['state', 'active'],
    ['state', 'active'],
    ['state', 'revoked']
  ])
  expect(events[0]?.schedule).toBeNull()
  expect(events[2]).toMatchObject({ schedule: { running: { seen: 9 } } })
})

test('keeps watching while the server is unavailable for minutes', async () => {
  const { fetch } = scriptedService({ [SHOW]: series(ACTIVE, REVOKED) })
  let looks = 0
  const ended = await run(
    WATCH,
    {},
    {
      fetch: async (request) => {
        looks++
        if (looks > 1 && looks < 100) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
        return await fetch(request)
      }
    }
  )
  expect({ code: ended.code, rows: ended.stdout.trimEnd().split('\n').length }).toEqual({ code: 0, rows: 2 })
})

test.each([
  ['stays unavailable', problem(503, 'unavailable', 'closing'), 7],
  ['no longer knows the connection', problem(404, 'not_found', 'no such connection'), 3],
  ['rejects the key', problem(401, 'unauthenticated', 'no such key'), 4]
])('ends the watch if the server %s', async (_how, answer, exit) => {
  expect((await run([...WATCH, '--jsonl'], { [SHOW]: series(CONNECTION, answer) })).code).toBe(exit)
})

test('rejects --json', async () => {
  const { code, stderr, sent } = await run([...WATCH, '--json'], { [SHOW]: ACTIVE })
  expect({ code, sent }).toEqual({ code: 2, sent: [] })
  expect(stderr).toContain('use --jsonl, which prints a line for each change')
})

test('a terminal is updated in place until q, and the last state is the output', async () => {
  // Loads the drawing modules.
  await run(['show', CONNECTION_ID], { [SHOW]: CONNECTION }, { terminals: HERE })
  const script = { [SHOW]: series(CONNECTION, ACTIVE), [SCHEDULE]: scheduleAfter(syncRun(1)) }
  const { code, screens, stdout } = await run(WATCH, script, { terminals: HERE, keys: [...'xxxxxxxx', 'q'] })
  expect(code).toBe(0)
  expect(screens.at(-1)).toMatch(/^Watching \(q or Ctrl-C to stop\)\nid +0190bbbb/)
  expect(screens.at(-1)).toMatch(/^status +active$/m)
  expect(stdout).toMatch(/^id +0190bbbb[\s\S]*status +active/)
  expect(stdout.match(/^id/gm)).toHaveLength(1)
})

test('Ctrl-C exits 130 and prints the last state', async () => {
  const script = { [SHOW]: ACTIVE, [SCHEDULE]: schedule() }
  const { code, stdout, stderr } = await run(WATCH, script, { terminals: HERE, keys: [] })
  expect(code).toBe(130)
  expect(stdout).toContain('active')
  expect(stderr).toContain('stopped watching; nothing was changed')
})

test('Ctrl-C exits without a change in a pipe', async () => {
  const { fetch } = scriptedService({ [SHOW]: ACTIVE })
  const world = fakeWorld({ environment: { MEMCTL_API_KEY: 'mk_x' }, fetch })
  const wait = (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason))
      if (world.said.stdout !== '') world.interrupt('SIGINT')
    })
  const code = await main(
    ['connections', ...WATCH],
    { ...world, clock: { ...world.clock, wait } },
    testModules(fakeDevice().module)
  )
  expect(code).toBe(130)
  expect(world.said.stdout.trimEnd().split('\n')).toHaveLength(1)
})

test('a dumb terminal gets one output after the other', async () => {
  const script = { [`GET ${ONE}`]: series(CONNECTION, REVOKED) }
  const { code, screens, stdout } = await run(WATCH, script, { terminals: HERE, dumb: true })
  expect({ code, screens }).toEqual({ code: 0, screens: [] })
  expect(stdout.match(/^status +\w+/gm)).toEqual(['status      pending', 'status      revoked'])
})

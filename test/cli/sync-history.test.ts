import { expect, test } from 'vitest'
import { errorLine } from './run-cli.ts'
import { ACTIVE, COLLECTION_ID, CONNECTION, CONNECTION_ID, problem, series } from './scripted-service.ts'
import {
  failedItem,
  ITEMS,
  ONE,
  RUNS,
  runScripted as run,
  runId,
  runUnderWay,
  SCHEDULE,
  SHOW,
  schedule,
  scheduleAfter,
  syncRun
} from './sync-script.ts'

const eyes = { terminals: ['output', 'errors'], columns: 140 } as const
const HOSTILE = 'a\u001b]0;owned\u0007b\u202Egpj\nc\td'

test('lists runs as interface objects in JSON, rows in a pipe and a table on a terminal', async () => {
  const runs = [runUnderWay(3), syncRun(2, { outcome: 'failed', error: 'no answer' })]
  const script = { [RUNS]: runs }
  expect(JSON.parse((await run(['runs', CONNECTION_ID, '--json'], script)).stdout)).toEqual(runs)
  const piped = await run(['runs', CONNECTION_ID, '--header'], script)
  const [head, first] = piped.stdout.split('\n').map((line) => line.split('\t'))
  expect(head?.slice(0, 6)).toEqual(['id', 'connection_id', 'started_at', 'ended_at', 'trigger', 'outcome'])
  expect(first?.slice(0, 6)).toEqual([runId(3), CONNECTION_ID, '2026-05-01T11:00:00.000Z', '', 'manual', ''])
  const table = (await run(['runs', CONNECTION_ID], script, eyes)).stdout.split('\n')
  expect(table[0]).toMatch(/^ID +STARTED_AT +TOOK +TRIGGER +OUTCOME +SEEN +CREATED/)
  expect(table[1]).toMatch(/2026-05-01 11:00 +1 h +manual +running +1200/)
  expect(table[2]).toMatch(/38 s +manual +failed .*no answer$/)
})

test('a narrow terminal keeps the time, outcome, failures and error', async () => {
  const script = { [RUNS]: [syncRun(2, { error: 'no answer' })] }
  const { stdout } = await run(['runs', CONNECTION_ID], script, { ...eyes, columns: 60 })
  expect(stdout.split('\n')[0]).toMatch(/^STARTED_AT +OUTCOME +SEEN .*FAILED .*ERROR/)
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(60)
})

test('--limit limits the runs, and no runs are an empty list', async () => {
  const script = { [RUNS]: [] }
  const ended = await run(['runs', CONNECTION_ID, '--limit', '7', '--json'], script)
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 0, stdout: '[]\n' })
  expect(ended.sent[0]?.path).toBe(`${ONE}/runs?limit=7`)
  expect((await run(['runs', CONNECTION_ID], script, eyes)).stderr).toContain('This connection has not synced yet.')
})

test('shows one run by its full or shortened id', async () => {
  const script = { [RUNS]: [syncRun(2)], [`GET ${ONE}/runs/${runId(2)}`]: syncRun(2) }
  expect(JSON.parse((await run(['runs', CONNECTION_ID, runId(2), '--json'], script)).stdout)).toEqual(syncRun(2))
  const reasons = [{ reason: HOSTILE, count: 2 }]
  const hostile = { [RUNS]: [syncRun(2, { skipped: 2, reasons })] }
  const card = (await run(['runs', CONNECTION_ID, runId(2).slice(0, 9)], hostile, eyes)).stdout
  expect(card).toMatch(/^started +2026-05-01 11:00, manually$/m)
  expect(card).toMatch(/^reasons +2 × ab/m)
  expect(card).not.toMatch(/[\u001b\u0007\u202e]/)
  expect((await run(['runs', CONNECTION_ID, 'abcdef0'], script)).code).toBe(3)
})

test('lists items as interface objects, and the next retry in words in a table', async () => {
  const cooling = { tries: 4, next_try_at: '2026-05-01T12:58:00.000Z', cooling_down: true }
  const items = [
    failedItem('a'),
    failedItem('b', cooling),
    failedItem('c', { status: 'synced', tries: 0, next_try_at: null })
  ]
  const script = { [ITEMS]: items }
  expect(JSON.parse((await run(['items', CONNECTION_ID, '--json'], script)).stdout)).toEqual(items)
  const table = (await run(['items', CONNECTION_ID], script, eyes)).stdout.split('\n')
  expect(table[0]).toMatch(/^ +ID +STATUS +TITLE +MEMORIES +TRIES +NEXT_TRY_AT +ERROR/)
  expect(table[1]).toMatch(/^\| a +failed +a.pdf +0 +3 +in 8 min +the file is too large$/)
  expect(table[2]).toMatch(/cooling down, in 58 min/)
  const piped = await run(['items', CONNECTION_ID, '--fields', 'id,status,next_try_at'], script)
  expect(piped.stdout.split('\n')[0]).toBe('a\tfailed\t2026-05-01T12:08:00.000Z')
})

test('reads items page by page, up to the limit', async () => {
  const page = (from: number, count: number) => Array.from({ length: count }, (_, at) => failedItem(`i${from + at}`))
  const script = {
    [`${ITEMS}?limit=1000&status=failed`]: page(1, 1000),
    [`${ITEMS}?limit=500&status=failed&after=i1000`]: page(1001, 500)
  }
  const words = ['items', CONNECTION_ID, '--status', 'failed', '--limit', '1500', '--fields', 'id']
  const ended = await run(words, script)
  expect(ended.stdout.trim().split('\n')).toHaveLength(1500)
  expect(ended.stderr).toContain('Showing the first 1,500')
})

test('removes control characters from titles on a terminal and keeps one row each in a pipe', async () => {
  const script = { [ITEMS]: [failedItem('a', { title: HOSTILE, error: HOSTILE, id: HOSTILE })] }
  for (const wishes of [eyes, {}]) {
    const { stdout } = await run(['items', CONNECTION_ID], script, wishes)
    expect(stdout).not.toMatch(/[\u001b\u0007\u202e]/)
    expect(stdout.trim().split('\n').length).toBeLessThanOrEqual(2)
  }
})

test('retries an item by its id, which may contain any characters', async () => {
  const id = 'C1/171.5 ü%2F'
  const path = `${ONE}/items/${encodeURIComponent(id)}/retry`
  const due = failedItem(id, { next_try_at: '2026-05-01T12:00:00.000Z' })
  const ended = await run(['items', CONNECTION_ID, '--retry', id, '--json'], { [`POST ${path}`]: due })
  expect({ code: ended.code, items: JSON.parse(ended.stdout) }).toEqual({ code: 0, items: [due] })
  const notFailed = { [`POST ${path}`]: problem(409, 'conflict', 'the item did not fail') }
  expect((await run(['items', CONNECTION_ID, '--retry', id], notFailed)).code).toBe(6)
  expect((await run(['items', CONNECTION_ID, '--retry', 'none'], {})).code).toBe(3)
})

test('retries all failed items and skips one that has meanwhile succeeded', async () => {
  const script = {
    [`${ITEMS}?limit=1000&status=failed`]: [failedItem('a'), failedItem('b')],
    [`POST ${ONE}/items/a/retry`]: problem(409, 'conflict', 'the item did not fail'),
    [`POST ${ONE}/items/b/retry`]: failedItem('b')
  }
  const ended = await run(['items', CONNECTION_ID, '--retry-failed'], script)
  expect({ code: ended.code, rows: ended.stdout.trim().split('\n').length }).toEqual({ code: 0, rows: 1 })
  expect(ended.stderr).toContain(`memctl connections wait ${CONNECTION_ID} --for synced`)
})

test('pausing prints the new state: an object for one connection, a list for several', async () => {
  const paused = schedule({ state: 'paused', paused: true, last_run: syncRun(2) })
  const other = CONNECTION_ID.replace(/2$/, '9')
  const script = { [`POST ${ONE}/pause`]: paused, [`POST /v1/connectors/${other}/pause`]: paused }
  expect(JSON.parse((await run(['pause', CONNECTION_ID, '--json'], script)).stdout)).toEqual(paused)
  const both = JSON.parse((await run(['pause', CONNECTION_ID, other, '--json'], script)).stdout)
  expect(both).toEqual([CONNECTION_ID, other].map((id) => ({ id, ...paused })))
  const card = (await run(['pause', CONNECTION_ID], script, eyes)).stdout
  expect(card).toMatch(/^schedule +every 4 h, paused$/m)
  expect(card).toMatch(/^last run +succeeded, 2026-05-01 11:00: seen 1,200 · new 1,150 · changed 3$/m)
})

test('resuming shows the next sync, and exits 6 for a revoked connection', async () => {
  const script = { [`POST ${ONE}/resume`]: series(schedule(), problem(409, 'conflict', 'the connection is revoked')) }
  const card = (await run(['resume', CONNECTION_ID], script, eyes)).stdout
  expect(card).toMatch(/^schedule +every 4 h$/m)
  expect(card).toMatch(/^next sync +in 3 h 12 min \(2026-05-01 15:12\)$/m)
  const refused = { [`POST ${ONE}/resume`]: problem(409, 'conflict', 'the connection is revoked') }
  expect((await run(['resume', CONNECTION_ID], refused)).code).toBe(6)
})

test('show prints the next sync on a terminal, and requests only the connection for a pipe', async () => {
  const script = {
    [SHOW]: ACTIVE,
    [SCHEDULE]: scheduleAfter(syncRun(2, { outcome: 'partial', failed: 2 }), { state: 'paused', paused: true })
  }
  const shown = (await run(['show', CONNECTION_ID], script, eyes)).stdout
  expect(shown).toMatch(/^next sync +paused$/m)
  expect(shown).toMatch(/^last run +partial, 2026-05-01 11:00: .* failed 2$/m)
  expect((await run(['show', CONNECTION_ID, '--json'], { [SHOW]: ACTIVE })).sent).toHaveLength(1)
  expect((await run(['show', CONNECTION_ID], { [SHOW]: CONNECTION }, eyes)).code).toBe(0)
})

test('a list shows in words when each connection syncs next', async () => {
  const later = { ...ACTIVE, last_synced_at: ACTIVE.created_at, next_sync_at: '2026-05-01T15:12:00.000Z' }
  const script = { 'GET /v1/connectors': [ACTIVE, later] }
  const { stdout, sent } = await run(['list', '-c', COLLECTION_ID], script, { ...eyes, columns: 160 })
  expect(stdout).toMatch(/due now/)
  expect(stdout).toMatch(/in 3 h 12 min/)
  expect(sent.map(({ path }) => path.split('/').at(-1))).toEqual([
    expect.stringContaining('connectors?'),
    'schedule',
    'schedule'
  ])
})

test.each([
  [['runs', CONNECTION_ID, '--limit', '0'], 'expected a whole number'],
  [['items', CONNECTION_ID, '--status', 'bad'], "invalid --status 'bad': expected synced, failed, skipped"],
  [['items', CONNECTION_ID, '--retry', 'a', '--retry-failed'], 'cannot be used together'],
  [['items', CONNECTION_ID, '--retry-failed', '--status', 'failed'], 'cannot be used with --retry'],
  [['items', CONNECTION_ID, '--retry', ''], '--retry is empty'],
  [['runs', CONNECTION_ID, '--fields', 'took'], 'unknown field']
])('rejects %j with exit code 2', async (words, message) => {
  const ended = await run([...words, '--json'], { [RUNS]: [], [ITEMS]: [] })
  expect(ended.code).toBe(2)
  expect(errorLine(ended).message).toContain(message)
})

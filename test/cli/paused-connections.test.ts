import { expect, test } from 'vitest'
import { readSchedules } from '../../src/cli/service/read-schedules.ts'
import type { Client } from '../../src/client/client.ts'
import type { Connection } from '../../src/contract/connection.ts'
import { Fault } from '../../src/contract/faults.ts'
import type { SyncSchedule } from '../../src/contract/sync-run.ts'
import { examine, WELL, WITH_KEY } from './doctor-kit.ts'
import { runCli } from './run-cli.ts'
import { ACTIVE, COLLECTION_ID, CONNECTION_ID, scriptedService } from './scripted-service.ts'
import { schedule } from './sync-script.ts'

const SYNCED: Connection = {
  ...ACTIVE,
  last_synced_at: '2026-05-01T11:30:00.000Z',
  next_sync_at: '2026-05-01T15:30:00.000Z'
}
const OTHER: Connection = { ...SYNCED, id: '0190cccc-0000-7000-8000-000000000003', provider: 'mailbox' }
const ONE = `/v1/connectors/${CONNECTION_ID}`
const PAUSED: SyncSchedule = schedule({ state: 'paused', paused: true })
const script = {
  'GET /v1/connectors': [SYNCED, OTHER],
  [`GET ${ONE}`]: SYNCED,
  [`GET ${ONE}/schedule`]: PAUSED,
  [`GET /v1/connectors/${OTHER.id}/schedule`]: schedule()
}

async function run(argv: readonly string[], said: Record<string, unknown> = script, columns = 80) {
  const { fetch, sent } = scriptedService(said)
  const environment = { MEMCTL_API_KEY: 'mk_x' }
  const onScreen = argv.includes('--json') ? {} : { terminals: ['output'] as const, columns }
  return { ...(await runCli(['connections', ...argv], { fetch, environment, quickTime: true, ...onScreen })), sent }
}

test.each([80, 120])(
  'a table of %s columns shows paused instead of the next sync, and stderr how to resume',
  async (columns) => {
    const { stdout, stderr } = await run(['list', '-c', COLLECTION_ID], script, columns)
    const [head = '', paused = '', other = ''] = stdout.split('\n')
    const at = head.indexOf('NEXT_SYNC_AT')
    expect(paused.slice(at).split('  ')[0]).toBe('paused')
    expect(other.slice(at)).toMatch(/^in 3 h/)
    expect(stderr).toContain('hint: cloud_drive 000002 is paused; to resume: memctl connections resume 000002\n')
    expect(stderr.match(/connections resume/g)).toHaveLength(1)
  }
)

test('stderr reports a paused connection even if the table is too narrow for it', async () => {
  const { stdout, stderr } = await run(['list', '-c', COLLECTION_ID], script, 30)
  expect(stdout).not.toContain('paused')
  expect(stderr).toContain('is paused; to resume: memctl connections resume')
})

test('JSON prints the interface’s next_sync_at without a further request', async () => {
  const { stdout, sent } = await run(['list', '-c', COLLECTION_ID, '--json'])
  expect(JSON.parse(stdout)).toEqual([SYNCED, OTHER])
  expect(sent).toHaveLength(1)
})

test('shows one connection as paused, with the command that resumes it', async () => {
  const { stdout, stderr } = await run(['show', CONNECTION_ID])
  expect(stdout).toMatch(/^next sync +paused$/m)
  expect(stderr).toContain('memctl connections resume 000002')
})

test.each([
  ['running', 'running, then paused'],
  ['queued', 'due now, then paused']
] as const)('shows a paused connection that is %s as %s', async (state, words) => {
  const said = { ...script, [`GET ${ONE}/schedule`]: schedule({ state, paused: true }) }
  expect((await run(['show', CONNECTION_ID], said)).stdout).toContain(words)
})

test('wait reports that its connection is paused', async () => {
  const { code, stdout, stderr } = await run(['wait', CONNECTION_ID, '--for', 'active'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^next sync +paused$/m)
  expect(stderr).toContain('memctl connections resume')
})

test('doctor warns about a paused connection and its error', async () => {
  const failing = { ...SYNCED, health: 'error', last_error: 'the provider does not answer' }
  const { fetch } = scriptedService({ ...WELL, ...script, 'GET /v1/connectors': [failing] })
  const { wrong } = await examine({ fetch, environment: WITH_KEY })
  expect(wrong).toMatchObject([
    { message: expect.stringContaining('does not answer') },
    {
      state: 'warning',
      message: expect.stringContaining('paused'),
      hint: expect.stringContaining(`memctl connections resume ${CONNECTION_ID}`)
    }
  ])
})

test('lists a connection whose schedule cannot be read', async () => {
  const { code, stdout } = await run(['list', '-c', COLLECTION_ID], { 'GET /v1/connectors': [SYNCED] })
  expect(code).toBe(0)
  expect(stdout).toContain('cloud_drive')
})

test('requests the schedules of active connections only, a few at a time', async () => {
  const connections = Array.from({ length: 30 }, (_, n): Connection => {
    return { ...SYNCED, id: `${n}`, status: n % 3 === 0 ? 'pending' : 'active' }
  })
  let under = 0
  let most = 0
  const getSchedule = async ({ params }: { params: { connection_id: string } }): Promise<SyncSchedule> => {
    most = Math.max(most, ++under)
    await new Promise((resolve) => setImmediate(resolve))
    under--
    if (params.connection_id === '4') throw new Fault('not_found', 'gone')
    return PAUSED
  }
  const schedules = await readSchedules({ getSchedule } as unknown as Client, connections)
  expect(schedules.size).toBe(19)
  expect(most).toBe(4)
})

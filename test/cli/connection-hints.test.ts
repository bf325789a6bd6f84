import { expect, test } from 'vitest'
import { errorLine, runCli } from './run-cli.ts'
import { ACTIVE, COLLECTION_ID, CONNECTION_ID, scriptedService } from './scripted-service.ts'

const OTHER = 'https://second.test'
const OTHER_ID = '0190bbbb-0000-7000-8000-000000000009'
const ONE = `/v1/connectors/${CONNECTION_ID}`
const TWO = `/v1/connectors/${OTHER_ID}`
const SECOND = { ...ACTIVE, id: OTHER_ID }
const GONE = { message: 'disconnected', warnings: [] }

async function run(argv: readonly string[], script: Record<string, unknown>) {
  const { fetch, sent } = scriptedService(script)
  const ended = await runCli(argv, { environment: { MEMCTL_API_KEY: 'mk_x' }, fetch, quickTime: true })
  return { ...ended, sent }
}

test('the hint for an unknown name keeps --server', async () => {
  const words = ['connections', 'show', 'mailbox', '-c', COLLECTION_ID, '--server', OTHER, '--json']
  const script = { [`GET /v1/connectors?collection_id=${COLLECTION_ID}`]: [ACTIVE] }
  expect(errorLine(await run(words, script)).hint).toBe(
    `give a name, or at least the last 6 characters of an id: memctl connections list --server ${OTHER}`
  )
})

test.each([
  ['memctl connections list', `memctl connections list --server ${OTHER}`],
  [
    `choose what is synced: memctl connections config ${CONNECTION_ID} --folder ID`,
    `choose what is synced: memctl connections config ${CONNECTION_ID} --server ${OTHER} --folder ID`
  ],
  [
    'start a new one: memctl connect PROVIDER -c COLLECTION',
    `start a new one: memctl connect PROVIDER --server ${OTHER} -c COLLECTION`
  ],
  ['memctl device verify', 'memctl device verify']
])('adds --server to the hint `%s` of a server', async (hint, shown) => {
  const show = (more: readonly string[]) => {
    const refusal = Response.json({ code: 'not_found', detail: 'there is none', hint }, { status: 404 })
    return run(['connections', 'show', CONNECTION_ID, '--json', ...more], { [`GET ${ONE}`]: refusal })
  }
  expect(errorLine(await show(['--server', OTHER])).hint).toBe(shown)
  const settled = await show([])
  expect(errorLine(settled).hint).toBe(hint)
})

test('does not change a command that already has --server', async () => {
  const pending = { ...ACTIVE, status: 'pending', health: null }
  const schedule = {
    state: 'pending',
    paused: false,
    interval_seconds: 60,
    next_sync_at: null,
    running: null,
    last_run: null
  }
  const words = [
    'connections',
    'wait',
    CONNECTION_ID,
    '--for',
    'active',
    '--wait-timeout',
    '0s',
    '--server',
    OTHER,
    '--json'
  ]
  const ended = await run(words, { [`GET ${ONE}`]: pending, [`GET ${ONE}/schedule`]: schedule })
  expect(errorLine(ended).next).toEqual([
    `memctl connections config ${CONNECTION_ID} --server ${OTHER}`,
    `memctl connections wait ${CONNECTION_ID} --for active --server ${OTHER}`
  ])
})

test('requires a --confirm for each of several connections and names the missing one', async () => {
  const script = { [`GET ${ONE}`]: ACTIVE, [`GET ${TWO}`]: SECOND, [`DELETE ${ONE}`]: GONE, [`DELETE ${TWO}`]: GONE }
  const words = ['connections', 'disconnect', CONNECTION_ID, OTHER_ID, '--delete-memories', '--json']
  const both = `memctl connections disconnect ${CONNECTION_ID} ${OTHER_ID} --delete-memories --confirm ${CONNECTION_ID} --confirm ${OTHER_ID}`
  const ended = await run([...words, '--confirm', CONNECTION_ID], script)
  expect({ code: ended.code, calls: ended.sent.length }).toEqual({ code: 2, calls: 2 })
  expect(errorLine(ended)).toMatchObject({ message: `missing --confirm ${OTHER_ID}`, hint: both, next: [both] })
  expect(errorLine(await run(words, script)).next).toEqual([both])
  const done = await run([...words, '--confirm', OTHER_ID, '--confirm', CONNECTION_ID], script)
  expect({ code: done.code, calls: done.sent.length }).toEqual({ code: 0, calls: 4 })
})

test('outside an interactive session, the suggested command disconnects all of them', async () => {
  const script = { [`GET ${ONE}`]: ACTIVE, [`GET ${TWO}`]: SECOND }
  const ended = await run(['connections', 'disconnect', CONNECTION_ID, OTHER_ID, '--json'], script)
  expect(errorLine(ended).next).toEqual([`memctl connections disconnect ${CONNECTION_ID} ${OTHER_ID} --yes`])
})

test('JSON and pipe output of folders contain the parent folder', async () => {
  const folder = (id: string, has_children: boolean) => ({ id, name: id, has_children, is_selected: false })
  const script = {
    [`GET ${ONE}/folders`]: [folder('F1', true)],
    [`GET ${ONE}/folders?parent_id=F1`]: [folder('F2', false)]
  }
  const words = ['connections', 'folders', CONNECTION_ID, '--depth', '2']
  const picked = await run([...words, '--json', '--fields', 'id,parent_id'], script)
  expect(JSON.parse(picked.stdout)).toEqual([
    { id: 'F1', parent_id: null },
    { id: 'F2', parent_id: 'F1' }
  ])
  expect((await run([...words, '--fields', 'id,parent_id'], script)).stdout).toBe('F1\t\nF2\tF1\n')
  expect(JSON.parse((await run([...words, '--json'], script)).stdout)[1]).toEqual({
    ...folder('F2', false),
    parent_id: 'F1'
  })
})

test('a pipe gets one field of an object as a plain value, and several as a row with a header', async () => {
  const script = { [`GET ${ONE}`]: ACTIVE }
  const words = ['connections', 'show', CONNECTION_ID]
  expect((await run([...words, '--fields', 'status'], script)).stdout).toBe('active\n')
  const row = await run([...words, '--fields', 'status,provider', '--header'], script)
  expect(row.stdout).toBe('status\tprovider\nactive\tcloud_drive\n')
})

import { expect, test } from 'vitest'
import { main } from '../../src/cli/program/main.ts'
import { fakeDevice } from './fake-device.ts'
import { fakeWorld, type Wishes } from './fake-world.ts'
import { errorLine, runCli } from './run-cli.ts'
import {
  ACTIVE,
  COLLECTION_ID,
  CONNECTION,
  CONNECTION_ID,
  problem,
  scriptedService,
  series
} from './scripted-service.ts'
import { testModules } from './test-modules.ts'

const AUTH_URL = 'http://127.0.0.1:8787/sandbox/mailbox/authorize?client_id=memctl-sandbox'
const STATE = 'c3RhdGU.bWFj'
const BEGUN = { auth_url: AUTH_URL, state: STATE }
const WAITING = { status: 'waiting', connection_id: null, detail: null }
const COMPLETED = { ...WAITING, status: 'completed', connection_id: CONNECTION_ID }
const MAILBOX = { ...ACTIVE, provider: 'mailbox', config: {} }
const BEGIN = 'POST /v1/connectors/mailbox/connect'
const LOOK = 'GET /v1/connectors/attempts'
const SHOW = `GET /v1/connectors/${CONNECTION_ID}`
const there = ['input', 'errors'] as const
const withTimeout = ['connect', 'mailbox', '-c', COLLECTION_ID, '--no-browser', '--wait-timeout', '2s']

function run(argv: readonly string[], script: Record<string, unknown>, wishes: Wishes = {}) {
  const { fetch, sent } = scriptedService(script)
  const started = runCli(argv, { environment: { MEMCTL_API_KEY: 'mk_x' }, fetch, quickTime: true, ...wishes })
  return started.then((ended) => ({ ...ended, sent }))
}

test('prints the consent URL and the next command outside an interactive session', async () => {
  const words = ['connect', 'mailbox', '-c', COLLECTION_ID, '--no-browser', '--json']
  const { code, stdout, sent } = await run(words, { [BEGIN]: BEGUN })
  expect(code).toBe(0)
  const next = [`memctl connect mailbox -c ${COLLECTION_ID} --resume ${STATE} --wait-timeout 10m`]
  expect(JSON.parse(stdout)).toEqual({ auth_url: AUTH_URL, state: STATE, next })
  expect(sent).toEqual([
    { method: 'POST', path: '/v1/connectors/mailbox/connect', body: { collection_id: COLLECTION_ID } }
  ])
})

test('writes only the URL to a pipe', async () => {
  const { stdout, stderr } = await run(['connect', 'mailbox', '-c', COLLECTION_ID], { [BEGIN]: BEGUN })
  expect(stdout).toBe(`${AUTH_URL}\n`)
  expect(stderr).toContain(`--resume ${STATE}`)
})

test('with a timeout, writes the URL to stderr, waits, and prints the connection', async () => {
  const script = { [BEGIN]: BEGUN, [LOOK]: series(WAITING, WAITING, COMPLETED), [SHOW]: MAILBOX }
  const { code, stdout, stderr, sent } = await run([...withTimeout, '--json'], script)
  expect({ code, connection: JSON.parse(stdout) }).toEqual({ code: 0, connection: MAILBOX })
  expect(stderr).toBe(`${AUTH_URL}\n`)
  expect(sent.filter(({ path }) => path === `/v1/connectors/attempts?state=${STATE}`)).toHaveLength(3)
})

test('--jsonl writes events, the first one before it waits', async () => {
  const script = { [BEGIN]: BEGUN, [LOOK]: COMPLETED, [SHOW]: MAILBOX }
  const { stdout } = await run([...withTimeout, '--jsonl'], script)
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(events).toEqual([
    { event: 'consent', auth_url: AUTH_URL, state: STATE },
    { event: 'connected', connection: MAILBOX }
  ])
})

test('an interactive session waits by default and shows the elapsed time', async () => {
  const script = { [BEGIN]: BEGUN, [LOOK]: series(WAITING, WAITING, WAITING, COMPLETED), [SHOW]: MAILBOX }
  const { code, progress, stderr } = await run(['connect', 'mailbox', '-c', COLLECTION_ID], script, {
    terminals: there
  })
  expect(code).toBe(0)
  expect(stderr.split('\n')[0]).toBe(AUTH_URL)
  expect(progress.join('\n')).toContain('(1 s,')
  expect(progress.at(-1)).toBe('stopped')
})

test.each([
  { status: 'denied', detail: 'the person said no', exit: 5, code: 'consent_denied' },
  { status: 'failed', detail: 'the provider gave no token', exit: 1, code: 'consent_failed' },
  { status: 'expired', detail: 'the time is over', exit: 8, code: 'still_pending' }
])(
  'shows the reason for an attempt that is $status, with its own exit code',
  async ({ status, detail, exit, code }) => {
    const script = { [BEGIN]: BEGUN, [LOOK]: { status, connection_id: null, detail } }
    const ended = await run([...withTimeout, '--json'], script)
    expect(ended.code).toBe(exit)
    expect(ended.stdout).toBe('')
    const [address, line = ''] = ended.stderr.trim().split('\n')
    expect(address).toBe(AUTH_URL)
    const next = [`memctl connect mailbox -c ${COLLECTION_ID}`]
    expect(JSON.parse(line).error).toMatchObject({ code, message: detail, exit_code: exit, next })
  }
)

test('shows the result of a consent without the command of the server, and the hint keeps the selection', async () => {
  const detail = 'access was not allowed at Slack; begin again with memctl connect team_chat -c 0190aaaa'
  const script = {
    'POST /v1/connectors/team_chat/connect': BEGUN,
    [LOOK]: { status: 'denied', connection_id: null, detail }
  }
  const words = ['connect', 'team_chat', '-c', COLLECTION_ID, '--channel', 'C1,C2', '--wait-timeout', '2s']
  const { stderr } = await run(words, script)
  const again = `memctl connect team_chat -c ${COLLECTION_ID} --channel C1 --channel C2`
  expect(stderr).toBe(`${AUTH_URL}\nerror: access was not allowed at Slack\nhint: start again: ${again}\n`)
})

test('a timeout shows the command that continues waiting', async () => {
  const ended = await run(withTimeout, { [BEGIN]: BEGUN, [LOOK]: WAITING })
  expect(ended.code).toBe(8)
  expect(ended.stderr).toContain('the consent was not given within 2 s')
  expect(ended.stderr).toContain(`memctl connect mailbox -c ${COLLECTION_ID} --resume ${STATE}`)
})

test('exits 8 with the commands that select if folders are missing', async () => {
  const script = { 'POST /v1/connectors/cloud_drive/connect': BEGUN, [LOOK]: COMPLETED, [SHOW]: CONNECTION }
  const words = ['connect', 'cloud_drive', '-c', COLLECTION_ID, '--wait-timeout', '2s', '--json']
  const ended = await run(words, script)
  expect(ended.code).toBe(8)
  expect(JSON.parse(ended.stderr.trim().split('\n')[1] ?? '').error.next).toEqual([
    `memctl connections folders ${CONNECTION_ID}`,
    `memctl connections config ${CONNECTION_ID} --folder ID`
  ])
})

test('sends folders and channels given in advance, each under its key', async () => {
  const script = { 'POST /v1/connectors/team_chat/connect': BEGUN }
  const { sent } = await run(
    ['connect', 'team_chat', '-c', COLLECTION_ID, '--channel', 'C1,C2', '--channel', 'C1'],
    script
  )
  expect(sent[0]?.body).toEqual({ collection_id: COLLECTION_ID, config: { channel_ids: ['C1', 'C2'] } })
})

test('--resume continues waiting by state, without a new consent', async () => {
  const script = { [LOOK]: COMPLETED, [SHOW]: MAILBOX }
  const { code, sent } = await run(['connect', 'mailbox', '--resume', STATE, '--wait-timeout', '2s'], script)
  expect(code).toBe(0)
  expect(sent.map(({ method }) => method)).toEqual(['GET', 'GET'])
})

test('Ctrl-C while waiting shows how to continue', async () => {
  const { fetch } = scriptedService({ [BEGIN]: BEGUN, [LOOK]: WAITING })
  const world = fakeWorld({
    environment: { MEMCTL_API_KEY: 'mk_x' },
    quickTime: true,
    fetch: async (request) => {
      if (request.method === 'GET') world.interrupt('SIGINT')
      return await fetch(request)
    }
  })
  expect(await main([...withTimeout, '--json'], world, testModules(fakeDevice().module))).toBe(130)
  expect(JSON.parse(world.said.stderr.trim().split('\n').at(-1) ?? '').error.hint).toContain('--resume')
})

test.each([
  [['connect'], 'missing argument <provider>'],
  [['connect', 'mailbox', '--folder', 'F', '--channel', 'C'], 'cannot be used together'],
  [['connect', 'mailbox', '--no-wait', '--wait-timeout', '2s'], 'cannot be used together'],
  [['connect', 'mailbox', '--wait-timeout', 'soon'], 'expected a number and a unit']
])('rejects %j before sending a request', async (words, message) => {
  const ended = await run([...words, '--json'], {})
  expect(ended.code).toBe(2)
  expect(errorLine(ended).message).toContain(message)
  expect(ended.sent).toEqual([])
})

test('never waits outside an interactive session, with or without CI', async () => {
  const wishes = { terminals: there, environment: { MEMCTL_API_KEY: 'mk_x', CI: '1' } }
  const { code, sent } = await run(['connect', 'mailbox', '-c', COLLECTION_ID], { [BEGIN]: BEGUN }, wishes)
  expect({ code, calls: sent.length }).toEqual({ code: 0, calls: 1 })
})

test('removes escape sequences from the URL on a terminal', async () => {
  const script = { [BEGIN]: { auth_url: 'http://x/\u001b[31mred', state: STATE }, [LOOK]: COMPLETED, [SHOW]: MAILBOX }
  const { stderr } = await run(withTimeout, script)
  expect(stderr).not.toContain('\u001b')
})

test.each([
  ['gmail', 'mailbox'],
  ['Google-Drive', 'cloud_drive'],
  ['slack', 'team_chat'],
  ['Notion', 'notes'],
  ['mailbx', 'mailbox'],
  ['clouddrive', 'cloud_drive']
])('for the unknown provider %s suggests %s', async (named, meant) => {
  const refused = problem(404, 'not_found', 'there is no such provider')
  const argv = ['connect', named, '-c', COLLECTION_ID, '--json']
  const { code, stderr } = await run(argv, { [`POST /v1/connectors/${named}/connect`]: refused })
  expect(code).toBe(3)
  const { error } = JSON.parse(stderr)
  expect(error).toMatchObject({
    message: 'there is no such provider',
    hint: `did you mean ${meant}? memctl connect ${meant} -c ${COLLECTION_ID}`,
    next: [`memctl connect ${meant} -c ${COLLECTION_ID}`]
  })
})

test('shows other not_found errors of a valid provider unchanged', async () => {
  const refused = problem(404, 'not_found', 'there is no such collection')
  const { stderr } = await run(withTimeout, { [BEGIN]: refused })
  expect(stderr).toContain('there is no such collection')
  expect(stderr).not.toContain('did you mean')
})

test('exits 3 for an unknown state, with the command that starts again', async () => {
  const unknown = problem(404, 'not_found', 'there is no attempt with this state')
  const argv = ['connect', 'mailbox', '--resume', 'x', '--wait-timeout', '2s', '--json']
  const ended = await run(argv, { [LOOK]: unknown })
  expect(ended.code).toBe(3)
  expect(errorLine(ended)).toMatchObject({
    hint: 'start again: memctl connect mailbox',
    next: ['memctl connect mailbox']
  })
})

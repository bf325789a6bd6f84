import { expect, test } from 'vitest'
import { examine, WELL } from './doctor-kit.ts'
import { FACTS, type HostWishes } from './fake-host.ts'
import { memoryFiles } from './memory-files.ts'
import { errorLine, runCli } from './run-cli.ts'
import { problem, scriptedService } from './scripted-service.ts'
import { serviceCli } from './service-kit.ts'

// Tests what commands report about the running local server.

const host: NonNullable<HostWishes['host']> = { facts: () => FACTS, isRunning: () => true }
const ELSEWHERE: NonNullable<HostWishes['host']> = {
  ...host,
  facts: () => ({ ...FACTS, origin: 'http://127.0.0.1:8861' })
}
const FILE = '/home/ada/config/credentials.json'
const there = ['input', 'errors'] as const
const LIST = ['collections', 'list']
const LOST = 'if you lost the key: memctl server stop, then memctl server start --new-admin-key --detach'

/** Runs commands against a local server with only the given stored keys. */
async function ownServer(kept: (adminKey: string) => Record<string, string> = () => ({})) {
  const { run, server, files } = await serviceCli()
  const entries = Object.entries(kept(server.adminKey)).map(([name, key]) => [name, { key, saved_at: '' }])
  if (entries.length > 0) files.put(FILE, JSON.stringify(Object.fromEntries(entries)))
  const command: typeof run = (argv, wishes = {}) => run(argv, { environment: {}, host, ...wishes })
  return { run: command, files, adminKey: server.adminKey }
}

const keptFor = (text: string | undefined, name: string): string | undefined => JSON.parse(text ?? '{}')[name]?.key

test.each([[LIST], [['auth', 'status']], [['api', 'GET', '/v1/collections']], [['auth', 'login']]])(
  'explains how to create another key if the only one is lost: %j',
  async (words) => {
    const { run } = await ownServer()
    const error = errorLine(await run([...words, '--json']))
    expect(error.hint).toContain(LOST)
    expect(error.next).toEqual([
      expect.stringContaining('memctl auth login'),
      'memctl server stop',
      'memctl server start --new-admin-key --detach'
    ])
  }
)

test.each([
  ['without a key', {}],
  ['with a rejected key', { [FACTS.origin]: { key: 'mk_old' }, 'file:///data': { key: 'mk_old' } }]
])('doctor gives the same hint, %s', async (_with, kept) => {
  const files = memoryFiles()
  files.put(FILE, JSON.stringify(kept))
  const { fetch } = scriptedService({ ...WELL, 'GET /v1/collections': problem(401, 'unauthenticated', 'no') })
  const { wrong } = await examine({ host, files, fetch })
  expect(wrong).toContainEqual(expect.objectContaining({ check: 'key', hint: expect.stringContaining(LOST) }))
})

test('does not suggest a new admin key for a remote server or another address', async () => {
  for (const other of [{}, { host: { ...host, isRunning: () => false } }, { host: ELSEWHERE }]) {
    const { run } = await serviceCli()
    expect(errorLine(await run([...LIST, '--json'], { environment: {}, ...other }))).toMatchObject({
      hint: 'memctl auth login'
    })
  }
})

test('login after logout uses the key of the data folder without a prompt', async () => {
  const { run, files, adminKey } = await ownServer((key) => ({ [FACTS.origin]: key, 'file:///data': key }))
  const logout = await run(['auth', 'logout'])
  expect(logout.stderr).toContain('its admin key stays saved for /data; memctl auth login uses it again')
  expect(errorLine(await run([...LIST, '--json']))).toMatchObject({ hint: 'memctl auth login' })
  const login = await run(['auth', 'login'], { terminals: there })
  expect(login).toMatchObject({ code: 0, questions: [] })
  expect(login.stderr).toContain('using the admin key saved for /data')
  expect(login.stdout + login.stderr).not.toContain(adminKey)
  expect(keptFor(files.text(FILE), FACTS.origin)).toBe(adminKey)
  expect(await run(LIST)).toMatchObject({ code: 0 })
})

test('login replaces a rejected key by the one of the data folder', async () => {
  const { run, files, adminKey } = await ownServer((key) => ({ [FACTS.origin]: 'mk_stale', 'file:///data': key }))
  expect(errorLine(await run([...LIST, '--json']))).toMatchObject({ hint: 'memctl auth login' })
  expect(await run(['auth', 'login', '--json'])).toMatchObject({ code: 0 })
  expect(keptFor(files.text(FILE), FACTS.origin)).toBe(adminKey)
})

test('login asks for a key if the stored one works', async () => {
  const { run, adminKey } = await ownServer((key) => ({ [FACTS.origin]: key, 'file:///data': key }))
  const login = await run(['auth', 'login'], { terminals: there, typed: [adminKey] })
  expect(login).toMatchObject({ code: 0, questions: ['Key for http://127.0.0.1:8787:'] })
  expect(login.stderr).not.toContain('using the admin key')
})

test('login does not save a rejected key of the data folder, and shows a hint before the prompt', async () => {
  const { run, files, adminKey } = await ownServer(() => ({ 'file:///data': 'mk_revoked' }))
  const login = await run(['auth', 'login'], { terminals: there, typed: [adminKey] })
  expect(login).toMatchObject({ code: 0, questions: ['Key for http://127.0.0.1:8787:'] })
  expect(login.stderr).toContain(LOST)
  expect(keptFor(files.text(FILE), FACTS.origin)).toBe(adminKey)
})

test('login stores the key from a file', async () => {
  const { run } = await ownServer((key) => ({ 'file:///data': key }))
  const login = await run(['auth', 'login', '--key-file', '-', '--json'], { stdin: 'mk_wrong' })
  expect(errorLine(login)).toMatchObject({ code: 'unauthenticated', hint: 'memctl auth login' })
})

const SET = 'memctl config set server http://127.0.0.1:8861'

test.each([
  ['the default', [], {}, SET, [SET]],
  ['a flag', ['--server', 'http://127.0.0.1:8899'], {}, 'use --server http://127.0.0.1:8861', []],
  ['a variable', [], { MEMCTL_SERVER: 'http://localhost:8899' }, 'set this address in MEMCTL_SERVER', []]
])('names the address of the running local server instead of starting another one: %s', async (...row) => {
  const [, words, environment, hint, next] = row
  const fallible = { host: ELSEWHERE, environment: { MEMCTL_API_KEY: 'mk_1', ...environment } }
  for (const command of [
    ['connections', 'list'],
    ['api', 'GET', '/v1/keys'],
    ['connect', 'mailbox']
  ]) {
    const run = await runCli([...command, ...words, '--json'], fallible)
    expect(errorLine(run)).toMatchObject({ code: 'unreachable', exit_code: 7, retryable: true, hint, next })
    expect(errorLine(run).message).toContain('the local server listens at http://127.0.0.1:8861')
  }
})

test('names the address if the user settings have another one', async () => {
  const wishes = { host: ELSEWHERE, preferences: { server: 'http://127.0.0.1:8899' } }
  expect(errorLine(await runCli(['keys', 'list', '--json'], wishes))).toMatchObject({ hint: SET })
})

test('does not offer to start a server while one runs', async () => {
  for (const running of [host, ELSEWHERE]) {
    const environment = { MEMCTL_API_KEY: 'mk_1' }
    const run = await runCli(['connect', 'mailbox'], { host: running, environment, terminals: there })
    expect(run).toMatchObject({ code: 7, questions: [] })
  }
})

test('suggests checking a local server that does not respond at its own address', async () => {
  const error = errorLine(await runCli(['keys', 'list', '--json'], { host }))
  expect(error).toMatchObject({ next: ['memctl server status', 'memctl server logs'] })
  expect(error.message).toContain('the local server is running as process 42')
})

test.each(['settings', 'facts'] as const)(
  'an error while looking for the local server does not change the failure: %s',
  async (part) => {
    const refuse = () => {
      throw Object.assign(new Error('EACCES'), { code: 'EACCES', syscall: 'open' })
    }
    const broken: HostWishes['host'] = part === 'facts' ? { facts: refuse } : { settings: async () => [] }
    const run = await runCli(['keys', 'list', '--json'], { host: { isRunning: () => true, ...broken } })
    expect(errorLine(run)).toMatchObject({ code: 'unreachable', next: ['memctl server start'] })
  }
)

import { expect, test } from 'vitest'
import { errorLine, runCli } from './run-cli.ts'
import { serviceCli } from './service-kit.ts'

const FILE = '/home/ada/config/credentials.json'
const there = ['input', 'errors'] as const
const environment = {}
const FROM_STDIN = ['--key-file', '-']

test('login tests the key, stores it, and later commands use it', async () => {
  const { run, server, files } = await serviceCli()
  const login = await run(['auth', 'login', ...FROM_STDIN], { environment, stdin: `${server.adminKey}\n` })
  expect(login.code).toBe(0)
  expect(login.stdout + login.stderr).not.toContain(server.adminKey)
  expect(JSON.parse(files.text(FILE) ?? '')).toMatchObject({ 'http://127.0.0.1:8787': { key: server.adminKey } })
  expect((await run(['collections', 'list'], { environment })).stdout).toContain('default')
})

test('does not echo the key that the user types', async () => {
  const { run, server, files } = await serviceCli()
  const login = await run(['auth', 'login'], { environment, terminals: there, typed: [server.adminKey] })
  expect(login.questions).toEqual(['Key for http://127.0.0.1:8787:'])
  expect(login.stdout + login.stderr).not.toContain(server.adminKey)
  expect(files.text(FILE)).toContain(server.adminKey)
})

test('reads the key from a file, or from stdin if a flag names it', async () => {
  const { run, server, files } = await serviceCli()
  files.put('/project/key.txt', `${server.adminKey}\n`)
  const login = await run(['auth', 'login', '--key-file', 'key.txt', '--json'], { environment })
  expect(JSON.parse(login.stdout)).toEqual({
    server: 'http://127.0.0.1:8787',
    kept_in: FILE,
    admin: true,
    collections: 1
  })
  const again = await run(['auth', 'login', '--key-file', '-'], { environment, stdin: server.adminKey })
  expect(again.code).toBe(0)
})

test('does not store a key that the server rejects', async () => {
  const { run, files } = await serviceCli()
  const login = await run(['auth', 'login', ...FROM_STDIN, '--json'], { environment, stdin: 'mk_wrong' })
  expect(login.code).toBe(4)
  expect(errorLine(login)).toMatchObject({ code: 'unauthenticated' })
  expect(login.stderr).not.toContain('mk_wrong')
  expect(files.text(FILE)).toBeUndefined()
})

test.each(['', ' \n', 'two words', 'mk_é', 'mk_a\nmk_b'])(
  'rejects an invalid key without printing it: %j',
  async (stdin) => {
    const run = await runCli(['auth', 'login', ...FROM_STDIN], { stdin })
    expect(run.code).toBe(2)
    expect(run.stderr).toContain('error: stdin')
    expect(run.stderr).not.toContain('mk_')
  }
)

test('exits 2 and names the flag without a terminal to type the key', async () => {
  const run = await runCli(['auth', 'login', '--no-input', '--json'], { terminals: ['input'] })
  expect(run.code).toBe(2)
  expect(errorLine(run)).toMatchObject({ code: 'input_needed', next: ['memctl auth login --key-file FILE'] })
})

test('does not read stdin unless a flag names it', async () => {
  const run = await runCli(['auth', 'login'], { stdin: 'mk_1' })
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('--key-file FILE, or - for stdin') })
})

test('status prints the server, the origin of the key and its permissions', async () => {
  const { run, makeKey, server } = await serviceCli()
  const status = await run(['auth', 'status', '--json'])
  expect(JSON.parse(status.stdout)).toEqual({
    server: 'http://127.0.0.1:8787',
    key_from: 'MEMCTL_API_KEY',
    admin: true,
    collections: 1
  })
  const key = await makeKey([{ collection_id: server.collectionId, permission: 'read' }])
  const plain = await run(['auth', 'status', '--json'], { environment: { MEMCTL_API_KEY: key } })
  expect(JSON.parse(plain.stdout)).toMatchObject({ admin: false, collections: 1 })
})

test('status exits 4 if there is no key or the server rejects it, and reports which', async () => {
  const { run } = await serviceCli()
  const none = await run(['auth', 'status', '--json'], { environment })
  expect(none).toMatchObject({ code: 4, stdout: '' })
  expect(errorLine(none)).toMatchObject({ hint: 'memctl auth login', next: ['memctl auth login'] })
  const wrong = await run(['auth', 'status'], { environment: { MEMCTL_API_KEY: 'mk_wrong' } })
  expect(wrong.code).toBe(4)
  expect(wrong.stderr).toContain('the server rejected the key from MEMCTL_API_KEY')
  expect(wrong.stderr).not.toContain('mk_wrong')
})

test('hints at the variable if the server rejects the key that it gives', async () => {
  const { run } = await serviceCli()
  const wrong = { environment: { MEMCTL_API_KEY: 'mk_wrong' } }
  const commands = [
    ['auth', 'status'],
    ['collections', 'list'],
    ['api', 'GET', '/v1/keys']
  ]
  for (const command of commands) {
    const { stderr } = await run(command, wrong)
    expect(stderr).toContain(
      'hint: correct the key in MEMCTL_API_KEY, or unset MEMCTL_API_KEY and run memctl auth login\n'
    )
  }
  expect((await run(['auth', 'login', ...FROM_STDIN], { ...wrong, stdin: 'mk_wrong_too' })).stderr).toContain(
    'hint: memctl auth login\n'
  )
})

test('status exits 7 if no server responds, with the command that starts one', async () => {
  const run = await runCli(['auth', 'status', '--json'], { environment: { MEMCTL_API_KEY: 'mk_1' } })
  expect(run.code).toBe(7)
  expect(errorLine(run)).toMatchObject({ code: 'unreachable', retryable: true, next: ['memctl server start'] })
})

test('logout removes the key of this server, and reports another one that is still used', async () => {
  const { run, server, files } = await serviceCli()
  await run(['auth', 'login', ...FROM_STDIN], { environment, stdin: server.adminKey })
  const logout = await run(['auth', 'logout'])
  expect(logout).toMatchObject({ code: 0, stdout: 'http://127.0.0.1:8787\ttrue\n' })
  expect(logout.stderr).toContain('MEMCTL_API_KEY still provides a key')
  expect(files.text(FILE)).not.toContain(server.adminKey)
  expect(await run(['auth', 'logout'], { environment })).toMatchObject({ code: 0, stderr: '' })
})

test('logout does not run a key program', async () => {
  const run = await runCli(['auth', 'logout'], { environment: { MEMCTL_API_KEY_COMMAND: 'no-such-program' } })
  expect(run.code).toBe(0)
  expect(run.stderr).toContain('MEMCTL_API_KEY_COMMAND still provides a key')
})

import { expect, test } from 'vitest'
import type { Wishes } from './fake-world.ts'
import { type MemoryFiles, memoryFiles } from './memory-files.ts'
import { errorLine, runCli } from './run-cli.ts'

const HERE = 'http://127.0.0.1:8787'
const ELSEWHERE = 'https://elsewhere.example'
const KEPT = '/home/ada/config/credentials.json'

/** Runs a command against a service with empty lists. Returns the origins and keys that it received. */
async function sent(wishes: Wishes, flags: string[] = []) {
  const arrived: [origin: string, key: string | null][] = []
  const fetch = async (request: Request) => {
    arrived.push([new URL(request.url).origin, request.headers.get('authorization')])
    return new Response('[]', { headers: { 'content-type': 'application/json' } })
  }
  const run = await runCli(['collections', 'list', ...flags], { fetch, ...wishes })
  return { run, arrived }
}

function filesWith(texts: Record<string, string>): MemoryFiles {
  const files = memoryFiles()
  for (const [path, text] of Object.entries(texts)) files.put(path, text)
  return files
}

function kept(keys: Record<string, string>): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(keys).map(([origin, key]) => [origin, { key, saved_at: '' }]))
  )
}

test('the key in the variable overrides the stored one', async () => {
  const files = filesWith({ [KEPT]: kept({ [HERE]: 'mk_kept' }) })
  expect((await sent({ files })).arrived).toEqual([[HERE, 'Bearer mk_kept']])
  const environment = { MEMCTL_API_KEY: 'mk_said' }
  expect((await sent({ files, environment })).arrived).toEqual([[HERE, 'Bearer mk_said']])
})

test('reads a key from a file or a program', async () => {
  const files = filesWith({ '/run/key': 'mk_file\n' })
  const file = await sent({ files, environment: { MEMCTL_API_KEY_FILE: '/run/key' } })
  expect(file.arrived).toEqual([[HERE, 'Bearer mk_file']])
  const started: unknown[] = []
  const run: Wishes['run'] = async (words) => {
    started.push(words)
    return { exitCode: 0, stdout: 'mk_program\n' }
  }
  const environment = { MEMCTL_API_KEY_COMMAND: `pass show "my keys/memctl" '$HOME' a"b c"d` }
  expect((await sent({ run, environment })).arrived).toEqual([[HERE, 'Bearer mk_program']])
  expect(started).toEqual([['pass', 'show', 'my keys/memctl', '$HOME', 'ab cd']])
})

test.each([
  ['fails', { exitCode: 3, stdout: 'mk_half' }, 4],
  ['takes too long', { exitCode: undefined, stdout: 'mk_half' }, 4],
  ['prints nothing', { exitCode: 0, stdout: '' }, 2]
])('reports a key program that %s, without its output', async (_name, outcome, code) => {
  const { run, arrived } = await sent({ run: async () => outcome, environment: { MEMCTL_API_KEY_COMMAND: 'pass' } })
  expect(run.code).toBe(code)
  expect(run.stderr).toContain('MEMCTL_API_KEY_COMMAND')
  expect(run.stderr).not.toContain('mk_half')
  expect(arrived).toEqual([])
})

test('reports a missing key program', async () => {
  const run = async () => {
    throw Object.assign(new Error('spawn pass ENOENT'), { code: 'ENOENT', syscall: 'spawn pass' })
  }
  const failed = await sent({ run, environment: { MEMCTL_API_KEY_COMMAND: 'pass' } }, ['--json'])
  expect(errorLine(failed.run)).toMatchObject({ code: 'unauthenticated', message: expect.stringContaining('ENOENT') })
  const open = await sent({ environment: { MEMCTL_API_KEY_COMMAND: 'pass "x' } })
  expect(open.run.code).toBe(2)
})

test.each([
  ['a flag', {}, ['--server', ELSEWHERE]],
  ['a variable', { environment: { MEMCTL_SERVER: ELSEWHERE } }, []],
  ['the settings of the user', { preferences: { server: ELSEWHERE } }, []]
])('sends a key from the environment to a server named by %s', async (_name, wishes, flags) => {
  const environment = { MEMCTL_API_KEY: 'mk_said', ...(wishes as Wishes).environment }
  expect((await sent({ ...wishes, environment }, flags)).arrived).toEqual([[ELSEWHERE, 'Bearer mk_said']])
})

test.each([
  ['MEMCTL_API_KEY', 'mk_said'],
  ['MEMCTL_API_KEY_FILE', '/run/key'],
  ['MEMCTL_API_KEY_COMMAND', 'pass']
])('does not send %s or a stored key to a server that only a project file names', async (variable, value) => {
  const project = { '/project/memctl.json': `{"server":"${ELSEWHERE}"}`, '/run/key': 'mk_said' }
  const files = filesWith({ ...project, [KEPT]: kept({ [ELSEWHERE]: 'mk_admin' }) })
  const started: unknown[] = []
  const run: Wishes['run'] = async (words) => {
    started.push(words)
    return { exitCode: 0, stdout: 'mk_said' }
  }
  for (const held of [files, filesWith(project)]) {
    const asked = await sent({ files: held, run, environment: { [variable]: value } }, ['--json'])
    expect({ code: asked.run.code, arrived: asked.arrived, started }).toEqual({ code: 4, arrived: [], started: [] })
    expect(errorLine(asked.run)).toMatchObject({
      code: 'unauthenticated',
      message: `the key in ${variable} is not sent to ${ELSEWHERE}, because only /project/memctl.json names that server`,
      hint: `if you trust the server, add --server ${ELSEWHERE} or set MEMCTL_SERVER; otherwise unset ${variable}`
    })
  }
})

test.each([
  ['is missing', '/run/none', 'file /run/none does not exist'],
  ['is a folder', '/run', '/run is not a regular file']
])('names the variable of a key file that %s', async (_name, path, why) => {
  const files = filesWith({ '/run/key': 'mk_file', [KEPT]: kept({ [HERE]: 'mk_kept' }) })
  const { run, arrived } = await sent({ files, environment: { MEMCTL_API_KEY_FILE: path } }, ['--json'])
  expect({ code: run.code, arrived }).toEqual({ code: 4, arrived: [] })
  expect(errorLine(run)).toMatchObject({
    code: 'unauthenticated',
    message: `MEMCTL_API_KEY_FILE: ${why}`,
    hint: expect.stringContaining('unset it')
  })
})

test('sends a stored key only to its own server, even if a project file names it', async () => {
  const project = { '/project/memctl.json': `{"server":"${ELSEWHERE}"}` }
  const own = filesWith({ ...project, [KEPT]: kept({ [ELSEWHERE]: 'mk_theirs', [HERE]: 'mk_here' }) })
  expect((await sent({ files: own })).arrived).toEqual([[ELSEWHERE, 'Bearer mk_theirs']])
  const others = filesWith({ ...project, [KEPT]: kept({ [HERE]: 'mk_here', 'https://elsewhere.example:444': 'mk_x' }) })
  expect((await sent({ files: others })).arrived).toEqual([[ELSEWHERE, null]])
})

test('a project file with the user’s own server changes nothing', async () => {
  const files = filesWith({ '/project/memctl.json': `{"server":"${ELSEWHERE}/"}` })
  const environment = { MEMCTL_API_KEY: 'mk_said' }
  const asked = await sent({ files, environment, preferences: { server: ELSEWHERE } })
  expect(asked.arrived).toEqual([[ELSEWHERE, 'Bearer mk_said']])
})

test('rejects plain http to another machine before sending a request', async () => {
  const { run, arrived } = await sent({ environment: { MEMCTL_API_KEY: 'mk_said' } }, ['--server', 'http://10.0.0.1'])
  expect(run.code).toBe(2)
  expect(arrived).toEqual([])
})

test('sends no key to the target of a redirect', async () => {
  const arrived: string[] = []
  const fetch = async (request: Request) => {
    arrived.push(new URL(request.url).origin)
    return new Response(null, { status: 302, headers: { location: `${ELSEWHERE}/v1/collections` } })
  }
  const run = await runCli(['collections', 'list'], { fetch, environment: { MEMCTL_API_KEY: 'mk_said' } })
  expect(run.code).toBe(7)
  expect(arrived).toEqual([HERE])
})

test('has no flag for a key', async () => {
  const run = await runCli(['collections', 'list', '--api-key', 'mk_said'])
  expect(run.code).toBe(2)
})

import { expect, test } from 'vitest'
import { examine } from './doctor-kit.ts'
import { memoryFiles } from './memory-files.ts'

const KEY_FILE = '/project/keys/key.txt'

test('reports invalid settings once, and runs the checks that do not need them', async () => {
  const { code, wrong, findings } = await examine({ preferences: { colection: 'x' } })
  expect(code).toBe(1)
  expect(wrong).toMatchObject([
    { check: 'settings', state: 'problem', message: expect.stringContaining("unknown setting 'colection'") }
  ])
  const checks = findings.map(({ check }) => check)
  for (const check of ['node', 'credentials', 'disk', 'providers']) expect(checks).toContain(check)
  for (const check of ['snapshot', 'reachable']) expect(checks).not.toContain(check)
})

test('reports each invalid setting', async () => {
  const files = memoryFiles()
  files.put('/project/memctl.json', '{')
  const environment = { MEMCTL_LOCK_WAIT: 'soon' }
  const { wrong } = await examine({ files, environment, preferences: { server: 'http://memory.example' } })
  const told = wrong.filter(({ check }) => check === 'settings')
  expect(told.map(({ message }) => message)).toEqual([
    'settings file /project/memctl.json: expected JSON',
    expect.stringContaining("server 'http://memory.example' uses plain http for another machine: use https"),
    expect.stringContaining("MEMCTL_LOCK_WAIT 'soon' is invalid: expected a duration")
  ])
  for (const { hint } of told) expect(hint).toBeTruthy()
})

test('does not print a password in an address', async () => {
  const { stdout, stderr, code } = await examine({
    environment: { MEMCTL_SERVER: 'https://ada:hush-hush@memory.example' }
  })
  expect(code).toBe(1)
  expect(stdout).toContain('[secret]@memory.example')
  expect(stdout + stderr).not.toContain('hush-hush')
})

test.each([
  ['MEMCTL_SERVR', 'did you mean MEMCTL_SERVER?'],
  ['MEMCTL_APIKEY', 'did you mean MEMCTL_API_KEY?'],
  ['MEMCLT_API_KEY', 'did you mean MEMCTL_API_KEY?'],
  ['memctl_snapshot', 'did you mean MEMCTL_SNAPSHOT?'],
  ['MEMCTL_SOMETHING_ELSE', 'unset MEMCTL_SOMETHING_ELSE; to list the known variables: memctl help environment']
])('warns about the unknown variable %s without its value', async (name, hint) => {
  const { code, wrong, stdout } = await examine({ environment: { [name]: 'mk_hush' } }, ['--device'])
  expect(code).toBe(0)
  expect(wrong).toMatchObject([{ check: 'environment', state: 'warning', hint: expect.stringContaining(hint) }])
  expect(stdout).not.toContain('mk_hush')
})

test('accepts known, empty and foreign variables', async () => {
  const environment = {
    MEMCTL_SNAPSHOT: 'a.mem.jsonl',
    MEMCTL_SERVER_PORT: '9000',
    MEMCTL_SERVR: '',
    MEMORY: '1',
    SERVER: 'x'
  }
  expect((await examine({ environment }, ['--device'])).wrong).toEqual([])
})

test('reports which of two keys in the environment is used', async () => {
  const environment = { MEMCTL_API_KEY: 'mk_a', MEMCTL_API_KEY_COMMAND: 'pass show memctl' }
  expect((await examine({ environment }, ['--device'])).wrong).toMatchObject([
    {
      message: 'MEMCTL_API_KEY provides the key; MEMCTL_API_KEY_COMMAND is ignored',
      hint: 'unset MEMCTL_API_KEY_COMMAND'
    }
  ])
})

test('warns about a key file that others can read, unless its folder is private', async () => {
  const modes = async (file: number, folder: number) => {
    const files = memoryFiles()
    files.put(KEY_FILE, 'mk_hush\n')
    const { find } = files
    files.find = (path) => {
      const found = find(path)
      return found && { ...found, mode: found.kind === 'file' ? file : folder }
    }
    const { wrong } = await examine({ files, environment: { MEMCTL_API_KEY_FILE: KEY_FILE } }, ['--device'])
    return wrong.filter(({ check }) => check === 'environment')
  }
  expect(await modes(0o644, 0o755)).toMatchObject([{ hint: `chmod 600 ${KEY_FILE}` }])
  expect(await modes(0o600, 0o755)).toEqual([])
  expect(await modes(0o644, 0o700)).toEqual([])
})

test('reports credentials that others can read, with the command that fixes them', async () => {
  const files = memoryFiles()
  const path = '/home/ada/config/credentials.json'
  files.put(path, JSON.stringify({ 'https://memory.example': { key: 'mk_hush', saved_at: '' } }))
  const { find } = files
  files.find = (at) => {
    const found = find(at)
    return found && at === path ? { ...found, mode: 0o644 } : found
  }
  const { code, findings, stdout } = await examine({ files }, ['--device'])
  expect(code).toBe(1)
  expect(findings.find(({ check }) => check === 'credentials')).toMatchObject({
    state: 'problem',
    hint: expect.stringContaining(`chmod 600 '${path}'`)
  })
  expect(stdout).not.toContain('mk_hush')
})

test('reports a path that the system refuses, and continues with the other checks', async () => {
  const files = memoryFiles()
  files.refuse('/home/ada/cache', 'EACCES')
  const { code, findings } = await examine({ files }, ['--device'])
  expect(code).toBe(1)
  expect(findings.find(({ check }) => check === 'cache')).toMatchObject({
    state: 'problem',
    message: expect.stringContaining('EACCES'),
    hint: expect.stringContaining('permissions')
  })
  expect(findings.find(({ check }) => check === 'data folder')).toMatchObject({ state: 'ok' })
})

test('warns about a read-only config folder, because only saving keys and settings needs it', async () => {
  const machine = { mayWrite: (path: string) => !path.endsWith('config') }
  const files = memoryFiles()
  files.makeFolders('/home/ada/config')
  expect((await examine({ files, machine }, ['--device'])).wrong).toMatchObject([
    { check: 'config folder', state: 'warning', hint: expect.stringContaining('MEMCTL_CONFIG_DIR') }
  ])
})

test('reports a missing folder if it cannot be created', async () => {
  const machine = { takesFolders: (folder: string) => folder !== '/' }
  const { wrong } = await examine({ machine }, ['--device'])
  const message = expect.stringContaining('cannot be created in /')
  expect(wrong).toMatchObject([
    { check: 'config folder', state: 'warning', message },
    { check: 'cache', state: 'problem', message, hint: expect.stringContaining('MEMCTL_CACHE_DIR') },
    { check: 'data folder', state: 'problem', message, hint: expect.stringContaining('MEMCTL_DATA_DIR') }
  ])
})

test('warns about an unfinished last line', async () => {
  const verify = { tail: { bytes: 7, sound: false } }
  const environment = { MEMCTL_SNAPSHOT: 'a.mem.jsonl' }
  expect((await examine({ verify, environment }, ['--device'])).wrong).toMatchObject([
    { check: 'snapshot', state: 'warning', hint: expect.stringContaining('the next store sets it aside') }
  ])
})

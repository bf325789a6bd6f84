import { expect, test } from 'vitest'
import type { Wishes } from './fake-world.ts'
import { memoryFiles } from './memory-files.ts'
import { runCli } from './run-cli.ts'
import { serviceCli } from './service-kit.ts'

type Finding = { about: string; check: string; state: string; message: string; hint: string | null }

const findings = (stdout: string): Finding[] => JSON.parse(stdout)
const finding = (stdout: string, check: string) => findings(stdout).find((one) => one.check === check)

/** A fetch that fails at once. */
const refused: NonNullable<Wishes['fetch']> = async () => {
  throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' })
}

test('finds no problem on a new machine without a server', async () => {
  const files = memoryFiles()
  const run = await runCli(['doctor', '--json'], { files })
  expect(run.code).toBe(0)
  expect(new Set(findings(run.stdout).map(({ state }) => state))).toEqual(new Set(['ok']))
  expect(finding(run.stdout, 'snapshot')?.message).toContain('none yet')
  expect(finding(run.stdout, 'reachable')?.message).toBe('no server is running, and none is configured')
})

test('reports a named server that does not respond, with the command that fixes it', async () => {
  const environment = { MEMCTL_SERVER: 'http://127.0.0.1:1' }
  const run = await runCli(['doctor', '--json'], { environment, fetch: refused })
  expect(run.code).toBe(1)
  expect(finding(run.stdout, 'reachable')).toMatchObject({ state: 'problem', hint: 'memctl server start --port 1' })
  expect(finding(run.stdout, 'key')).toBeUndefined()
  expect(await runCli(['doctor', '--device'], { environment, fetch: refused })).toMatchObject({ code: 0 })
})

test('checks a running server, its key and its collection too', async () => {
  const { run, server } = await serviceCli()
  const well = await run(['doctor', '--json'])
  // The server of these tests reports version 0.0.0.
  expect(findings(well.stdout).filter(({ state }) => state !== 'ok')).toMatchObject([
    { check: 'version', message: expect.stringContaining('the server has version 0.0.0') }
  ])
  expect(finding(well.stdout, 'key')?.message).toBe('from MEMCTL_API_KEY, can read 1 collection')
  expect(finding(well.stdout, 'collection')?.message).toContain(server.collectionId)
  expect(well.stdout + well.stderr).not.toContain(server.adminKey)
})

test('reports a missing or rejected key', async () => {
  const { run } = await serviceCli()
  for (const environment of [{ MEMCTL_API_KEY: 'mk_unknown' }, { MEMCTL_SERVER: 'http://127.0.0.1:8787' }]) {
    const told = await run(['doctor', '--json'], { environment })
    expect(told.code).toBe(1)
    expect(finding(told.stdout, 'key')).toMatchObject({ state: 'problem', hint: expect.stringContaining('auth login') })
  }
})

test.each([
  ['node', { machine: { nodeVersion: '20.18.3' } }, 'problem'],
  ['disk', { machine: { freeBytes: () => 1000 } }, 'warning'],
  ['cache', { machine: { mayWrite: () => false } }, 'problem'],
  ['snapshot', { verify: { sound: false }, environment: { MEMCTL_SNAPSHOT: 'a.mem.jsonl' } }, 'problem'],
  ['snapshot', { environment: { MEMCTL_SNAPSHOT: 'missing.mem.jsonl' } }, 'problem'],
  ['settings', { environment: { MEMCTL_LOCK_WAIT: 'soon' } }, 'problem']
] as const)('reports a bad state of: %s', async (check, wishes, state) => {
  const run = await runCli(['doctor', '--device', '--json'], wishes)
  expect(run.code).toBe(state === 'problem' ? 1 : 0)
  expect(finding(run.stdout, check)).toMatchObject({ state, hint: expect.any(String) })
})

test('exits 9 for warnings only with --fail-on-warning', async () => {
  const machine = { freeBytes: () => 1000 }
  expect(await runCli(['doctor', '--device'], { machine })).toMatchObject({ code: 0 })
  expect(await runCli(['doctor', '--device', '--fail-on-warning'], { machine })).toMatchObject({ code: 9 })
})

test('warns about a lock held by another machine, and names the machine', async () => {
  const files = memoryFiles()
  files.put('/project/a.mem.jsonl', 'a snapshot\n')
  files.link('elsewhere:boot:1:77:5:n', '/project/a.mem.jsonl.lock')
  const run = await runCli(['doctor', '--device', '--json', '--snapshot', 'a.mem.jsonl'], { files })
  expect(finding(run.stdout, 'lock')).toMatchObject({ state: 'warning', message: 'held by process 77 on elsewhere' })
})

test('prints one line for each check, with the fix below it', async () => {
  const run = await runCli(['doctor', '--device'], { machine: { freeBytes: () => 1000 }, terminals: ['output'] })
  expect(run.stdout).toContain('ok      device node            20.19.0\n')
  expect(run.stdout).toMatch(/warning device disk {12}1000 B free\n {8}free some space/)
})

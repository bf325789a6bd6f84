import { expect, test } from 'vitest'
import { main } from '../../src/cli/program/main.ts'
import { Fault } from '../../src/contract/faults.ts'
import type { DetachedProcess, DetachedStart } from '../../src/ports.ts'
import { fakeDevice } from './fake-device.ts'
import { FACTS, type HostWishes } from './fake-host.ts'
import { fakeWorld, type Wishes } from './fake-world.ts'
import { memoryFiles } from './memory-files.ts'
import { errorLine, runCli } from './run-cli.ts'
import { testModules } from './test-modules.ts'

/** A fetch that responds like a healthy server, or like one that is not ready. */
const answering =
  (ready: boolean): NonNullable<Wishes['fetch']> =>
  async ({ url }) =>
    new Response('{}', { status: url.endsWith('/readyz') && !ready ? 503 : 200 })

const RUNS: HostWishes['host'] = { facts: () => FACTS, isRunning: () => true }

const child = (wishes: Partial<DetachedProcess>): DetachedProcess => ({
  pid: FACTS.pid,
  firstLine: Promise.resolve(JSON.stringify(FACTS)),
  ended: new Promise(() => undefined),
  release: () => undefined,
  ...wishes
})

test('start reports on stderr that it is ready, and with --json prints its facts on stdout', async () => {
  const plain = await runCli(['server', 'start'])
  expect(plain).toMatchObject({ code: 0, stdout: '' })
  expect(plain.stderr).toContain('ready: http://127.0.0.1:8787 (process 42, data in /data)')
  const json = await runCli(['server', 'start', '--json'])
  expect(JSON.parse(json.stdout)).toEqual(FACTS)
})

test('start saves the first key for the origin and never prints it', async () => {
  const files = memoryFiles()
  const host: HostWishes['host'] = { run: async (_flags, { onReady }) => await onReady(FACTS, 'mk_the-first-key') }
  const run = await runCli(['server', 'start'], { host, files })
  expect(run.code).toBe(0)
  expect(JSON.parse(files.text('/home/ada/config/credentials.json') ?? '')).toMatchObject({
    [FACTS.origin]: { key: 'mk_the-first-key', name: 'admin' }
  })
  expect(run.stdout + run.stderr).not.toContain('mk_the-first-key')
  expect(run.stderr).toContain('/home/ada/config/credentials.json')
})

test('start saves the key of its data folder for a new address, and keeps a key that the user saved', async () => {
  const files = memoryFiles()
  const start = (facts: Partial<typeof FACTS>, firstKey?: string) => {
    const host: HostWishes['host'] = {
      run: async (_flags, { onReady }) => await onReady({ ...FACTS, ...facts }, firstKey)
    }
    return runCli(['server', 'start'], { host, files })
  }
  const keyFor = (origin: string) => JSON.parse(files.text('/home/ada/config/credentials.json') ?? '')[origin]?.key
  await start({}, 'mk_one')
  await start({ data_dir: '/other' }, 'mk_two')
  expect(keyFor(FACTS.origin)).toBe('mk_two')
  await start({})
  expect(keyFor(FACTS.origin)).toBe('mk_one')
  await start({ origin: 'http://127.0.0.1:9000' })
  expect(keyFor('http://127.0.0.1:9000')).toBe('mk_one')
  files.put(
    '/home/ada/config/credentials.json',
    files
      .text('/home/ada/config/credentials.json')
      ?.replace(/("http:\/\/127.0.0.1:8787": \{\s*"key": )"mk_one"/, '$1"mk_mine"') ?? ''
  )
  await start({})
  expect(keyFor(FACTS.origin)).toBe('mk_mine')
})

test('start checks the credentials file before it creates a key', async () => {
  const files = memoryFiles()
  files.put('/home/ada/config/credentials.json', 'no JSON')
  let ran = false
  const host: HostWishes['host'] = {
    run: async () => {
      ran = true
    }
  }
  const run = await runCli(['server', 'start', '--json'], { host, files })
  expect(run.code).toBe(10)
  expect(ran).toBe(false)
})

test('passes flags to the server by the keys of its settings', async () => {
  let given: unknown
  const host: HostWishes['host'] = {
    run: async (flags) => {
      given = flags
    }
  }
  await runCli(['server', 'start', '--port', '0', '--host', '::1', '--data-dir', 'd', '--log-level', 'error'], { host })
  expect(given).toEqual({ port: '0', host: '::1', data_dir: 'd', log_level: 'error' })
})

test('start --detach prints the facts, and passes a password only in the environment', async () => {
  let asked: DetachedStart | undefined
  const host: HostWishes['host'] = {
    detach: (start) => {
      asked = start
      return child({})
    }
  }
  const run = await runCli(['server', 'start', '--detach', '--json', '--database-url', 'postgres://u:secret@h/d'], {
    host
  })
  expect(run.code).toBe(0)
  expect(JSON.parse(run.stdout)).toEqual(FACTS)
  expect(asked?.args.join(' ')).not.toContain('secret')
  expect(asked?.args).toContain('--data-dir=/data')
  expect(asked).toMatchObject({
    environment: { MEMCTL_DATABASE_URL: 'postgres://u:secret@h/d' },
    logFile: '/data/server.log'
  })
})

test('start --detach exits 6 without starting a second server', async () => {
  const run = await runCli(['server', 'start', '--detach', '--json'], { host: RUNS })
  expect(run.code).toBe(6)
  expect(errorLine(run)).toMatchObject({ code: 'conflict', next: ['memctl server status', 'memctl server stop'] })
})

test('reports the error of a server that ends before it is ready', async () => {
  const files = memoryFiles()
  files.put('/data/server.log', 'an older line\n{"error":{"code":"locked","message":"an older failure"}}\n')
  const error = { code: 'locked', message: 'another server uses it', hint: 'take another folder' }
  const host: HostWishes['host'] = {
    detach: ({ logFile }) => {
      files.put(logFile, `${files.text(logFile)}{"level":"info","msg":"hello"}\n${JSON.stringify({ error })}\n`)
      return child({ firstLine: Promise.resolve(undefined), ended: Promise.resolve(6) })
    }
  }
  const run = await runCli(['server', 'start', '--detach', '--json'], { host, files })
  expect(run.code).toBe(6)
  expect(errorLine(run)).toMatchObject(error)
})

test('exits 7 with the last log lines for a server that ends without an error', async () => {
  const files = memoryFiles()
  const host: HostWishes['host'] = {
    detach: ({ logFile }) => {
      files.put(logFile, 'Segmentation fault\n')
      return child({ firstLine: Promise.resolve(undefined), ended: Promise.resolve('SIGSEGV') })
    }
  }
  const run = await runCli(['server', 'start', '--detach'], { host, files })
  expect(run.code).toBe(7)
  expect(run.stderr).toContain('Segmentation fault')
  expect(run.stderr).toContain('was stopped by SIGSEGV')
})

test('rotates a long log when a server starts', async () => {
  const files = memoryFiles()
  files.put('/data/server.log', new Uint8Array((16 << 20) + 1))
  await runCli(['server', 'start', '--detach'], { files, host: { detach: () => child({}) } })
  expect(files.paths()).toContain('/data/server.log.1')
  expect(files.text('/data/server.log')).toBeUndefined()
})

/** Runs a command with a clock that advances at every wait. */
async function inTime(argv: readonly string[], wishes: HostWishes) {
  const world = fakeWorld()
  let now = 0
  const clock = {
    ...world.clock,
    ticks: () => now,
    wait: async (ms: number) => {
      now += ms
    }
  }
  const code = await main(argv, { ...world, clock }, testModules(fakeDevice().module, wishes))
  return { code, ...world.said, now }
}

test('stop asks the process to end and waits for its end', async () => {
  const told: number[] = []
  let looks = 0
  const host = { facts: () => FACTS, isRunning: () => ++looks < 5, terminate: (pid: number) => void told.push(pid) }
  const run = await inTime(['server', 'stop', '--json'], { host })
  expect(run.code).toBe(0)
  expect(JSON.parse(run.stdout)).toMatchObject({ stopped: true, pid: 42 })
  expect(told).toEqual([42])
})

test('stop succeeds without a running server, and leaves another process with its id alone', async () => {
  const terminate = () => {
    throw new Error('the wrong process')
  }
  const host = { facts: () => FACTS, isRunning: () => false, terminate }
  const run = await runCli(['server', 'stop', '--json'], { host })
  expect(run.code).toBe(0)
  expect(JSON.parse(run.stdout)).toMatchObject({ stopped: false, pid: null })
  expect(run.stderr).toContain('no server is running in /data')
})

test('exits 8 if the server is still stopping at the time limit', async () => {
  const run = await inTime(['server', 'stop', '--timeout', '2s'], { host: { ...RUNS, terminate: () => undefined } })
  expect(run.code).toBe(8)
  expect(run.now).toBeGreaterThanOrEqual(2000)
  expect(await inTime(['server', 'stop', '--timeout', 'soon'], {})).toMatchObject({ code: 2 })
})

const states: [name: string, wishes: HostWishes & Wishes, told: { code: number; [field: string]: unknown }][] = [
  [
    'runs and is ready',
    { host: RUNS, fetch: answering(true) },
    { code: 0, running: true, health: 'ok', ready: true, pid: 42 }
  ],
  [
    'runs and is not ready',
    { host: RUNS, fetch: answering(false) },
    { code: 7, running: true, health: 'ok', ready: false }
  ],
  ['runs and does not answer', { host: RUNS }, { code: 7, running: true, health: 'unreachable' }],
  ['does not run', {}, { code: 3, running: false, pid: null }],
  ['runs elsewhere', { fetch: answering(true) }, { code: 0, running: false, ready: true }]
]

test.each(states)('status of one that %s', async (_name, wishes, { code, ...told }) => {
  const run = await inTimeWith(['server', 'status', '--json'], wishes)
  expect(run.code).toBe(code)
  expect(JSON.parse(run.stdout)).toMatchObject({ ...told, data_dir: '/data', settings: [{ key: 'data_dir' }] })
})

/** Runs a command with a clock whose waits end with their signal. */
async function inTimeWith(argv: readonly string[], wishes: HostWishes & Wishes) {
  const world = fakeWorld(wishes)
  const wait = (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('over'))))
  const code = await main(argv, { ...world, clock: { ...world.clock, wait } }, testModules(fakeDevice().module, wishes))
  return { code, ...world.said }
}

test('reports an invalid setting in each command that reads it', async () => {
  const settings = async () => {
    throw new Fault('usage', 'MEMCTL_SERVER_PORT is no port')
  }
  for (const verb of ['status', 'stop', 'logs'])
    expect(await runCli(['server', verb], { host: { settings } })).toMatchObject({ code: 2 })
})

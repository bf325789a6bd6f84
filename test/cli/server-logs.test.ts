import { expect, test } from 'vitest'
import { main } from '../../src/cli/program/main.ts'
import { fakeDevice } from './fake-device.ts'
import { FACTS } from './fake-host.ts'
import { fakeWorld } from './fake-world.ts'
import { memoryFiles } from './memory-files.ts'
import { runCli } from './run-cli.ts'
import { testModules } from './test-modules.ts'

const LOG = '/data/server.log'

function logOf(...lines: readonly string[]) {
  const files = memoryFiles()
  files.put(LOG, lines.map((line) => `${line}\n`).join(''))
  return files
}

test.each([
  [0, ''],
  [1, 'three\n'],
  [2, 'two\nthree\n'],
  [9, 'one\ntwo\nthree\n']
])('logs -n %i prints that many last lines unchanged', async (count, text) => {
  const run = await runCli(['server', 'logs', '-n', String(count)], { files: logOf('one', 'two', 'three') })
  expect(run).toMatchObject({ code: 0, stdout: text })
})

test('finds lines far from the end in a large log', async () => {
  const lines = Array.from({ length: 5000 }, (_, n) => `${n} ${'x'.repeat(60)}`)
  const run = await runCli(['server', 'logs', '-n', '3000'], { files: logOf(...lines) })
  expect(run.stdout).toBe(`${lines.slice(-3000).join('\n')}\n`)
})

test('formats a line for a terminal, without control sequences', async () => {
  const line = JSON.stringify({ level: 'error', time: '2026-05-01T12:00:00.000Z', msg: 'a\u001b[2Jb', status: 503 })
  const run = await runCli(['server', 'logs'], { files: logOf(line, 'plain'), terminals: ['output'] })
  expect(run.stdout).toBe('2026-05-01 12:00:00.000 error ab  status=503\n| plain\n')
})

test('exits 3 with the reason without a log', async () => {
  const run = await runCli(['server', 'logs'])
  expect(run.code).toBe(3)
  expect(run.stderr).toContain('--detach')
})

test('labels the log of an earlier server', async () => {
  const host = { facts: () => ({ ...FACTS, log_file: null }), isRunning: () => true }
  const run = await runCli(['server', 'logs'], { files: logOf('old'), host })
  expect(run).toMatchObject({ code: 0, stdout: 'old\n' })
  expect(run.stderr).toContain('process 42 runs in the foreground')
  const own = await runCli(['server', 'logs'], { files: logOf('new'), host: { ...host, facts: () => FACTS } })
  expect(own.stderr).toBe('')
})

test('--follow prints new complete lines until it is stopped, also after the log was replaced', async () => {
  const files = logOf('old')
  const world = fakeWorld({ files })
  const writes = ['old\nnew\nha', 'old\nnew\nhalf\n', 'fresh\n']
  const wait = async (): Promise<void> => {
    const next = writes.shift()
    if (next === undefined) world.interrupt('SIGINT')
    else files.put(LOG, next)
  }
  const modules = testModules(fakeDevice().module)
  const code = await main(
    ['server', 'logs', '--follow', '-n', '1'],
    { ...world, clock: { ...world.clock, wait } },
    modules
  )
  expect(code).toBe(130)
  expect(world.said.stdout).toBe('old\nnew\nhalf\nfresh\n')
})

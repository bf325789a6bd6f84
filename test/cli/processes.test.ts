import { expect, test } from 'vitest'
import { nodeProcesses } from '../../bin/node/node-processes.ts'

const NODE = process.execPath
const signal = new AbortController().signal

/** Runs JavaScript in a process of its own. */
function run(script: string, waitMs = 60_000) {
  return nodeProcesses.run([NODE, '-e', script], { waitMs, signal })
}

test('a program gives its end and its stdout', async () => {
  expect(await run('process.stdout.write("a key"); process.exitCode = 3')).toEqual({ exitCode: 3, stdout: 'a key' })
})

test('a program that takes too long is ended, even one that would rather not', async () => {
  const { exitCode } = await run('process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)', 200)
  expect(exitCode).toBeUndefined()
})

test('a program that writes without end is ended', async () => {
  const { exitCode, stdout } = await run('const w = () => process.stdout.write("x".repeat(65536), w); w()')
  expect(exitCode).toBeUndefined()
  expect(stdout.length).toBeLessThan(2 << 20)
})

test('a program that cannot be started leaves no timer behind that keeps the process up', async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const asked = nodeProcesses.run(['no-such-program-here'], { waitMs: 600_000, signal })
  await expect(asked).rejects.toMatchObject({ code: 'ENOENT' })
  expect(timers()).toBe(before)
})

import { expect, test } from 'vitest'
import { nodeProcesses } from '../../bin/node/node-processes.ts'

const NODE = process.execPath
const signal = new AbortController().signal

/** Runs JavaScript in a child process. */
function run(script: string, waitMs = 60_000) {
  return nodeProcesses.run([NODE, '-e', script], { waitMs, signal })
}

test('returns the exit code and stdout of a program', async () => {
  expect(await run('process.stdout.write("a key"); process.exitCode = 3')).toEqual({ exitCode: 3, stdout: 'a key' })
})

test('kills a program at the time limit, even if it ignores SIGTERM', async () => {
  const { exitCode } = await run('process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)', 200)
  expect(exitCode).toBeUndefined()
})

test('kills a program that writes without end', async () => {
  const { exitCode, stdout } = await run('const w = () => process.stdout.write("x".repeat(65536), w); w()')
  expect(exitCode).toBeUndefined()
  expect(stdout.length).toBeLessThan(2 << 20)
})

test('leaves no timer that keeps the process alive if a program cannot be started', async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const asked = nodeProcesses.run(['no-such-program-here'], { waitMs: 600_000, signal })
  await expect(asked).rejects.toMatchObject({ code: 'ENOENT' })
  expect(timers()).toBe(before)
})

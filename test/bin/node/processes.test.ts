import { expect, test } from 'vitest'
import { nodeProcesses } from '../../../bin/node/node-processes.ts'

const { signal } = new AbortController()
const node = (script: string, ...args: string[]) => [process.execPath, '-e', script, ...args] as const
/** Longer than any program here takes on any machine. */
const LONG_MS = 600_000

test("returns a program's exit code and output, and passes its arguments unchanged", async () => {
  const words = node('console.log(process.argv.slice(1).join("|")); process.exitCode = 3', '$HOME', '*', 'a b')
  expect(await nodeProcesses.run(words, { waitMs: LONG_MS, signal })).toEqual({ exitCode: 3, stdout: '$HOME|*|a b\n' })
})

test('gives a program no input, and does not keep its stderr', async () => {
  const words = node('process.stdin.on("end", () => console.error("secret")).resume()')
  expect(await nodeProcesses.run(words, { waitMs: LONG_MS, signal })).toEqual({ exitCode: 0, stdout: '' })
})

test('ends a program that takes too long, without an exit code', async () => {
  const words = node('setInterval(() => 1, 1000)')
  expect(await nodeProcesses.run(words, { waitMs: 50, signal })).toEqual({ exitCode: undefined, stdout: '' })
})

test('does not wait for a background process that holds the output open', async () => {
  const script = `const { spawn } = require('node:child_process')
    const left = spawn(process.execPath, ['-e', 'setTimeout(() => 1, 3000)'], { stdio: 'inherit', detached: true })
    left.unref()
    console.log('mk_1')`
  const outcome = nodeProcesses.run(node(script), { waitMs: LONG_MS, signal })
  expect(await outcome).toEqual({ exitCode: 0, stdout: 'mk_1\n' })
})

test('ends a program when interrupted', async () => {
  const control = new AbortController()
  const outcome = nodeProcesses.run(node('setInterval(() => 1, 1000)'), { waitMs: LONG_MS, signal: control.signal })
  control.abort('SIGINT')
  await expect(outcome).rejects.toMatchObject({ name: 'AbortError' })
})

test('rejects with the system’s error for a missing program', async () => {
  const outcome = nodeProcesses.run(['memctl-no-such-program'], { waitMs: LONG_MS, signal })
  await expect(outcome).rejects.toMatchObject({ code: 'ENOENT' })
})

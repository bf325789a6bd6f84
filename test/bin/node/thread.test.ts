import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { localThread, workerThread } from '../../../bin/node/threads/thread-starter.ts'

import type { Thread } from '../../../src/ports.ts'
import { echoMain } from './echo-main.ts'

const folder = mkdtempSync(join(tmpdir(), 'memctl-thread-'))
const program = join(folder, 'echo-thread.mjs')
buildSync({
  entryPoints: [new URL('./echo-thread.ts', import.meta.url).pathname],
  outfile: program,
  bundle: true,
  format: 'esm',
  platform: 'node'
})

afterAll(() => rmSync(folder, { recursive: true }))

const starts = [
  { kind: 'a thread of its own', start: (greeting: string) => workerThread(pathToFileURL(program), { greeting }) },
  { kind: 'this thread', start: (greeting: string) => localThread(echoMain, { greeting }) }
]

async function using<T>(thread: Thread, work: (thread: Thread) => Promise<T>): Promise<T> {
  try {
    return await work(thread)
  } finally {
    await thread.end()
  }
}

test.each(starts)('$kind: answers several calls at a time', async ({ start }) => {
  const answers = await using(start('hello'), ({ call }) => Promise.all([call('greet', 'a'), call('greet', 'b')]))
  expect(answers).toEqual(['hello a', 'hello b'])
})

test.each(starts)('$kind: transfers bytes in both directions', async ({ start }) => {
  const bytes = Uint8Array.of(1, 2, 3)
  const doubled = await using(start('hello'), ({ call }) => call('double', bytes, [bytes.buffer]))
  expect({ doubled, left: bytes.length }).toEqual({ doubled: Uint8Array.of(2, 4, 6), left: 0 })
})

test.each(starts)('$kind: preserves a fault with all its members', async ({ start }) => {
  const errors = [{ path: 'a[0]', message: 'is wrong' }]
  await expect(using(start('hello'), ({ call }) => call('refuse', undefined))).rejects.toMatchObject({
    name: 'Fault',
    code: 'invalid_input',
    message: 'the input is off',
    hint: 'mend it',
    errors,
    retryAfter: 3
  })
})

test.each(starts)('$kind: preserves a bug', async ({ start }) => {
  await expect(using(start('hello'), ({ call }) => call('fall', undefined))).rejects.toThrow('a bug')
})

test.each(starts)('$kind: rejects only the call whose answer cannot be sent', async ({ start }) => {
  await using(start('hello'), async ({ call }) => {
    await expect(call('unsendable', undefined)).rejects.toThrow('could not be cloned')
    expect(await call('greet', 'a')).toBe('hello a')
  })
})

test.each(starts)('$kind: treats an unknown call as a bug', async ({ start }) => {
  await expect(using(start('hello'), ({ call }) => call('sing', undefined))).rejects.toThrow('no call named sing')
})

test.each(starts)('$kind: rejects every call with the error of a failed start', async ({ start }) => {
  await using(start(''), async ({ call }) => {
    await expect(call('greet', 'a')).rejects.toMatchObject({ code: 'locked', hint: 'greet' })
    await expect(call('greet', 'b')).rejects.toMatchObject({ code: 'locked' })
  })
})

test.each(starts)('$kind: rejects waiting and later calls at its end', async ({ start }) => {
  const thread = start('hello')
  const waiting = thread.call('wait', undefined)
  await Promise.all([expect(waiting).rejects.toMatchObject({ code: 'unavailable' }), thread.end()])
  await expect(thread.call('greet', 'a')).rejects.toMatchObject({ code: 'unavailable' })
})

test('rejects the calls of a thread that dies, and restarts it at the next call', async () => {
  await using(workerThread(pathToFileURL(program), { greeting: 'hello' }), async ({ call }) => {
    const waiting = call('wait', undefined)
    await Promise.all([
      expect(waiting).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 }),
      expect(call('die', undefined)).rejects.toMatchObject({ code: 'unavailable' })
    ])
    expect(await call('greet', 'a')).toBe('hello a')
  })
})

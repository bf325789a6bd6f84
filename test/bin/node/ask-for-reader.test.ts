import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { askForReader } from '../../../bin/node/ask-for-reader.ts'

/** Both ends of a pipe. */
function pipe(): { reader: number; writer: number } {
  const folder = mkdtempSync(join(tmpdir(), 'memctl-pipe-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  return { reader, writer: openSync(path, constants.O_WRONLY | constants.O_NONBLOCK) }
}

test('a pipe has a reader until the reader goes, though nothing is written; no warning is said', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const { reader, writer } = pipe()
  const hasReader = askForReader(writer)
  expect([hasReader?.(), hasReader?.()]).toEqual([true, true])
  closeSync(reader)
  expect([hasReader?.(), hasReader?.()]).toEqual([false, false])
  closeSync(writer)
  await new Promise((resolve) => setImmediate(resolve))
  expect(warnings).toEqual([])
})

test('a pipe that is full has a reader, and what is in it stays', () => {
  const { reader, writer } = pipe()
  expect(() => {
    for (;;) writeSync(writer, Buffer.alloc(4096, 'x'))
  }).toThrow('EAGAIN')
  expect(askForReader(writer)?.()).toBe(true)
  expect(readSync(reader, Buffer.alloc(4096))).toBe(4096)
  closeSync(reader)
  closeSync(writer)
})

test('of what is no pipe nothing is known', () => {
  const file = openSync('/dev/null', 'w')
  expect(askForReader(file)).toBeUndefined()
  closeSync(file)
})

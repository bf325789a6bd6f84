import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nodeFiles } from '../../../bin/node/node-files.ts'
import { nodeIds } from '../../../bin/node/node-ids.ts'
import { createMirror } from '../../../server/recall/collections/mirror.ts'
import type { Files } from '../../../src/ports.ts'

/** The limit between memory and file. */
const MIB = 1024 * 1024

function mirrorBench(files: Files = nodeFiles) {
  const folder = mkdtempSync(join(tmpdir(), 'memctl-mirror-'))
  const mirror = createMirror({ files, ids: nodeIds, folder }, MIB)
  onTestFinished(() => {
    mirror.close()
    rmSync(folder, { recursive: true })
  })
  const read = (offset: number, length: number): Buffer => {
    const into = Buffer.alloc(length, '?')
    return into.subarray(0, mirror.read(into, offset))
  }
  return { mirror, folder, read }
}

test.each([
  ['in memory', 10],
  ['in a file', MIB]
])('returns lines from where they were written, %s', (_where, length) => {
  const { mirror, read } = mirrorBench()
  const lines = ['a', 'b', 'c'].map((letter) => Buffer.alloc(length, letter))
  const offsets = lines.map((line) => mirror.append(line))
  expect(offsets).toEqual([0, length, 2 * length])
  for (const [i, line] of lines.entries()) expect(read(i * length, length).equals(line)).toBe(true)
  expect(read(3 * length - 1, 5).toString()).toBe('c')
})

test.each([10, MIB])('wipes only the %i bytes of a removed line', (length) => {
  const { mirror, read } = mirrorBench()
  for (const letter of ['a', 'b', 'c']) mirror.append(Buffer.alloc(length, letter))
  mirror.wipe({ offset: length, length })
  expect(read(length - 1, length + 2).equals(Buffer.from(`a${'\0'.repeat(length)}c`))).toBe(true)
  expect(mirror.wasted).toBe(length)
})

test('unlinks the file once it is open, and loses nothing when writes are partial', () => {
  const slow: Files = { ...nodeFiles, write: (fd, bytes, at) => nodeFiles.write(fd, bytes.subarray(0, 100_000), at) }
  const { mirror, folder, read } = mirrorBench(slow)
  mirror.append(Buffer.alloc(3 * MIB, 'a'))
  expect(readdirSync(folder)).toEqual([])
  expect(read(3 * MIB - 3, 3).toString()).toBe('aaa')
})

test('reports a full disk, and keeps what was written', () => {
  let isFull = false
  const full = (): never => {
    throw Object.assign(new Error('no space or no inodes left'), { code: 'ENOSPC' })
  }
  const { mirror, read } = mirrorBench({
    ...nodeFiles,
    write: (...given) => (isFull ? full() : nodeFiles.write(...given))
  })
  mirror.append(Buffer.alloc(2 * MIB, 'a'))
  isFull = true
  expect(() => mirror.append(Buffer.from('b'))).toThrow(
    expect.objectContaining({ code: 'unavailable', retryAfter: 30 })
  )
  isFull = false
  expect(mirror.append(Buffer.from('c'))).toBe(2 * MIB)
  expect(read(2 * MIB - 1, 2).toString()).toBe('ac')
})

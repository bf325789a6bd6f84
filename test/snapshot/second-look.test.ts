import { linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeFiles } from '../../bin/node/node-files.ts'
import { openSource, type Source } from '../../src/snapshot/file/source.ts'
import { readSnapshot } from '../../src/snapshot/read-snapshot.ts'
import { file, memoryLine, thrown } from './builders.ts'
import { temporaryFolder } from './temporary-folder.ts'

const one = memoryLine({ text: 'one' })
const two = memoryLine({ text: 'two' })
const three = memoryLine({ text: 'three' })

function fileOf(bytes: Buffer): string {
  const path = join(temporaryFolder(), 'notes.mem.jsonl')
  writeFileSync(path, bytes)
  return path
}

/** Opens a file with an unfinished line, which is truncated and overwritten before its bytes are read. */
function torn(path: string, tail: string, after: Buffer): Source {
  const start = file(one).length
  const source = openSource(nodeFiles, path)
  const half = Math.floor(tail.length / 2)
  return {
    ...source,
    read(into, at) {
      const got = source.read(into, at)
      const garbage = Buffer.from(tail.slice(0, half))
      if (at === 0) {
        truncateSync(path, start)
        writeFileSync(path, after)
        source.read(into, at)
        garbage.copy(into, start)
      }
      return got
    }
  }
}

test('reports no damage for a tail that was truncated and overwritten while it was read', () => {
  const tail = 'x'.repeat(two.length + 1)
  const path = fileOf(Buffer.concat([file(one), Buffer.from(tail)]))
  const seen: number[] = []
  const source = torn(path, tail, file(one, two))
  const { damaged } = readSnapshot(source, ({ offset }) => void seen.push(offset))
  expect(damaged).toEqual([])
  expect(seen).toEqual([file().length, file(one).length])
  source.close()
})

test('reads all lines that have replaced a tail in the meantime', () => {
  const tail = 'x'.repeat(two.length + three.length + 2)
  const path = fileOf(Buffer.concat([file(one), Buffer.from(tail)]))
  const seen: number[] = []
  const half = Buffer.from(tail.slice(0, two.length + 20))
  const source = torn(path, half.toString().repeat(2), file(one, two, three))
  const { damaged } = readSnapshot(source, ({ offset }) => void seen.push(offset))
  expect(damaged).toEqual([])
  expect(seen).toEqual([file().length, file(one).length, file(one, two).length])
  source.close()
})

test('rereads damage once in a file without writers', () => {
  const source = openSource(nodeFiles, fileOf(file(one, 'damaged', two)))
  expect(readSnapshot(source, () => undefined).damaged).toMatchObject([{ line: 3 }])
  source.close()
})

test('reads a growing file up to its initial size', () => {
  const path = fileOf(file(one))
  const source = openSource(nodeFiles, path)
  writeFileSync(path, file(one, two))
  expect(readSnapshot(source, () => undefined)).toMatchObject({ lines: 2, end: file(one).length })
  source.close()
})

test('opens a path through symlinks, but only to a regular file with one name', () => {
  const path = fileOf(file(one))
  const folder = join(path, '..')
  const at = (name: string): string => join(folder, name)
  symlinkSync('notes.mem.jsonl', at('link'))
  const source = openSource(nodeFiles, at('link'))
  expect(source.path).toBe(path)
  source.close()
  mkdirSync(at('folder'))
  symlinkSync('nowhere', at('dangling'))
  expect(thrown(() => openSource(nodeFiles, at('folder')))).toMatchObject({ code: 'not_a_snapshot' })
  expect(thrown(() => openSource(nodeFiles, at('dangling')))).toMatchObject({ code: 'not_a_snapshot' })
  expect(thrown(() => openSource(nodeFiles, at('missing')))).toMatchObject({ code: 'snapshot_missing' })
  linkSync(path, at('second'))
  expect(thrown(() => openSource(nodeFiles, path))).toMatchObject({ message: expect.stringContaining('2 hard links') })
})

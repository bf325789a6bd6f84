import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeFiles } from '../../bin/node/node-files.ts'
import type { Files } from '../../src/ports.ts'
import { appendLines } from '../../src/snapshot/append-lines.ts'
import { LINE_BYTES_MAX } from '../../src/snapshot/file/limits.ts'
import { verifySnapshot } from '../../src/snapshot/verify-snapshot.ts'
import { file, header, memoryLine, sourceOf, thrown, united } from './builders.ts'
import { temporaryFolder } from './temporary-folder.ts'

const one = memoryLine({ text: 'one' })
const two = memoryLine({ text: 'two: Zoë 👋' })
const three = memoryLine({ text: 'three' })

test('lines are appended after what is there', () => {
  const path = snapshotOf(file(one))
  append(path, two, three)
  expect(readFileSync(path).equals(file(one, two, three))).toBe(true)
  expect(filesBeside(path)).toEqual([])
})

test('wherever a write was cut off, all that was acknowledged is there afterwards, and what was cut is put aside', () => {
  const whole = file(one, two)
  const lastStart = file(one).length
  for (let cut = lastStart; cut <= whole.length; cut += process.env.SLOW ? 1 : 5) {
    const path = snapshotOf(whole.subarray(0, cut))
    append(path, three)
    const kept = cut >= whole.length - 1 ? [one, two, three] : [one, three]
    expect(readFileSync(path).equals(file(...kept))).toBe(true)
    const aside = whole.subarray(lastStart, cut).toString('latin1')
    if (kept.length === 2 && aside !== '') expect(readFileSync(`${path}.aside`, 'latin1')).toBe(`${aside}\n`)
    else expect(filesBeside(path)).toEqual([])
  }
})

test('a tail of any bytes goes aside as it is, after what went there before', () => {
  const path = snapshotOf(Buffer.concat([file(one), Buffer.alloc(100_000, 'x')]))
  append(path, two)
  writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from([0, 255, 13])]))
  expect(append(path, three)).toEqual({ asideBytes: 3 })
  expect(readFileSync(path).equals(file(one, two, three))).toBe(true)
  const aside = Buffer.concat([Buffer.alloc(100_000, 'x'), Buffer.from([10, 0, 255, 13, 10])])
  expect(readFileSync(`${path}.aside`).equals(aside)).toBe(true)
})

test.each([
  ['as it is', ''],
  ['after a byte order mark', '\ufeff'],
  ['after blank lines', '\n\r\n']
])('a file of a header without its LF, %s, takes its first line', (_, before) => {
  const path = snapshotOf(`${before}${header()}`)
  append(path, one)
  expect(readFileSync(path, 'utf8')).toBe(`${before}${header()}\n${one}\n`)
  expect(united([readFileSync(path)]).equals(united([file(one)]))).toBe(true)
})

test('a header as tail is kept only when it is sound by itself', () => {
  const sound = snapshotOf(`${header()}\n${header({ more: 1 })}`)
  append(sound, one)
  expect(verifySnapshot(sourceOf(readFileSync(sound))).reading.headers).toHaveLength(2)
  const unsound = snapshotOf(`${header()}\n${header({ id: 'snp_1' })}`)
  append(unsound, one)
  expect(readFileSync(unsound).equals(file(one))).toBe(true)
})

test('a sound line without its LF that is one byte too long with it is no record, for readers and writers alike', () => {
  const fill = LINE_BYTES_MAX - Buffer.byteLength(memoryLine({ text: '' }))
  const bytes = Buffer.concat([file(one), Buffer.from(memoryLine({ text: 'x'.repeat(fill) }))])
  expect(verifySnapshot(sourceOf(bytes)).reading.tail).toMatchObject({ bytes: LINE_BYTES_MAX, sound: false })
  const path = snapshotOf(bytes)
  expect(append(path, two)).toEqual({ asideBytes: LINE_BYTES_MAX })
})

test('damage before the end is left alone, and does not stand in the way', () => {
  const path = snapshotOf(file('damaged'))
  append(path, one)
  expect(readFileSync(path).equals(file('damaged', one))).toBe(true)
})

test.each([
  ['an empty file', ''],
  ['a first line that is no header', `${one}\n`],
  ['another version', `${header({ version: 2 })}\n`]
])('%s is refused and left as it is', (_, text) => {
  const path = snapshotOf(text)
  expect(thrown(() => append(path, one))).toMatchObject({ exitCode: 10 })
  expect(readFileSync(path, 'utf8')).toBe(text)
  expect(filesBeside(path)).toEqual([])
})

test('records are put into a file in the object form, and all else in it stays as it was', () => {
  const objects = [united([file(one)], { form: 'json' }), united([file()], { form: 'json' })]
  const pretty = JSON.stringify(JSON.parse(String(objects[0])), undefined, 2)
  const spaced = `\ufeff{"records" : [ ] ,${header().slice(1)}`
  for (const object of [...objects, pretty, spaced]) {
    const path = snapshotOf(object)
    append(path, two, three)
    const bytes = readFileSync(path)
    expect(united([bytes]).equals(united([object, file(two, three)]))).toBe(true)
    expect(verifySnapshot(sourceOf(bytes)).reading).toMatchObject({ form: 'json', damaged: [] })
    expect(filesBeside(path)).toEqual([])
  }
})

test('a write that fails on the way, or at the sync, is cut back', () => {
  for (const broken of [{ write: writeHalf() }, { syncData: fail }]) {
    const path = snapshotOf(file(one))
    const files: Files = { ...nodeFiles, ...broken }
    expect(thrown(() => appendLines(files, path, { lines: Buffer.from(`${two}\n`) }))).toMatchObject({ code: 'EIO' })
    expect(readFileSync(path).equals(file(one))).toBe(true)
  }
})

test('short writes are gone on with', () => {
  const path = snapshotOf(file(one))
  const files: Files = { ...nodeFiles, write: (fd, bytes, at) => nodeFiles.write(fd, bytes.subarray(0, 3), at) }
  appendLines(files, path, { lines: Buffer.from(`${two}\n`) })
  expect(readFileSync(path).equals(file(one, two))).toBe(true)
})

test('a file that is replaced while it is appended to gets the line too', () => {
  const path = snapshotOf(file(one))
  let replaced = 0
  const files: Files = {
    ...nodeFiles,
    syncData(fd) {
      nodeFiles.syncData(fd)
      if (replaced++ > 0) return
      writeFileSync(`${path}.other`, file(three))
      renameSync(`${path}.other`, path)
    }
  }
  appendLines(files, path, { lines: Buffer.from(`${two}\n`) })
  expect(readFileSync(path).equals(file(three, two))).toBe(true)
})

test('a file that is replaced again and again is given up', () => {
  const path = snapshotOf(file(one))
  const files: Files = {
    ...nodeFiles,
    syncData() {
      writeFileSync(`${path}.other`, file(three))
      renameSync(`${path}.other`, path)
    }
  }
  expect(thrown(() => appendLines(files, path, { lines: Buffer.from(`${two}\n`) }))).toMatchObject({ code: 'locked' })
})

test('a witness sees the file before and after, and nothing when the append fails', () => {
  const path = snapshotOf(file(one))
  const sizes: number[] = []
  const witness = {
    before: (facts: { size: number }) => void sizes.push(facts.size),
    after: (facts: { size: number }) => void sizes.push(facts.size)
  }
  appendLines(nodeFiles, path, { lines: Buffer.from(`${two}\n`), witness })
  expect(sizes).toEqual([file(one).length, file(one, two).length])
  thrown(() => appendLines({ ...nodeFiles, syncData: fail }, path, { lines: Buffer.from(`${two}\n`), witness }))
  expect(sizes).toHaveLength(3)
})

function snapshotOf(bytes: Buffer | string): string {
  const path = join(temporaryFolder(), 'notes.mem.jsonl')
  writeFileSync(path, bytes)
  return path
}

function append(path: string, ...lines: string[]): { asideBytes: number } {
  return appendLines(nodeFiles, path, { lines: Buffer.from(lines.map((line) => `${line}\n`).join('')) })
}

function filesBeside(path: string): string[] {
  return readdirSync(join(path, '..')).filter((name) => name !== 'notes.mem.jsonl')
}

function fail(): never {
  throw Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'fdatasync' })
}

/** Writes the first half, and fails at the second. */
function writeHalf(): Files['write'] {
  let calls = 0
  return (fd, bytes, at) => (calls++ > 0 ? fail() : nodeFiles.write(fd, bytes.subarray(0, bytes.length / 2), at))
}

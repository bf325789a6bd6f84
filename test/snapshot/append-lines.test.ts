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

test('appends lines to the existing ones', () => {
  const path = snapshotOf(file(one))
  append(path, two, three)
  expect(readFileSync(path).equals(file(one, two, three))).toBe(true)
  expect(filesBeside(path)).toEqual([])
})

test('keeps all acknowledged lines and moves an interrupted write aside, wherever it was cut off', () => {
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

test('appends a tail of any bytes unchanged to the aside file', () => {
  const path = snapshotOf(Buffer.concat([file(one), Buffer.alloc(100_000, 'x')]))
  append(path, two)
  writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from([0, 255, 13])]))
  expect(append(path, three)).toEqual({ asideBytes: 3 })
  expect(readFileSync(path).equals(file(one, two, three))).toBe(true)
  const aside = Buffer.concat([Buffer.alloc(100_000, 'x'), Buffer.from([10, 0, 255, 13, 10])])
  expect(readFileSync(`${path}.aside`).equals(aside)).toBe(true)
})

test.each([
  ['alone', ''],
  ['after a byte order mark', '\ufeff'],
  ['after blank lines', '\n\r\n']
])('appends the first line to a file with a header without LF: %s', (_, before) => {
  const path = snapshotOf(`${before}${header()}`)
  append(path, one)
  expect(readFileSync(path, 'utf8')).toBe(`${before}${header()}\n${one}\n`)
  expect(united([readFileSync(path)]).equals(united([file(one)]))).toBe(true)
})

test('keeps a header as the tail only if it is valid by itself', () => {
  const sound = snapshotOf(`${header()}\n${header({ more: 1 })}`)
  append(sound, one)
  expect(verifySnapshot(sourceOf(readFileSync(sound))).reading.headers).toHaveLength(2)
  const unsound = snapshotOf(`${header()}\n${header({ id: 'snp_1' })}`)
  append(unsound, one)
  expect(readFileSync(unsound).equals(file(one))).toBe(true)
})

test('rejects a valid tail that would be one byte too long with its LF, in readers and writers alike', () => {
  const fill = LINE_BYTES_MAX - Buffer.byteLength(memoryLine({ text: '' }))
  const bytes = Buffer.concat([file(one), Buffer.from(memoryLine({ text: 'x'.repeat(fill) }))])
  expect(verifySnapshot(sourceOf(bytes)).reading.tail).toMatchObject({ bytes: LINE_BYTES_MAX, sound: false })
  const path = snapshotOf(bytes)
  expect(append(path, two)).toEqual({ asideBytes: LINE_BYTES_MAX })
})

test('ignores damage before the end when it appends', () => {
  const path = snapshotOf(file('damaged'))
  append(path, one)
  expect(readFileSync(path).equals(file('damaged', one))).toBe(true)
})

test.each([
  ['an empty file', ''],
  ['a file whose first line is not a header', `${one}\n`],
  ['a file of another version', `${header({ version: 2 })}\n`]
])('refuses %s and leaves it unchanged', (_, text) => {
  const path = snapshotOf(text)
  expect(thrown(() => append(path, one))).toMatchObject({ exitCode: 10 })
  expect(readFileSync(path, 'utf8')).toBe(text)
  expect(filesBeside(path)).toEqual([])
})

test('inserts records into a file in object form, and leaves all other bytes unchanged', () => {
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

test('truncates the file after a failed write or sync', () => {
  for (const broken of [{ write: writeHalf() }, { syncData: fail }]) {
    const path = snapshotOf(file(one))
    const files: Files = { ...nodeFiles, ...broken }
    expect(thrown(() => appendLines(files, path, { lines: Buffer.from(`${two}\n`) }))).toMatchObject({ code: 'EIO' })
    expect(readFileSync(path).equals(file(one))).toBe(true)
  }
})

test('continues after short writes', () => {
  const path = snapshotOf(file(one))
  const files: Files = { ...nodeFiles, write: (fd, bytes, at) => nodeFiles.write(fd, bytes.subarray(0, 3), at) }
  appendLines(files, path, { lines: Buffer.from(`${two}\n`) })
  expect(readFileSync(path).equals(file(one, two))).toBe(true)
})

test('appends the line again if the file is replaced in the meantime', () => {
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

test('gives up if the file is replaced repeatedly', () => {
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

test('passes the facts before and after an append to a witness, and nothing after a failure', () => {
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

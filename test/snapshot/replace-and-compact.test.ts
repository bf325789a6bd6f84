import { chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeFiles } from '../../bin/node/node-files.ts'
import type { Files } from '../../src/ports.ts'
import { type Compacted, type CompactRequest, compactSnapshot } from '../../src/snapshot/compact-snapshot.ts'
import { replaceFile } from '../../src/snapshot/file/replace-file.ts'
import { file, forgetLine, header, headerOver, memory, memoryLine, thrown, united } from './builders.ts'
import { temporaryFolder } from './temporary-folder.ts'

const one = memoryLine({ text: 'one' })
const two = memoryLine({ text: 'two' })

test('replaces a file as a whole, with its mode, despite a leftover', () => {
  const path = fileOf('old')
  chmodSync(path, 0o640)
  writeFileSync(`${path}.new`, 'left over by one that was killed')
  const size = replaceFile(nodeFiles, { path, mode: 0o640 }, (sink) => {
    sink.write('new')
    sink.write(Buffer.alloc(3_000_000, 'x'))
    return sink.written
  })
  expect(size).toBe(3_000_003)
  expect(readFileSync(path, 'latin1')).toBe(`new${'x'.repeat(3_000_000)}`)
  expect(statSync(path).mode & 0o777).toBe(0o640)
  expect(namesBeside(path)).toEqual(['notes.mem.jsonl'])
})

test('removes a leftover link without touching its target', () => {
  const path = fileOf('old')
  writeFileSync(join(path, '..', 'precious'), 'precious')
  symlinkSync('precious', `${path}.new`)
  replaceFile(nodeFiles, { path }, (sink) => sink.write('new'))
  expect(readFileSync(path, 'utf8')).toBe('new')
  expect(readFileSync(join(path, '..', 'precious'), 'utf8')).toBe('precious')
})

test('treats a backslash as part of a name on systems that separate folders by slashes', ({ skip }) => {
  skip(process.platform === 'win32', 'a backslash parts folders here')
  const path = join(fileOf('old'), '..', 'a\\b.mem.jsonl')
  replaceFile(nodeFiles, { path }, (sink) => sink.write('new'))
  expect(readFileSync(path, 'utf8')).toBe('new')
})

test.each<[string, Partial<Files>]>([
  ['a write', { write: fail }],
  ['the sync', { sync: fail }],
  ['the rename', { rename: fail }]
])('leaves the old file and no leftover when %s fails', (_, broken) => {
  const path = fileOf('old')
  expect(thrown(() => replaceFile({ ...nodeFiles, ...broken }, { path }, (sink) => sink.write('new')))).toMatchObject({
    code: 'EIO'
  })
  expect(readFileSync(path, 'utf8')).toBe('old')
  expect(namesBeside(path)).toEqual(['notes.mem.jsonl'])
})

test('compacts to canonical form, and reports what was removed', async () => {
  const path = fileOf(file(two, one, two, forgetLine({ text: 'two' })))
  expect(await compact(path)).toMatchObject({ memories: 1, forgotten: 1, dropped: 2, asideLines: 0, asideBytes: 0 })
  expect(readFileSync(path).equals(united([file(one, two, forgetLine({ text: 'two' }))]))).toBe(true)
  const bytes = readFileSync(path)
  expect(await compact(path)).toMatchObject({ bytesBefore: bytes.length, bytesAfter: bytes.length, dropped: 0 })
  expect(readFileSync(path).equals(bytes)).toBe(true)
})

test('refuses to compact a damaged or incomplete file, and leaves it unchanged', async () => {
  for (const bytes of [file(one, 'damaged'), Buffer.from(`${headerOver([memory({ text: 'one' }).id as string])}\n`)]) {
    const path = fileOf(bytes)
    await expect(compact(path)).rejects.toMatchObject({ code: 'invalid_snapshot' })
    expect(readFileSync(path).equals(bytes)).toBe(true)
    expect(namesBeside(path)).toEqual(['notes.mem.jsonl'])
  }
})

test('moves damaged lines and an unfinished one aside byte for byte, and compacts the rest on request', async () => {
  const path = fileOf(Buffer.concat([file(one, Buffer.from([0xff, 0x00]), two, 'damaged'), Buffer.from('{"unfini')]))
  expect(await compact(path, { skipDamaged: true })).toMatchObject({ memories: 2, asideLines: 2, asideBytes: 17 })
  expect(readFileSync(`${path}.aside`, 'latin1')).toBe('\u00ff\u0000\ndamaged\n{"unfini\n')
  expect(readFileSync(path).equals(united([file(one, two)]))).toBe(true)
})

test('moves damaged records of the object form aside as a whole', async () => {
  const object = united([file(one, two)], { form: 'json' })
    .toString()
    .replace('"two"', '"too"')
  const path = fileOf(object)
  await compact(path, { skipDamaged: true })
  expect(readFileSync(`${path}.aside`, 'utf8')).toBe(`${two.replace('"two"', '"too"')}\n`)
  expect(readFileSync(path).equals(united([file(one)], { form: 'json' }))).toBe(true)
})

test('creates a header on request if it is damaged, unless no line is valid', async () => {
  const damaged = fileOf(`${header().replace('snp_0', 'snp_1')}\n${one}\n`)
  await compact(damaged, { skipDamaged: true })
  expect(JSON.parse(readFileSync(damaged, 'utf8').split('\n')[0] ?? '')).toMatchObject({
    id: `snp_${'ab'.repeat(16)}`,
    count: 1
  })
  const other = fileOf('Dear diary,\nit rained.\n')
  await expect(compact(other, { skipDamaged: true })).rejects.toMatchObject({ code: 'not_a_snapshot' })
  expect(existsSync(`${other}.aside`)).toBe(false)
})

test('drops forget lines with the memories they hide, and counts the rest in the header', async () => {
  const path = fileOf(file(one, two, forgetLine({ text: 'two' })))
  await compact(path, { dropForgets: true })
  expect(readFileSync(path).equals(united([file(one)]))).toBe(true)
})

test('keeps the place of recreated records, and rewrites only changed ones', async () => {
  const path = fileOf(file(one, two))
  const remake: CompactRequest['remake'] = (record) => (record.text === 'one' ? { ...record, extractor: 7 } : undefined)
  expect(await compact(path, { remake })).toMatchObject({ remade: 1 })
  expect(readFileSync(path).equals(united([file(memoryLine({ text: 'one', extractor: 7 }), two)]))).toBe(true)
})

test('keeps the form unless another is requested', async () => {
  const path = fileOf(file(one))
  await compact(path, { form: 'json' })
  await compact(path)
  expect(readFileSync(path).equals(united([file(one)], { form: 'json' }))).toBe(true)
  await compact(path, { form: 'jsonl' })
  expect(readFileSync(path).equals(united([file(one)]))).toBe(true)
})

function fileOf(bytes: Buffer | string): string {
  const path = join(temporaryFolder(), 'notes.mem.jsonl')
  writeFileSync(path, bytes)
  return path
}

function compact(path: string, request: CompactRequest = {}): Promise<Compacted> {
  const clock = { now: () => 0, ticks: () => 0, wait: async () => undefined }
  return compactSnapshot({ files: nodeFiles, clock, ids: { randomHex: (bytes) => 'ab'.repeat(bytes) } }, path, request)
}

function namesBeside(path: string): string[] {
  return readdirSync(join(path, '..'))
}

function fail(): never {
  throw Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'write' })
}

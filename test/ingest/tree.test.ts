import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type FileTree, readWhole } from '../../src/ingest/port/file-tree.ts'
import { compileGlob } from '../../src/ingest/tree/compile-glob.ts'
import { openTree } from '../../src/ingest/tree/open-tree.ts'
import { faultOf, temporaryFolder } from '../device/device-kit.ts'
import { archiveOf, folderOf, ingestWorld, zipBytes } from './ingest-kit.ts'

const open = (path: string): Promise<FileTree> => openTree(ingestWorld(), { path })

/** Returns the content of every file, by path. */
async function contents(tree: FileTree): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const file of tree.files) found[file.path] = Buffer.from(await readWhole(file, 1 << 20)).toString()
  tree.close()
  return found
}

/** Writes bytes to a new file, and returns its path. */
function fileOf(bytes: Uint8Array, name: string): string {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, bytes)
  return path
}

const FILES = { 'a.md': 'one', 'b/c.md': 'two', 'b/d.md': 'x'.repeat(100_000) }

/** Packs files into a tar archive (POSIX ustar). */
function tarBytes(files: Record<string, string>, type = '0'): Buffer {
  const blocks = Object.entries(files).flatMap(([path, content]) => {
    const header = Buffer.alloc(512)
    header.write(path, 0)
    header.write('0000644\0', 100)
    header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
    header.write('00000000000\0', 136)
    header.write('        ', 148)
    header.write(type, 156)
    header.write('ustar\x0000', 257)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    const body = Buffer.alloc(Math.ceil(content.length / 512) * 512)
    body.write(content)
    return [header, body]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

test('reads a folder, a ZIP archive, a tar archive and a gzip tar archive alike', async () => {
  const tar = tarBytes(FILES)
  expect(await contents(await open(folderOf(FILES)))).toEqual(FILES)
  expect(await contents(await open(archiveOf(Object.entries(FILES))))).toEqual(FILES)
  expect(await contents(await open(fileOf(tar, 'input.tar')))).toEqual(FILES)
  expect(await contents(await open(fileOf(gzipSync(tar), 'input.tar.gz')))).toEqual(FILES)
})

test('reads archives inside an archive, compressed or stored', async () => {
  const inner = zipBytes([['c.md', 'two']])
  const tree = await open(
    archiveOf([
      ['Part-1.zip', inner],
      ['a.md', 'one']
    ])
  )
  expect(await contents(tree)).toEqual({ 'a.md': 'one', 'Part-1.zip/c.md': 'two' })
})

test('leaves out archives below the third level', async () => {
  const levels = [1, 2, 3].reduce<Uint8Array>(
    (bytes, level) => zipBytes([[`${level}.zip`, bytes]]),
    zipBytes([['a', '']])
  )
  const tree = await open(fileOf(levels, 'deep.zip'))
  expect(tree.losses).toEqual([expect.objectContaining({ reason: 'archive' })])
  tree.close()
})

test('takes the only folder of an archive as its root, and strips the date from the name of an export', async () => {
  const tree = await open(
    archiveOf(
      [
        ['notes/a.md', 'one'],
        ['notes/b.md', 'two']
      ],
      'export'
    )
  )
  expect({ name: tree.name, paths: tree.files.map(({ path }) => path) }).toEqual({
    name: 'notes',
    paths: ['a.md', 'b.md']
  })
  tree.close()
  const dated = await open(
    archiveOf(
      [
        ['a.md', 'one'],
        ['b.md', 'two']
      ],
      'notes-2026-01-02'
    )
  )
  expect(dated.name).toBe('notes')
  dated.close()
})

test('leaves no temporary file behind', async () => {
  const world = ingestWorld()
  const tree = await openTree(world, { path: fileOf(gzipSync(tarBytes(FILES)), 'input.tgz') })
  expect(readdirSync(world.folders.temporary)).toHaveLength(1)
  tree.close()
  expect(readdirSync(world.folders.temporary)).toEqual([])
})

test('does not follow links, and reports only those that lead out of the folder', async () => {
  const folder = folderOf({ 'a.md': 'one' })
  mkdirSync(join(folder, 'sub'))
  symlinkSync('..', join(folder, 'sub/loop'))
  symlinkSync('/etc', join(folder, 'etc'))
  const tree = await open(folder)
  expect(tree.files.map(({ path }) => path)).toEqual(['a.md'])
  expect(tree.losses).toEqual([{ path: 'etc', kind: 'file', reason: 'link' }])
})

test('leaves out hidden folders, but not those of a Maildir', async () => {
  const tree = await open(
    folderOf({ '.obsidian/app.json': '{}', '.Sent/cur/1': 'From: a', '.git/HEAD': 'x', 'a.md': 'one' })
  )
  expect(tree.files.map(({ path }) => path)).toEqual(['.Sent/cur/1', 'a.md'])
  expect(tree.losses.map(({ path }) => path)).toEqual(['.git', '.obsidian'])
})

test('reports a file that may not be read', async ({ skip }) => {
  if (process.getuid?.() === 0) skip('root may read every file')
  const folder = folderOf({ 'a.md': 'one' })
  chmodSync(join(folder, 'a.md'), 0)
  const [file] = (await open(folder)).files
  expect(file && (await faultOf(() => readWhole(file, 10)))).toMatchObject({ name: 'TreeError', reason: 'unreadable' })
})

test('never uses a path from an archive: unsafe ones are left out', async () => {
  const path = archiveOf([
    ['../evil.md', 'x'],
    ['/etc/x.md', 'x'],
    ['c:\\x.md', 'x'],
    ['ok.md', 'fine']
  ])
  const tree = await open(path)
  expect(tree.files.map((file) => file.path)).toEqual(['ok.md'])
  expect(tree.losses.map(({ reason }) => reason)).toEqual(['unsafe_path', 'unsafe_path', 'unsafe_path'])
  expect(existsSync(join(path, '../../evil.md'))).toBe(false)
  tree.close()
})

/** Builds a ZIP archive with one member whose directory states any size. */
function forgedZip(size: number, content: Buffer, flags = 0): Buffer {
  const packed = deflateRawSync(content)
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(1, 26)
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(flags, 8)
  entry.writeUInt16LE(8, 10)
  entry.writeUInt32LE(packed.length, 20)
  entry.writeUInt32LE(size, 24)
  entry.writeUInt16LE(1, 28)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(47, 12)
  end.writeUInt32LE(31 + packed.length, 16)
  return Buffer.concat([local, Buffer.from('a'), packed, entry, Buffer.from('a'), end])
}

test('refuses an archive that unpacks to more than 200 times its size', async () => {
  const path = fileOf(forgedZip(300 * 2 ** 20, Buffer.from('x')), 'bomb.zip')
  expect(await faultOf(() => open(path))).toMatchObject({ code: 'too_large' })
  const gzip = fileOf(gzipSync(Buffer.alloc(150 * 2 ** 20)), 'bomb.tar.gz')
  expect(await faultOf(() => open(gzip))).toMatchObject({ code: 'too_large' })
})

test('stops to unpack a member that is longer than the archive declares', async () => {
  const tree = await open(fileOf(forgedZip(10, Buffer.alloc(100_000, 'x')), 'liar.zip'))
  const [file] = tree.files
  expect(file && (await faultOf(() => readWhole(file, 1000)))).toMatchObject({ reason: 'damaged' })
  tree.close()
})

test('reports an encrypted member', async () => {
  const tree = await open(fileOf(forgedZip(1, Buffer.from('x'), 1), 'secret.zip'))
  const [file] = tree.files
  expect(file && (await faultOf(() => readWhole(file, 1000)))).toMatchObject({ reason: 'encrypted' })
  tree.close()
})

test('refuses archives that are cut off, at any place', async () => {
  const zip = zipBytes(Object.entries(FILES))
  const tar = tarBytes(FILES)
  for (let at = 4; at < zip.length; at += 37) {
    const error = await faultOf(() => open(fileOf(zip.subarray(0, at), 'cut.zip')))
    expect(error).toMatchObject({ code: 'invalid_input' })
  }
  expect(await faultOf(() => open(fileOf(tar.subarray(0, 3000), 'cut.tar')))).toMatchObject({ code: 'invalid_input' })
  const gzip = gzipSync(tar)
  expect(await faultOf(() => open(fileOf(gzip.subarray(0, 100), 'cut.tgz')))).toMatchObject({ code: 'invalid_input' })
})

test('leaves out the links and devices of a tar archive', async () => {
  const tree = await open(fileOf(tarBytes({ 'a.md': '' }, '2'), 'links.tar'))
  expect(tree).toMatchObject({ files: [], losses: [{ path: 'a.md', reason: 'link' }] })
  tree.close()
})

test('reads a document that is a ZIP archive as one file', async () => {
  const tree = await open(archiveOf([['word/document.xml', '<x/>']], 'letter'))
  tree.close()
  const path = fileOf(zipBytes([['word/document.xml', '<x/>']]), 'letter.docx')
  expect((await open(path)).files.map((file) => file.path)).toEqual(['letter.docx'])
})

test('gives a fault for a path that does not exist', async () => {
  expect(await faultOf(() => open('/nonexistent/x'))).toMatchObject({ code: 'not_found' })
})

test.each([
  ['*.md', 'a/b/c.md', true],
  ['*.md', 'a/b/c.txt', false],
  ['work/**', 'work/a/b.md', true],
  ['work/**', 'other/work/b.md', false],
  ['work', 'work/a.md', true],
  ['**/x/*.md', 'a/b/x/c.md', true],
  ['a?.{md,txt}', 'b/ab.txt', true],
  ['a?.{md,txt}', 'b/abc.txt', false],
  ['a.b', 'axb', false]
])('matches the pattern %s with the path %s: %s', (pattern, path, matches) => {
  expect(compileGlob(pattern)(path)).toBe(matches)
})

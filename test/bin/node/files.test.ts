import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { nodeFiles } from '../../../bin/node/node-files.ts'

const scratch = mkdtempSync(join(tmpdir(), 'memctl-files-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

test('creates nested folders for their owner alone, and accepts existing ones', () => {
  const path = join(scratch, 'a', 'b', 'c')
  nodeFiles.makeFolders(path)
  nodeFiles.makeFolders(path)
  const modes = [path, join(scratch, 'a')].map((folder) => statSync(folder).mode & 0o777)
  expect(modes).toEqual([0o700, 0o700])
})

test('reports a file in place of a folder, and creates nothing', () => {
  const file = join(scratch, 'file')
  writeFileSync(file, '')
  expect(() => nodeFiles.makeFolders(file)).toThrow(/EEXIST/)
  expect(() => nodeFiles.makeFolders(join(file, 'below'))).toThrow(/ENOTDIR/)
})

test('refuses a folder that accepts no subfolders instead of looping', ({ skip }) => {
  skip(!existsSync('/proc/self'), 'there is no /proc here')
  expect(() => nodeFiles.makeFolders('/proc/x/y')).toThrow(/ENOENT/)
})

import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { nodeFiles } from '../../../bin/node/node-files.ts'

const scratch = mkdtempSync(join(tmpdir(), 'memctl-files-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

test('folders are made down to the last, for their owner alone; made again, nothing changes', () => {
  const path = join(scratch, 'a', 'b', 'c')
  nodeFiles.makeFolders(path)
  nodeFiles.makeFolders(path)
  const modes = [path, join(scratch, 'a')].map((folder) => statSync(folder).mode & 0o777)
  expect(modes).toEqual([0o700, 0o700])
})

test('a file in the way is said, and nothing is made', () => {
  const file = join(scratch, 'file')
  writeFileSync(file, '')
  expect(() => nodeFiles.makeFolders(file)).toThrow(/EEXIST/)
  expect(() => nodeFiles.makeFolders(join(file, 'below'))).toThrow(/ENOTDIR/)
})

test('a folder that takes no other folders refuses instead of going round for ever', ({ skip }) => {
  skip(!existsSync('/proc/self'), 'there is no /proc here')
  expect(() => nodeFiles.makeFolders('/proc/x/y')).toThrow(/ENOENT/)
})

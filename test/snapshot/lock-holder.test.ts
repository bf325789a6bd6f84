import { expect, test } from 'vitest'
import type { Self } from '../../src/ports.ts'
import { findLockHolder } from '../../src/snapshot/file/with-lock.ts'
import { memoryFiles } from '../cli/memory-files.ts'

const SELF: Self = {
  host: 'here',
  bootId: 'boot1',
  pidNamespace: '4026',
  pid: 1,
  startTime: '10',
  process: (pid) => ({ state: pid === 7 ? 'alive' : 'absent', startTime: '70' })
}

/** Returns the reported owner of a lock with this owner text. */
function heldBy(owner: string) {
  const files = memoryFiles()
  files.link(owner, '/a.mem.jsonl.lock')
  return findLockHolder({ files, self: SELF }, '/a.mem.jsonl')
}

test.each([
  ['a process that runs', 'here:boot1:4026:7:70:n', 'runs'],
  ['a process that ended', 'here:boot1:4026:8:70:n', 'gone'],
  ['a process whose pid was reused', 'here:boot1:4026:7:69:n', 'gone'],
  ['a process from before a restart', 'here:boot0:4026:7:70:n', 'gone'],
  ['a process in another container of the same name', 'here:boot1:4027:7:70:n', 'unknown'],
  ['a process on another machine', 'there:boot1:4026:7:70:n', 'unknown']
])('describes a lock of %s', (_who, owner, state) => {
  expect(heldBy(owner)).toEqual({ host: owner.split(':')[0], pid: owner.split(':')[3], state })
})

test('reports no owner for a missing lock or one that is being created', () => {
  expect(findLockHolder({ files: memoryFiles(), self: SELF }, '/a.mem.jsonl')).toBeUndefined()
  expect(heldBy('')).toBeUndefined()
})

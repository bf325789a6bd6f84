import os from 'node:os'
import { expect, test } from 'vitest'
import { leaveNothingForLater, nameNoMachine, runEveryTest } from './honest-text.ts'
import { projectRoot } from './project-files.ts'

test('finds unfinished work', () => {
  const text = `const a = 1\n// ${'TO' + 'DO'}: the rest`
  expect(leaveNothingForLater([{ path: 'src/cli/a.ts', text }])).toEqual(['src/cli/a.ts:2: left for later'])
})

test('finds a disabled or exclusive test, and accepts one that skips itself with a reason', () => {
  const text = [
    "test.only('a', run)",
    "describe.skip('b', run)",
    "test.skipIf(windows)('c', run)",
    "test('d', ({ skip }) => skip(windows, 'needs /proc'))"
  ]
  expect(runEveryTest([{ path: 'test/a.test.ts', text: text.join('\n') }])).toEqual([
    'test/a.test.ts:1: test.only',
    'test/a.test.ts:2: describe.skip',
    'test/a.test.ts:3: test.skipIf'
  ])
})

test('finds a path of this machine and the address of a registry, and accepts a similar part of a URL', () => {
  const text = [
    `const home = '${os.homedir()}/x'`,
    `const here = '${projectRoot}/src'`,
    `const url = 'https://example.org${projectRoot}'`,
    `"${'resolved'}": "https://${'registry'}.example.org/zod.tgz"`
  ]
  const found = nameNoMachine([{ path: 'a.md', text: text.join('\n') }])
  expect([...new Set(found)].sort()).toEqual([
    'a.md:1: a path of this machine',
    'a.md:2: a path of this machine',
    'a.md:4: the address of a package registry'
  ])
})

import os from 'node:os'
import { expect, test } from 'vitest'
import { leaveNothingForLater, nameNoMachine, runEveryTest } from './honest-text.ts'
import { codeFiles, projectFiles, projectRoot } from './project-files.ts'

test('nothing is left for later', () => {
  expect(leaveNothingForLater(codeFiles())).toEqual([])
})

test('every test runs, or says at run time why it cannot', () => {
  expect(runEveryTest(codeFiles())).toEqual([])
})

test('no file names this machine or a package registry', () => {
  expect(nameNoMachine(projectFiles())).toEqual([])
})

test('work that is left for later is found', () => {
  const text = `const a = 1\n// ${'TO' + 'DO'}: the rest`
  expect(leaveNothingForLater([{ path: 'src/cli/a.ts', text }])).toEqual(['src/cli/a.ts:2: left for later'])
})

test('a test that is switched off or runs alone is found, and one that skips itself with a reason is not', () => {
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

test('a path of this machine and an address of a registry are found, and a like-named part of a URL is not', () => {
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

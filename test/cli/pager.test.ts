import { expect, test } from 'vitest'
import { main } from '../../src/cli/program/main.ts'
import { fakeDevice, memory } from './fake-device.ts'
import { fakeWorld } from './fake-world.ts'
import { runCli } from './run-cli.ts'
import { testModules } from './test-modules.ts'

const INTERACTIVE = {
  terminals: ['input', 'output', 'errors'],
  rows: 10,
  environment: { PAGER: 'less -R "+/a b"' }
} as const

const RECORDS = Array.from({ length: 30 }, (_, n) => memory(n + 1, `memory ${n}`))

const LIST = ['device', 'list', '--snapshot', 'a.mem.jsonl']

test.each([
  [['--help']],
  [['device']],
  [['device', 'store', '--help']],
  [['help', 'environment']],
  [['help', 'formats']],
  [LIST]
])('shows %j in the pager if it is longer than the screen', async (words) => {
  const { stdout, paged, code } = await runCli(words, { ...INTERACTIVE, records: RECORDS })
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  expect(paged).toHaveLength(1)
  expect(paged[0]?.words).toEqual(['less', '-R', '+/a b'])
  const plain = await runCli([...words, '--no-pager'], { ...INTERACTIVE, records: RECORDS })
  expect(plain.paged).toEqual([])
  expect(plain.stdout).toBe(paged[0]?.text)
})

test.each([
  ['the output fits the screen', { rows: 500 }, []],
  ['PAGER is not set', { environment: {} }, []],
  ['PAGER is blank', { environment: { PAGER: ' ' } }, []],
  ['PAGER has an unclosed quote', { environment: { PAGER: 'less "' } }, []],
  ['stdout is not a terminal', { terminals: ['input', 'errors'] as const }, []],
  ['stdin is not a terminal', { terminals: ['output', 'errors'] as const }, []],
  ['CI is set', { environment: { PAGER: 'less', CI: 'true' } }, []],
  ['--no-input is given', {}, ['--no-input']],
  ['--no-pager is given', {}, ['--no-pager']],
  ['--json is given', {}, ['--json']]
])('writes a list directly if %s', async (_, wishes, flags) => {
  const { stdout, paged } = await runCli([...LIST, ...flags], { ...INTERACTIVE, ...wishes, records: RECORDS })
  expect(paged).toEqual([])
  expect(stdout).toContain('memory 29')
})

test.each([[['--help']], [LIST]])('writes %j directly if the pager is missing or fails', async (words) => {
  const wishes = { ...INTERACTIVE, records: RECORDS }
  const { stdout } = await runCli([...words, '--no-pager'], wishes)
  expect(await runCli(words, { ...wishes, page: async () => false })).toMatchObject({ code: 0, stdout })
})

test('never shows a search in the pager', async () => {
  const words = ['device', 'search', 'memory', '--snapshot', 'a.mem.jsonl']
  const { paged, code } = await runCli(words, { ...INTERACTIVE, rows: 2, records: RECORDS })
  expect({ code, paged }).toEqual({ code: 0, paged: [] })
})

test.each([[['--help']], [LIST]])('exits with 143 if SIGTERM ends %j in the pager', async (words) => {
  const world = fakeWorld({
    ...INTERACTIVE,
    page: async () => {
      world.interrupt('SIGTERM')
      return false
    }
  })
  world.files.put('/project/a.mem.jsonl', 'a snapshot\n')
  const { module } = fakeDevice({ records: RECORDS })
  expect(await main(words, world, testModules(module, {}))).toBe(143)
  expect(world.said.stdout).toBe('')
})

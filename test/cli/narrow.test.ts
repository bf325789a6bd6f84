import stringWidth from 'string-width'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHAT_ID, type SampleService, startSampleService } from './cases/sample-service.ts'
import { memory } from './fake-device.ts'
import { runCli } from './run-cli.ts'
import { CONNECTION_ID } from './scripted-service.ts'

let service: SampleService
beforeAll(async () => {
  service = await startSampleService({ name: (what) => `${what} of somebody with a long name`, rows: 3 })
})
afterAll(() => service.close())

/** Every command that prints a table. */
const TABLES = [
  ['providers'],
  ['connections', 'list'],
  ['connections', 'runs', CONNECTION_ID],
  ['connections', 'items', CONNECTION_ID],
  ['connections', 'folders', CONNECTION_ID],
  ['connections', 'channels', CONNECTION_ID],
  ['connections', 'sync', '--all'],
  ['connections', 'sync', '--all', '--wait'],
  ['connections', 'wait', '--for', 'active'],
  ['connections', 'pause', CONNECTION_ID, CHAT_ID],
  ['connections', 'disconnect', CONNECTION_ID, CHAT_ID, '--yes'],
  ['collections', 'list'],
  ['keys', 'list'],
  ['config', 'list'],
  ['config', 'list', '--show-origin'],
  ['device', 'list', '--snapshot', 'a.mem.jsonl'],
  ['help', 'environment'],
  ['help', 'exit-codes']
] as const

/** Returns the output of a command on a terminal of this many columns. */
async function tableOf(words: readonly string[], columns: number): Promise<string> {
  const { code, stdout, stderr } = await runCli(words, {
    environment: { MEMCTL_SERVER: service.origin, MEMCTL_API_KEY: 'mk_test' },
    records: [memory(1, 'a text that is longer than any narrow terminal is wide', { speaker: 'Ada Lovelace' })],
    terminals: ['output', 'errors'],
    fetch: (request) => fetch(request),
    quickTime: true,
    columns
  })
  expect({ code, stderr }).toMatchObject({ code: 0 })
  return stdout
}

test.for(TABLES.map((words) => [words.join(' '), words] as const))(
  'no line of %s is wider than a narrow terminal',
  async ([, words]) => {
    for (const columns of [40, 30]) {
      const text = await tableOf(words, columns)
      expect(text.split('\n').filter((line) => stringWidth(line) > columns)).toEqual([])
      expect(text.split('\n').length).toBeGreaterThan(2)
    }
  }
)

test.each([['collections'], ['keys']])('leaves space for the names of %s beside their ids', async (what) => {
  expect(await tableOf([what, 'list'], 40)).toMatch(new RegExp(`[0-9a-f]{6} +${what.slice(0, -1)} of someb`))
})

test('a narrow table of syncs keeps the start and the outcome', async () => {
  const [head = '', row = ''] = (await tableOf(['connections', 'runs', CONNECTION_ID], 40)).split('\n')
  expect(head).toMatch(/^STARTED_AT +OUTCOME +SEEN +FAILED$/)
  expect(row).toMatch(/^2026-05-01 \d\d:\d\d +partial +\d+ +\d+$/)
})

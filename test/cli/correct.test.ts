import { expect, test } from 'vitest'
import { memory } from './fake-device.ts'
import { errorLine, runCli, runDevice } from './run-cli.ts'

const corrected = (calls: readonly unknown[][]) => calls.find(([name]) => name === 'correct')

test('corrects a memory with the details from the flags', async () => {
  const flags = ['--speaker', 'Ada', '--conversation', 'c1', '--at', '2h']
  const run = await runDevice(['correct', 'mem_4be0c1', 'a text', ...flags])
  expect(run.code).toBe(0)
  const details = { speaker: 'Ada', conversation: 'c1', at: '2026-05-01T10:00:00.000Z' }
  expect(corrected(run.calls)).toEqual(['correct', 'mem_4be0c1', 'a text', details])
})

test('reads the text from stdin, and takes a text that starts with a dash after --', async () => {
  const piped = await runDevice(['correct', 'mem_4be0c1', '-f', '-'], { stdin: 'a text' })
  expect(corrected(piped.calls)).toMatchObject(['correct', 'mem_4be0c1', 'a text', {}])
  const dashed = await runCli(['device', 'correct', '--snapshot', 'a.mem.jsonl', 'mem_4be0c1', '--', '-x'])
  expect(corrected(dashed.calls)).toMatchObject(['correct', 'mem_4be0c1', '-x', {}])
})

test.each([
  [['mem_4be0c1'], 'missing the corrected text'],
  [['mem_4be0c1', ''], 'the text is empty'],
  [['mem_4be0c1', 'a', '-f', 'b'], 'a text and --file cannot be used together'],
  [['mem_4be0c1', 'two', 'words'], 'expected one text, received 2 words']
])('refuses %j and stores nothing', async (words, message) => {
  const run = await runDevice(['correct', ...words, '--json'])
  expect(run).toMatchObject({ code: 2, stdout: '' })
  expect(errorLine(run)).toMatchObject({ message })
  expect(corrected(run.calls)).toBeUndefined()
})

test('prints the id in a pipe, the record in JSON, and what it replaces on a terminal', async () => {
  const { id } = memory(1, '')
  expect((await runDevice(['correct', 'mem_4be0c1', 'x'])).stdout).toBe(`${id}\t2026-05-01T12:00:00.000Z\n`)
  const json = await runDevice(['correct', 'mem_4be0c1', 'x', '--json'])
  expect(JSON.parse(json.stdout)).toMatchObject({ id, record: { text: 'x', supersedes: ['mem_4be0c1'] }, notes: [] })
  const shown = await runDevice(['correct', 'mem_4be0c1', 'x'], { terminals: ['output'] })
  expect(shown.stdout).toContain('instead of mem_4be0c1')
})

test('shows the record in a dry run, without storing it', async () => {
  const run = await runDevice(['correct', 'mem_4be0c1', 'x', '--dry-run', '--json'])
  expect(JSON.parse(run.stdout)).toMatchObject({ text: 'x', supersedes: ['mem_4be0c1'] })
  expect(corrected(run.calls)).toBeUndefined()
})

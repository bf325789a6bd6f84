import { expect, test } from 'vitest'
import { memory } from './fake-device.ts'
import { memoryFiles } from './memory-files.ts'
import { errorLine, runDevice } from './run-cli.ts'

const batch = ['store', '--batch', 'chat.jsonl']

test('a batch prints its report: names and values in a pipe, an object in JSON', async () => {
  expect((await runDevice(batch)).stdout).toContain('stored\t2\nknown\t1\n')
  expect(JSON.parse((await runDevice([...batch, '--json'])).stdout)).toEqual({
    ...{ lines: 3, stored: 2, known: 1, differed: 0, forgotten: 0, seconds: 0.1 },
    notes: ['a note']
  })
})

test('resolves a batch file in the current folder, and - as stdin', async () => {
  expect((await runDevice(batch)).calls).toContainEqual(['storeBatch', { file: '/project/chat.jsonl' }])
  const piped = await runDevice(['store', '--batch', '-'], { stdin: '{}' })
  expect(piped.calls).toContainEqual(['storeBatch', { stream: expect.anything() }])
})

test('shows progress only if stderr is a terminal', async () => {
  const watched = await runDevice(batch, { terminals: ['errors'] })
  expect(watched.progress).toEqual(['Reading', '1 memory stored of 2 lines read, 50 %', 'stopped', 'stopped'])
  expect((await runDevice(batch)).progress).toEqual([])
  expect((await runDevice([...batch, '--json'], { terminals: ['errors'] })).progress).toEqual([])
})

test('--jsonl prints the events of a batch, the last with the report', async () => {
  const { stdout } = await runDevice([...batch, '--jsonl'])
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(events.at(-1)).toMatchObject({ event: 'done', stored: 2 })
})

test('--dry-run of a batch prints the records, one per line with --jsonl', async () => {
  const records = [memory(1, 'a'), memory(2, 'b')]
  const lines = await runDevice([...batch, '--dry-run', '--jsonl'], { records })
  expect(
    lines.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  ).toEqual(records)
  const array = await runDevice([...batch, '--dry-run', '--json'], { records })
  expect(JSON.parse(array.stdout)).toHaveLength(2)
})

test('prints notes of a batch on stderr', async () => {
  expect((await runDevice(batch)).stderr).toContain('a note\n')
})

const queries = '{"id":"q1","query":"first"}\n\n{"id":2,"query":"second"}\n'

test.each([
  ['a file', 'q.jsonl', ''],
  ['stdin', '-', queries]
])('answers queries from %s line by line with one open device', async (_name, from, stdin) => {
  const files = memoryFiles()
  files.put('/project/q.jsonl', queries)
  const run = await runDevice(['search', '--queries', from], { files, stdin, records: [memory(1, 'x')] })
  const answers = run.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(answers.map(({ id }) => id)).toEqual(['q1', 2])
  expect(answers[0].response.sources).toHaveLength(1)
  expect(run.calls.filter(([name]) => name === 'open')).toHaveLength(1)
})

test.each([
  ['invalid JSON', 'nope', 'malformed_json'],
  ['a duplicate key', '{"id":1,"id":1,"query":"x"}', 'malformed_json'],
  ['no query', '{"id":"x"}', 'invalid_input'],
  ['null', 'null', 'invalid_input'],
  ['no id', '{"query":"x"}', 'invalid_input']
])('rejects a file with %s in a line, and names the line', async (_name, line, code) => {
  const files = memoryFiles()
  files.put('/project/q.jsonl', `{"id":1,"query":"fine"}\n${line}\n`)
  const run = await runDevice(['search', '--queries', 'q.jsonl', '--json'], { files })
  expect(run.code).toBe(10)
  expect(run.stdout).toBe('')
  expect(errorLine(run)).toMatchObject({ code, message: expect.stringContaining('q.jsonl, line 2') })
})

test.each([
  ['a lone surrogate', '"a\\ud83d b"', 'a\ufffd b'],
  ['surrogates in the wrong order', '"\\uDE00\\uD83D"', '\ufffd\ufffd'],
  ['a lone surrogate before a pair', '"\\ud83d\\uD83D\\ude00"', '\ufffd\u{1f600}'],
  ['an escaped backslash and a lone surrogate', '"\\\\ud83d \\udfff"', '\\ud83d \ufffd']
])('replaces the lone surrogate in a query with %s', async (_name, written, asked) => {
  const { calls, code } = await runDevice(['search', '--queries', '-'], { stdin: `{"id":1,"query":${written}}\n` })
  expect(code).toBe(0)
  expect(calls).toContainEqual(['search', asked, expect.anything()])
})

test.each(['q.jsonl', '-'])('accepts a byte order mark and CR LF line ends in queries from %s', async (from) => {
  const written = '\ufeff{"id":1,"query":"first"}\r\n{"id":2,"query":"second"}\r\n'
  const files = memoryFiles()
  files.put('/project/q.jsonl', written)
  const { calls, code } = await runDevice(['search', '--queries', from], { files, stdin: written })
  expect(code).toBe(0)
  expect(calls).toContainEqual(['search', 'first', expect.anything()])
  expect(calls).toContainEqual(['search', 'second', expect.anything()])
})

test('accepts an empty query, and rejects a missing one', async () => {
  const { calls, code } = await runDevice(['search', ''])
  expect(code).toBe(0)
  expect(calls).toContainEqual(['search', '', expect.anything()])
  expect((await runDevice(['search'])).code).toBe(2)
})

test('joins the words of a query without quotes', async () => {
  const run = await runDevice([
    'search',
    'where',
    'does',
    'she',
    'live',
    '--limit',
    '3',
    '--group',
    'sources,semantics',
    '--explain'
  ])
  expect(run.calls).toContainEqual([
    'search',
    'where does she live',
    { limit: 3, groups: ['sources', 'semantics'], explain: true }
  ])
})

test('--as-of accepts the usual time formats and reaches the search as UTC', async () => {
  const { calls } = await runDevice(['search', 'x', '--as-of', '2024-06-30T12:00+02:00'], { records: [memory(1, 'x')] })
  expect(calls).toContainEqual(['search', 'x', expect.objectContaining({ as_of: '2024-06-30T10:00:00.000Z' })])
  const wrong = await runDevice(['search', 'x', '--as-of', 'someday'], { records: [] })
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("invalid --as-of 'someday': expected a time")])
})

import { expect, test } from 'vitest'
import { memory } from './fake-device.ts'
import { memoryFiles } from './memory-files.ts'
import { errorLine, runDevice } from './run-cli.ts'

const batch = ['store', '--batch', 'chat.jsonl']

test('a batch answers with its report: names and values in a pipe, an object in JSON', async () => {
  expect((await runDevice(batch)).stdout).toContain('stored\t2\nknown\t1\n')
  expect(JSON.parse((await runDevice([...batch, '--json'])).stdout)).toEqual({
    ...{ lines: 3, stored: 2, known: 1, differed: 0, forgotten: 0, seconds: 0.1 },
    notes: ['a note']
  })
})

test('a batch file is named from the current folder, and - is stdin', async () => {
  expect((await runDevice(batch)).calls).toContainEqual(['storeBatch', { file: '/project/chat.jsonl' }])
  const piped = await runDevice(['store', '--batch', '-'], { stdin: '{}' })
  expect(piped.calls).toContainEqual(['storeBatch', { stream: expect.anything() }])
})

test('progress is for a terminal on stderr, and ends', async () => {
  const watched = await runDevice(batch, { terminals: ['errors'] })
  expect(watched.progress).toEqual(['reading', '1 memory stored of 2 lines read, 50 %', 'stopped', 'stopped'])
  expect((await runDevice(batch)).progress).toEqual([])
  expect((await runDevice([...batch, '--json'], { terminals: ['errors'] })).progress).toEqual([])
})

test('--jsonl tells a batch in events, the last with the report', async () => {
  const { stdout } = await runDevice([...batch, '--jsonl'])
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(events.at(-1)).toMatchObject({ event: 'done', stored: 2 })
})

test('a dry run of a batch prints the records, a line each with --jsonl', async () => {
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

test('notes of a batch reach stderr', async () => {
  expect((await runDevice(batch)).stderr).toContain('a note\n')
})

const queries = '{"id":"q1","query":"first"}\n\n{"id":2,"query":"second"}\n'

test.each([
  ['a file', 'q.jsonl', ''],
  ['stdin', '-', queries]
])('queries from %s are answered a line each, with one open device', async (_name, from, stdin) => {
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
  ['no JSON', 'nope', 'malformed_json'],
  ['a doubled key', '{"id":1,"id":1,"query":"x"}', 'malformed_json'],
  ['no query', '{"id":"x"}', 'invalid_input'],
  ['null', 'null', 'invalid_input'],
  ['no id', '{"query":"x"}', 'invalid_input']
])('a file with %s in a line is refused whole, naming the line', async (_name, line, code) => {
  const files = memoryFiles()
  files.put('/project/q.jsonl', `{"id":1,"query":"fine"}\n${line}\n`)
  const run = await runDevice(['search', '--queries', 'q.jsonl', '--json'], { files })
  expect(run.code).toBe(10)
  expect(run.stdout).toBe('')
  expect(errorLine(run)).toMatchObject({ code, message: expect.stringContaining('q.jsonl, line 2') })
})

test.each([
  ['half a character', '"a\\ud83d b"', 'a\ufffd b'],
  ['halves the wrong way round', '"\\uDE00\\uD83D"', '\ufffd\ufffd'],
  ['a half beside a whole', '"\\ud83d\\uD83D\\ude00"', '\ufffd\u{1f600}'],
  ['what only looks like one, and a half', '"\\\\ud83d \\udfff"', '\\ud83d \ufffd']
])('a query with %s is asked with an unknown character in its place', async (_name, written, asked) => {
  const { calls, code } = await runDevice(['search', '--queries', '-'], { stdin: `{"id":1,"query":${written}}\n` })
  expect(code).toBe(0)
  expect(calls).toContainEqual(['search', asked, expect.anything()])
})

test.each(['q.jsonl', '-'])(
  'queries from %s may begin with a byte order mark and end lines with CR LF',
  async (from) => {
    const written = '\ufeff{"id":1,"query":"first"}\r\n{"id":2,"query":"second"}\r\n'
    const files = memoryFiles()
    files.put('/project/q.jsonl', written)
    const { calls, code } = await runDevice(['search', '--queries', from], { files, stdin: written })
    expect(code).toBe(0)
    expect(calls).toContainEqual(['search', 'first', expect.anything()])
    expect(calls).toContainEqual(['search', 'second', expect.anything()])
  }
)

test('a query that is empty is asked; no query at all is a mistake', async () => {
  const { calls, code } = await runDevice(['search', ''])
  expect(code).toBe(0)
  expect(calls).toContainEqual(['search', '', expect.anything()])
  expect((await runDevice(['search'])).code).toBe(2)
})

test('words of a query need no quotes', async () => {
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

test('--as-of is a time as other commands take it, and reaches the search as UTC', async () => {
  const { calls } = await runDevice(['search', 'x', '--as-of', '2024-06-30T12:00+02:00'], { records: [memory(1, 'x')] })
  expect(calls).toContainEqual(['search', 'x', expect.objectContaining({ as_of: '2024-06-30T10:00:00.000Z' })])
  const wrong = await runDevice(['search', 'x', '--as-of', 'someday'], { records: [] })
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("--as-of 'someday' is no time")])
})

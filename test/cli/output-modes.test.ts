import { expect, test } from 'vitest'
import { memory } from './fake-device.ts'
import { errorLine, runCli, runDevice } from './run-cli.ts'

const records = [
  memory(1, 'first\ttext', { speaker: 'Ada', metadata: { k: 1 } }),
  memory(2, 'zweiter 日本 text', { conversation: 'c', position: 2 })
]
const ids = records.map(({ id }) => id)

test('prints tab-separated values with full ids and without a header in a pipe', async () => {
  const { stdout, code } = await runDevice(['list'], { records })
  expect(code).toBe(0)
  expect(stdout).toBe(
    `${ids[0]}\t2026-04-01T08:00:00.000Z\tAda\t\t\tfirst\\ttext\n` +
      `${ids[1]}\t2026-04-01T08:00:00.000Z\t\tc\t2\tzweiter 日本 text\n`
  )
})

test('--header names the columns of tab-separated values', async () => {
  const { stdout } = await runDevice(['list', '--header'], { records })
  expect(stdout.split('\n')[0]).toBe('id\tat\tspeaker\tconversation\tposition\ttext')
})

test('prints a table with short ids that fits the width of a terminal', async () => {
  const { stdout } = await runDevice(['list'], { records, terminals: ['output'], columns: 60 })
  expect(stdout.split('\n')).toEqual([
    'ID            AT                SPEAKER  TEXT',
    'mem_00000000  2026-04-01 08:00  Ada      first text',
    'mem_00000000  2026-04-01 08:00           zweiter 日本 text',
    ''
  ])
})

test('--json prints an array for a list, with null for absent values', async () => {
  const { stdout } = await runDevice(['list', '--json'], { records })
  const list = JSON.parse(stdout)
  expect(list).toHaveLength(2)
  expect(list[0]).toMatchObject({ id: ids[0], speaker: 'Ada', conversation: null, position: null, metadata: { k: 1 } })
})

test('--json prints an object for a single result', async () => {
  const { stdout } = await runDevice(['show', ids[0] ?? '', '--json'], { records })
  expect(JSON.parse(stdout)).toMatchObject({ id: ids[0], text: 'first\ttext', conversation: null })
})

test('--jsonl prints one value per line', async () => {
  const { stdout } = await runDevice(['list', '--jsonl'], { records })
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id)
  ).toEqual(ids)
})

test('rejects --json together with --jsonl', async () => {
  const run = await runDevice(['list', '--jsonl', '--json'], { records })
  expect(run.code).toBe(2)
  expect(errorLine(run)).toMatchObject({ code: 'usage' })
})

test.each([
  [
    'json',
    [
      { text: 'first\ttext', speaker: 'Ada' },
      { text: 'zweiter 日本 text', speaker: null }
    ]
  ],
  ['jsonl', { text: 'first\ttext', speaker: 'Ada' }]
])('--fields selects fields and their order in --%s', async (mode, expected) => {
  const { stdout } = await runDevice(['list', `--${mode}`, '--fields', 'text,speaker'], { records })
  expect(JSON.parse(mode === 'json' ? stdout : (stdout.split('\n')[0] ?? ''))).toEqual(expected)
})

test('--fields selects columns in a pipe, including those that no table shows', async () => {
  const { stdout } = await runDevice(['list', '--fields', 'metadata,text'], { records })
  expect(stdout).toBe('{"k":1}\tfirst\\ttext\n\tzweiter 日本 text\n')
})

test('rejects an unknown field and lists the available ones', async () => {
  const run = await runDevice(['list', '--fields', 'nope', '--json'], { records })
  expect(run.code).toBe(2)
  expect(errorLine(run)).toMatchObject({ code: 'usage', hint: expect.stringContaining('speaker') })
  expect(run.stdout).toBe('')
})

test.each([
  ['--json', '[]\n'],
  ['--jsonl', ''],
  ['--no-color', '']
])('succeeds with an empty result in %s', async (flag, expected) => {
  const { code, stdout } = await runDevice(['list', flag])
  expect(code).toBe(0)
  expect(stdout).toBe(expected)
})

test('a search prints the MemoryResponse in JSON', async () => {
  const { stdout } = await runDevice(['search', 'x', '--json'], { records })
  expect(Object.keys(JSON.parse(stdout))).toEqual(['semantics', 'procedures', 'episodes', 'sources'])
})

test('--fields of a search selects groups and fields of their entries', async () => {
  const { stdout } = await runDevice(['search', 'x', '--json', '--fields', 'sources,id'], { records })
  expect(JSON.parse(stdout)).toEqual({ sources: ids.map((id) => ({ id })) })
})

test('a search prints a row for each entry in a pipe', async () => {
  const { stdout } = await runDevice(['search', 'x'], { records })
  expect(stdout.split('\n')[0]).toBe(`sources\t0.5\t${ids[0]}\t2026-04-01T08:00:00.000Z\tAda\tfirst\\ttext`)
})

test('a search numbers its hits on a terminal and fits its width', async () => {
  const long = [memory(1, 'word '.repeat(60), { speaker: 'Ada' })]
  const { stdout } = await runDevice(['search', 'x'], { records: long, terminals: ['output'], columns: 40 })
  const lines = stdout.trimEnd().split('\n')
  expect(lines.slice(0, 2)).toEqual(['Answer', ' 1. 2026-04-01 08:00  Ada  mem_00000000'])
  expect(lines).toHaveLength(5)
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(40)
})

test('removes terminal control sequences from stored texts', async () => {
  const hostile = [memory(1, '\u001b[2Jgone\u202e', { speaker: '\u001b]0;x\u0007Eve' })]
  for (const argv of [['list'], ['search', 'x'], ['show', 'mem_0']]) {
    const { stdout } = await runDevice(argv, { records: hostile, terminals: ['output'], columns: 80 })
    expect(stdout).toContain('gone')
    expect(stdout).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u)
  }
})

test('names the snapshot in use on stderr, except in JSON mode', async () => {
  expect((await runDevice(['list'], { records })).stderr).toBe('snapshot: /project/a.mem.jsonl\n')
  expect((await runDevice(['list', '--json'], { records })).stderr).toBe('')
})

test('uses colors only if the stream supports them, and never with --no-color', async () => {
  const wishes = { records, terminals: ['output'] as const, colors: true }
  expect((await runDevice(['list'], wishes)).stdout).toContain('\u001b[2m')
  expect((await runDevice(['list', '--no-color'], wishes)).stdout).not.toContain('\u001b')
})

test('prints the version in every mode', async () => {
  const { version } = JSON.parse((await runCli(['version', '--json'])).stdout)
  expect((await runCli(['--version'])).stdout).toBe(`${version}\n`)
  expect((await runCli(['version'])).stdout).toBe(`${version}\n`)
})

import { expect, test } from 'vitest'
import { type DeviceWishes, memory } from './fake-device.ts'
import type { Wishes } from './fake-world.ts'
import { errorLine, runDevice } from './run-cli.ts'

const records = [
  memory(1, 'the old address', { speaker: 'Ada' }),
  memory(2, 'an address book'),
  memory(3, 'another thing')
]
const [first = '', second = '', third = ''] = records.map(({ id }) => id)
const there = ['input', 'errors'] as const
const query = ['forget', '--query', 'address']

/** Returns the ids that the device was told to forget. */
async function forgotten(argv: readonly string[], wishes: Wishes & DeviceWishes = {}) {
  const run = await runDevice(argv, { records, ...wishes })
  return { ...run, forgotten: run.calls.filter(([name]) => name === 'forget').map(([, ids]) => ids) }
}

test('lets the user choose among the matches, with none preselected, asks for confirmation, and shows the command by id', async () => {
  const run = await forgotten(query, { terminals: there, keys: ['down', 'space', 'return'], answers: [true] })
  expect(run.screens[0]).toContain('Which memories to forget?  0/2')
  expect(run.screens[0]).toContain('[ ] Ada: the old address')
  expect(run.questions).toEqual(['Permanently forget this memory?'])
  expect(run).toMatchObject({ code: 0, forgotten: [[second]] })
  expect(run.stderr).toContain(`to do the same without prompts: memctl device forget ${second} --snapshot a.mem.jsonl`)
})

test('does not offer a memory that matches less than half of the query, but counts it', async () => {
  const run = await forgotten(query, { terminals: there, keys: ['space', 'return'], answers: [true] })
  expect(run.screens.join('\n')).not.toContain('another thing')
  expect(run.stderr).toContain('Omitted 1 memory that matches less than half of the query.')
  expect(run.forgotten).toEqual([[first]])
})

test.each([
  ['leaves the picker', ['escape'], []],
  ['selects one and declines', ['space', 'return'], [false]]
])('forgets nothing and exits 1 if the user %s', async (_name, keys, answers) => {
  const run = await forgotten(query, { terminals: there, keys, answers })
  expect(run).toMatchObject({ code: 1, forgotten: [] })
  expect(run.stderr).toContain('error: declined: nothing was forgotten\n')
})

test('Ctrl-C in the picker exits 130', async () => {
  expect(await forgotten(query, { terminals: there, keys: ['down'] })).toMatchObject({ code: 130, forgotten: [] })
})

const WITH_YES = [['--yes'], ['--yes', '--compact'], ['-y', '--limit', '1'], ['--yes', '--json'], ['--yes', '--jsonl']]

test.each(WITH_YES.map((flags) => [flags.join(' '), flags] as const))(
  'never forgets the matches of a query with %s',
  async (_name, given) => {
    for (const wishes of [{}, { terminals: there }, { terminals: there, environment: { CI: '1' } }]) {
      const run = await forgotten([...query, ...given], wishes)
      expect(run.forgotten).toEqual([])
      expect(run.code).not.toBe(0)
    }
  }
)

test('--yes does not confirm a choice', async () => {
  const keys = ['space', 'return']
  const run = await forgotten([...query, '--yes', '--compact'], { terminals: there, keys, answers: [false] })
  expect(run.questions).toEqual(['Permanently forget this memory?'])
  expect(run).toMatchObject({ code: 1, forgotten: [] })
})

test.each([
  ['no terminal', {}, []],
  ['CI', { terminals: there, environment: { CI: 'true' } }, []],
  ['--no-input', { terminals: there }, ['--no-input']],
  ['a terminal that cannot be redrawn', { terminals: there, dumb: true }, []],
  ['--jsonl', { terminals: there }, ['--jsonl']]
] as const)(
  'a query exits 2 with two complete commands outside an interactive session: %s',
  async (_name, wishes, flags) => {
    const run = await forgotten([...query, '--yes', ...flags], wishes)
    expect(run).toMatchObject({ code: 2, questions: [], screens: [], forgotten: [] })
    expect(run.stderr).toContain('memctl device forget --query address --dry-run --snapshot a.mem.jsonl')
    expect(run.stderr).toContain('memctl device forget --ids-from - --snapshot a.mem.jsonl')
    expect(run.calls.map(([name]) => name)).not.toContain('search')
  }
)

test('JSON mode prints the two commands in next', async () => {
  expect(errorLine(await forgotten([...query, '--json']))).toMatchObject({
    code: 'input_needed',
    next: [
      'memctl device forget --query address --dry-run --snapshot a.mem.jsonl',
      'memctl device forget --ids-from - --snapshot a.mem.jsonl'
    ]
  })
})

test('--dry-run lists the matches without prompting or forgetting', async () => {
  const run = await forgotten([...query, '--dry-run'])
  expect(run).toMatchObject({ code: 0, questions: [], forgotten: [] })
  expect(run.stdout.split('\n').map((line) => line.split('\t')[0])).toEqual([first, second, ''])
})

test('offers duplicates of a match, up to the limit', async () => {
  const [one, two, other] = [memory(1, 'old address'), memory(2, 'Old address!'), memory(3, 'address')]
  const source = { score: 0.5, text: '', speaker: null, timestamp: null, title: null, url: null, metadata: {} }
  const sources = [
    { ...source, id: one.id, source_ids: [one.id, two.id] },
    { ...source, id: other.id, source_ids: [other.id] }
  ]
  const response = { semantics: [], procedures: [], episodes: [], sources }
  const coverageOf = (): number => 1
  const search = async () => ({ response, placesIn: () => [], coverageOf, damaged: [], vanished: [], notes: [] })
  const run = await forgotten([...query, '--dry-run', '--limit', '2', '--fields', 'id'], {
    records: [one, two, other],
    device: { search }
  })
  expect(run.stdout).toBe(`${one.id}\n${two.id}\n`)
})

test('succeeds without forgetting if a query matches nothing', async () => {
  const run = await forgotten(query, { records: [memory(1, 'something else')], terminals: there })
  expect(run).toMatchObject({ code: 0, forgotten: [] })
  expect(run.stderr).toContain('No memories match')
})

test('removes control characters from texts in the picker and the prompt', async () => {
  const hostile = [memory(1, '\u001b[2Jaddress\u200b')]
  const run = await forgotten(query, {
    records: hostile,
    terminals: there,
    keys: ['space', 'return'],
    answers: [false]
  })
  expect(`${run.stderr}${run.screens.join('')}`).not.toMatch(/\u001b|\u200b/)
})

test('forgets ids without a prompt, with the given reason and compaction', async () => {
  const run = await runDevice(['forget', 'mem_aa', 'mem_bb', '--reason', 'moved', '--compact', '--json'])
  expect(run.calls).toContainEqual([
    'forget',
    ['mem_aa', 'mem_bb'],
    expect.objectContaining({ reason: 'moved', compact: true })
  ])
  expect(JSON.parse(run.stdout)).toMatchObject({ forgotten: ['mem_aa', 'mem_bb'], already: [] })
})

test.each([
  ['ids', `${first}\n\n${third}\r\n`],
  ['ids without a last line end, after a byte order mark', `\ufeff${first}\n${third}`],
  ['records as list prints them with --jsonl', `{"id":"${first}","text":"x"}\n{"type":"memory","id":"${third}"}\n`]
])('--ids-from accepts %s, one per line', async (_name, stdin) => {
  expect(await forgotten(['forget', '--ids-from', '-'], { stdin })).toMatchObject({
    code: 0,
    forgotten: [[first, third]]
  })
})

test.each([
  ['a text', 'the old address'],
  ['a table', `${first}\t2026-05-01\tAda`],
  ['an entry of an answer', '{"id":"fct_00000000"}'],
  ['an answer', '{"semantics":[],"sources":[]}'],
  ['broken JSON', '{"id":"mem_']
])('--ids-from exits 10 and names the line if it contains %s', async (_name, line) => {
  const run = await forgotten(['forget', '--ids-from', '-'], { stdin: `${first}\n${line}\n` })
  expect(run).toMatchObject({ code: 10, forgotten: [] })
  expect(run.stderr).toContain('stdin, line 2: expected the id of a memory')
})

test('succeeds without forgetting if the list of ids is empty', async () => {
  expect(await forgotten(['forget', '--ids-from', '-'], { stdin: '\n' })).toMatchObject({ code: 0, forgotten: [] })
})

test.each([
  ['forget', first, '--query', 'x'],
  ['forget', '--ids-from', '-', '--query', 'x'],
  ['forget', first, '--ids-from', '-']
])('rejects %s %s %s %s', async (...argv) => {
  expect(await forgotten(argv)).toMatchObject({ code: 2, forgotten: [] })
})

test('reports where the text of a forgotten memory still exists', async () => {
  expect((await runDevice(['forget', 'mem_aa'])).stderr).toContain('The text stays in the file.')
  expect((await runDevice(['forget', 'mem_aa'], { terminals: ['output'] })).stdout).toContain(
    'The text stays in the file.'
  )
})

import { expect, test } from 'vitest'
import { memory } from './fake-device.ts'
import { errorLine, runDevice } from './run-cli.ts'

const records = [memory(1, 'old address', { speaker: 'Ada' }), memory(2, 'another')]
const ids = records.map(({ id }) => id)
const there = ['input', 'errors'] as const
const forget = ['forget', '--query', 'address']

test('a person is shown what would be forgotten, is asked, and learns the command that does not ask', async () => {
  const run = await runDevice(forget, { records, terminals: there, answers: [true] })
  expect(run.code).toBe(0)
  expect(run.questions).toEqual(['Forget these 2 memories, for good?'])
  expect(run.stderr).toContain('Ada: old address')
  expect(run.stderr).toContain('memctl device forget --query address --snapshot a.mem.jsonl --yes')
  expect(run.calls).toContainEqual(['forget', ids, expect.anything()])
})

test('a person who says no keeps everything', async () => {
  const run = await runDevice(forget, { records, terminals: there, answers: [false] })
  expect(run.code).toBe(0)
  expect(run.calls.map(([name]) => name)).not.toContain('forget')
  expect(run.stderr).toContain('nothing was forgotten')
})

test('--yes answers without asking', async () => {
  const run = await runDevice([...forget, '--yes'], { records, terminals: there })
  expect(run.code).toBe(0)
  expect(run.questions).toEqual([])
  expect(run.calls.map(([name]) => name)).toContain('forget')
})

test.each([
  ['no terminal at all', {}, []],
  ['stdin is no terminal', { terminals: ['errors'] }, []],
  ['stderr is no terminal', { terminals: ['input', 'output'] }, []],
  ['CI', { terminals: there, environment: { CI: 'true' } }, []],
  ['--no-input', { terminals: there }, ['--no-input']]
] as const)('with nobody there (%s) nothing is asked and exit 2 names the flag', async (_name, wishes, flags) => {
  const run = await runDevice([...forget, ...flags], { records, ...wishes })
  expect(run.code).toBe(2)
  expect(run.questions).toEqual([])
  expect(run.stderr).toContain('hint: give --yes: memctl device forget --query address --snapshot a.mem.jsonl --yes')
  expect(run.calls.map(([name]) => name)).not.toContain('forget')
})

test('with nobody there JSON mode leaves one line that names the next command', async () => {
  const run = await runDevice([...forget, '--json'], { records })
  expect(errorLine(run)).toMatchObject({
    code: 'input_needed',
    exit_code: 2,
    next: ['memctl device forget --query address --snapshot a.mem.jsonl --yes']
  })
})

test('CI=false does not count as CI', async () => {
  const run = await runDevice(forget, { records, terminals: there, environment: { CI: 'false' }, answers: [true] })
  expect(run.questions).toHaveLength(1)
})

test('--dry-run lists what would be forgotten and asks nothing', async () => {
  const run = await runDevice([...forget, '--dry-run'], { records, terminals: there })
  expect(run.questions).toEqual([])
  expect(run.stdout.split('\n').map((line) => line.split('\t')[0])).toEqual([...ids, ''])
  expect(run.calls.map(([name]) => name)).not.toContain('forget')
})

test('copies of what was found are forgotten with it, and never more than the limit', async () => {
  const [first, second, third] = [memory(1, 'old address'), memory(2, 'Old address!'), memory(3, 'another')]
  const source = { score: 0.5, text: '', speaker: null, timestamp: null, title: null, url: null, metadata: {} }
  const sources = [
    { ...source, id: first.id, source_ids: [first.id, second.id] },
    { ...source, id: third.id, source_ids: [third.id] }
  ]
  const response = { semantics: [], procedures: [], episodes: [], sources }
  const search = async () => ({ response, placesIn: () => [], damaged: [], vanished: [], notes: [] })
  const run = await runDevice([...forget, '--yes', '--limit', '2'], {
    records: [first, second, third],
    device: { search }
  })
  expect(run.calls).toContainEqual(['forget', [first.id, second.id], expect.anything()])
})

test('a query that finds nothing forgets nothing, with success', async () => {
  const run = await runDevice(forget, { terminals: there })
  expect(run.code).toBe(0)
  expect(run.stderr).toContain('nothing found')
})

test('a name in a question cannot drive the terminal', async () => {
  const hostile = [memory(1, '\u001b[2Jx')]
  const run = await runDevice(forget, { records: hostile, terminals: there, answers: [false] })
  expect(run.stderr).toContain('x')
  expect(run.stderr).not.toContain('\u001b')
})

test('ids are forgotten without a question, with reason and compact handed on', async () => {
  const run = await runDevice(['forget', 'mem_aa', 'mem_bb', '--reason', 'moved', '--compact', '--json'])
  expect(run.calls).toContainEqual([
    'forget',
    ['mem_aa', 'mem_bb'],
    expect.objectContaining({ reason: 'moved', compact: true })
  ])
  expect(JSON.parse(run.stdout)).toMatchObject({ forgotten: ['mem_aa', 'mem_bb'], already: [] })
})

test('forgetting says where the text still is', async () => {
  expect((await runDevice(['forget', 'mem_aa'])).stderr).toContain('The text stays in the file.')
  expect((await runDevice(['forget', 'mem_aa'], { terminals: ['output'] })).stdout).toContain(
    'The text stays in the file.'
  )
})

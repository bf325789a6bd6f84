import { expect, test } from 'vitest'
import type { WhyNot } from '../../src/device/device.ts'
import { errorLine, runDevice } from './run-cli.ts'

const ID = `mem_${'a'.repeat(32)}`
const BEST = `mem_${'b'.repeat(32)}`

type Absence = WhyNot['report']

const ABSENCE: Absence = {
  ...{ id: ID, text: 'My brother repairs clocks', rank: 12, found: 340, shown: 10, entry: null },
  ...{ score: 0.21, last_score: 0.4, best: { id: BEST, text: 'We sailed to the island', score: 0.62 } },
  reasons: [
    { reason: 'few_words', word_rank: 250, pool: 200 },
    { reason: 'others_fit_better', before: 11, limit: 10 }
  ],
  compared: [
    {
      ...{ name: 'island', asked: 'island', kind: 'term', counted: true, part: 0, best_part: 0.25, said: [] },
      best_said: [
        { as: 'word', word: 'island', written: 'island', turn: 0, mentions: 1 },
        { as: 'form', word: 'isl', turn: -1, mentions: 0.3 }
      ]
    },
    {
      ...{ name: 'nearby_turns', asked: null, kind: 'evidence', counted: false, part: 0.1, best_part: 0.2 },
      ...{ said: [], best_said: [] }
    },
    {
      ...{ name: 'long_turn', asked: null, kind: 'evidence', counted: true, part: -0.02, best_part: 0 },
      ...{ said: [], best_said: [] }
    },
    {
      ...{ name: 'plum', asked: 'plums', kind: 'term', counted: true, part: 0.00001, best_part: 0, said: [] },
      best_said: []
    }
  ]
}

const ask = ['search', 'island', '--why-not', 'mem_aaaaaa']

test('a terminal shows both memories, the reasons, and a table of the score', async () => {
  const run = await runDevice(ask, { absence: ABSENCE, terminals: ['output'] })
  expect(run.calls).toContainEqual(['whyNot', 'island', 'mem_aaaaaa', expect.anything()])
  expect(run.stdout.split('\n').map((line) => line.trimEnd())).toEqual([
    'it    .21   mem_aaaaaaaa  My brother repairs clocks',
    'best  .62   mem_bbbbbbbb  We sailed to the island',
    '',
    'Ranked by words alone, it is number 250. Only the first 200 are ranked by',
    'further evidence.',
    'It is number 12 of 340 memories found: 11 rank higher, and 10 are shown, the',
    'last with a score of .40.',
    '',
    '                            it  best',
    'island                     .00   .25  best: island; nearby isl',
    'neighbouring turns match (.10)   .20',
    'is a long turn            -.02   .00',
    '',
    '(…) would have counted if it had been ranked by further evidence',
    ''
  ])
})

test('JSON prints the object of the library', async () => {
  const run = await runDevice([...ask, '--json'], { absence: ABSENCE })
  expect(JSON.parse(run.stdout)).toEqual(ABSENCE)
  expect(run.code).toBe(0)
})

test('a pipe gets rows: plain values, reasons and compared parts', async () => {
  const { stdout } = await runDevice(ask, { absence: ABSENCE })
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
  expect(rows).toContainEqual(['rank', '12'])
  expect(rows).toContainEqual(['best_id', BEST])
  expect(rows).toContainEqual(['reason', 'few_words', '250', '200'])
  expect(rows).toContainEqual(['lacks', 'island', '0', '0.25', '', 'island; nearby isl'])
})

const SHORT: Absence = { ...ABSENCE, compared: [], best: null }

test.each<[Absence['reasons'][number], string]>([
  [{ reason: 'shown', entry: 3 }, 'It is in the results as number 3 (number 12 before duplicates were merged).'],
  [
    { reason: 'later', at: '2024-03-01T10:00:00.000Z' },
    'Its time, 2024-03-01 10:00, is later than the time of the search.'
  ],
  [{ reason: 'nothing_asked' }, 'The query contains no word, number or date to search for.'],
  [{ reason: 'same_as', id: BEST }, 'It is a duplicate of mem_bbbbbbbb, which is shown instead.'],
  [
    { reason: 'nothing_in_it', looked_for: ['sailing', 'island'] },
    'Neither it nor its neighbours contain any of: sailing, island.'
  ]
])('explains the reason %o in a sentence', async (reason, sentence) => {
  const run = await runDevice(ask, { absence: { ...SHORT, reasons: [reason] }, terminals: ['output'] })
  expect(run.stdout).toContain(sentence)
})

test('lists only some words of a long query', async () => {
  const looked_for = Array.from({ length: 1000 }, (_, at) => `word${at}`)
  const absence = { ...SHORT, reasons: [{ reason: 'nothing_in_it' as const, looked_for }] }
  const { stdout } = await runDevice(ask, { absence, terminals: ['output'] })
  expect(stdout.replace(/\n/g, ' ')).toContain('word18, word19 and 980 more words.')
})

test('explains a forgotten memory in one line', async () => {
  const run = await runDevice(['search', 'x', '--why-not', ID], { terminals: ['output'] })
  expect(run.stdout).toBe('mem_aaaaaaaa\nIt was forgotten, so no search finds it.\n')
  expect(run.code).toBe(0)
})

test('--why-not takes one query and the options of a search', async () => {
  const both = await runDevice(['search', '--queries', 'q.jsonl', '--why-not', ID, '--json'])
  expect(both.code).toBe(2)
  expect(errorLine(both)).toMatchObject({ code: 'usage', message: expect.stringContaining('--why-not') })
  const alone = await runDevice(['search', '--why-not', ID])
  expect(alone.code).toBe(2)
  const { calls } = await runDevice([...ask, '--limit', '3', '--as-of', '2024-06-30'])
  expect(calls).toContainEqual(['whyNot', 'island', 'mem_aaaaaa', expect.objectContaining({ limit: 3 })])
})

test('prints the result of a damaged snapshot and fails', async () => {
  const damaged = [{ line: 3, offset: 10, reason: 'the check does not hold' }]
  const run = await runDevice(ask, { absence: ABSENCE, damaged })
  expect(run.code).toBe(10)
  expect(run.stdout).toContain('rank\t12')
  expect(run.stderr).toContain('line 3: the check does not hold')
})

test('removes control characters from memories', async () => {
  const absence = { ...ABSENCE, text: 'a\u001b[31mb' }
  const run = await runDevice(ask, { absence, terminals: ['output'] })
  expect(run.stdout).not.toContain('\u001b[31m')
})

import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { drawLine } from '../../src/cli/output/styled-line.ts'
import { groupOrder } from '../../src/cli/views/group-order.ts'
import { responseLines } from '../../src/cli/views/response-lines.ts'
import type { MemoryResponse } from '../../src/contract/memory-response.ts'

const SOURCE = 'mem_0123456789abcdef0123456789abcdef'
const FACT: MemoryResponse['semantics'][number] = {
  id: 'fct_0',
  score: 0.823,
  source_ids: [SOURCE],
  subject: 'Ada',
  predicate: 'lives in',
  value: 'Lisbon',
  confidence: 0.9,
  valid_from: '2025-05-01T00:00:00.000Z',
  valid_to: null,
  span: [0, 5]
}
const EMPTY: MemoryResponse = { semantics: [], procedures: [], episodes: [], sources: [] }

function drawn(response: Partial<MemoryResponse>, columns = 80): string[] {
  const page = { columns, colors: false, width: (text: string) => text.length }
  const whole = { ...EMPTY, ...response }
  const shown = { response: whole, groups: groupOrder(whole).shown, placesIn: () => [], explain: true }
  return responseLines(shown, page).map((line) => drawLine(line, false).trimEnd())
}

test('shows a fact on one line: the statement, its start, its score and its memory', () => {
  expect(drawn({ semantics: [FACT] })).toEqual([' 1. Ada  lives in  Lisbon  since 2025-05-01  .82  mem_01234567'])
})

test('aligns facts in columns, and shows the end of a fact that no longer holds', () => {
  const old = { ...FACT, subject: 'Bo', score: 1, valid_to: '2026-01-01T00:00:00.000Z', valid_from: null }
  expect(drawn({ semantics: [FACT, old] })).toEqual([
    ' 1. Ada  lives in  Lisbon  since 2025-05-01  .82  mem_01234567',
    ' 2. Bo  lives in  Lisbon   until 2026-01-01  1.00  mem_01234567'
  ])
})

test('wraps a long fact within the page, with the other parts on a line of their own', () => {
  const long = { ...FACT, value: 'a small house by the river that her grandmother had built' }
  const lines = drawn({ semantics: [long, FACT] }, 50)
  expect(lines.at(0)).toBe(' 1. Ada  lives in  a small house by the river that')
  expect(lines.at(2)).toBe('    since 2025-05-01  .82  mem_01234567')
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(50)
})

test('puts the end of a fact on two lines on a narrow page', () => {
  expect(drawn({ semantics: [FACT] }, 30)).toEqual([
    ' 1. Ada  lives in  Lisbon',
    '    since 2025-05-01  .82',
    '    mem_01234567'
  ])
})

test('shows the facts of the best source before it, each group under its heading', () => {
  const common = { id: 'x', score: 0.5, source_ids: [SOURCE] }
  const lines = drawn({
    semantics: [FACT],
    procedures: [{ ...common, kind: 'how_to', statement: 'Brew tea', steps: ['boil', 'pour'], confidence: 0.8 }],
    episodes: [
      {
        ...common,
        summary: 'They met.',
        started_at: '2025-05-01T10:00:00.000Z',
        ended_at: null,
        participants: ['Ada', 'Bo'],
        events: []
      }
    ],
    sources: [{ ...common, text: 'So be it', speaker: 'Ada', timestamp: null, title: null, url: null, metadata: {} }]
  })
  expect(lines).toEqual([
    'Facts',
    ' 1. Ada  lives in  Lisbon  since 2025-05-01  .82  mem_01234567',
    '',
    'How-tos, preferences, rules',
    ' 2. how-to  .50  mem_01234567',
    '  | Brew tea',
    '  | 1. boil',
    '  | 2. pour',
    '',
    'Sources',
    ' 3. Ada  .50  mem_01234567',
    '  | So be it',
    '',
    'Episodes',
    ' 4. 2025-05-01 10:00  Ada, Bo  .50  mem_01234567',
    '  | They met.'
  ])
})

test('keeps a fact with a line break on one line', () => {
  expect(drawn({ semantics: [{ ...FACT, value: 'Lis\nbon' }] })).toHaveLength(1)
})

test('explains a source below it: the score of its words, and the score of other evidence', () => {
  const said = [
    { as: 'form', word: 'went', written: 'Went', turn: 0, mentions: 1 },
    { as: 'word', word: 'go', turn: -1, mentions: 0.3 },
    { as: 'related', word: 'trip', turn: 2, mentions: 0.1 }
  ]
  const explanation = {
    cues: [
      {
        name: 'ada',
        asked: 'Ada',
        kind: 'term',
        from: 'query',
        part: 0.1,
        said: [{ as: 'speaker', word: 'ada', turn: 0 }]
      },
      { name: 'go', asked: 'go', kind: 'term', from: 'query', part: 0.2, said },
      { name: 'year:2024', asked: null, kind: 'date', from: 'query', part: 0.001, said: [] },
      { name: 'boat', asked: null, kind: 'term', from: 'feedback', part: 0.02, said: [] }
    ],
    evidence: [
      { name: 'nearby_turns', part: 0.05 },
      { name: 'asked_traits', part: 0 },
      { name: 'long_turn', part: -0.02 },
      { name: 'a_new_one', part: 0.01 }
    ],
    spans: [{ term: 'go', span: [0, 3] }]
  }
  const sources = [{ ...SAID, text: 'a', metadata: {}, explanation }]
  expect(drawn({ sources }, 200).slice(2)).toEqual([
    '    words .32: go .20 (Went; nearby go, related trip), Ada .10 (speaker ada); shared with the best hits: boat .02',
    '    evidence .04: neighbouring turns match .05, a new one .01, is a long turn -.02'
  ])
})

test('explains a fact below it: its words, how it was found, the facts it supersedes, and its numbers', () => {
  const told = { value: 'Oslo', valid_from: '2021-05-01T00:00:00.000Z', valid_to: null, source_ids: [SOURCE] }
  const explanation = {
    ...{ words: 0.51234, source: 1, tiny: 0.000123, key: 'lives_in|ada' },
    ...{ in_subject: ['Ada'], in_predicate: ['live: moved'], in_value: [] },
    ...{ sources: [{ id: SOURCE, rank: null, score: null }], found_by: { way: 'key', from: SOURCE } },
    ...{ supersedes: [told], superseded_by: [], contradicted_by: [SOURCE], spans: [] },
    path: [
      { id: 'fct_1', subject: 'Ada', predicate: 'works at', value: 'Acme', source_ids: [SOURCE] },
      { id: 'fct_2', subject: 'Acme', predicate: 'is in', value: 'Oslo', source_ids: [`mem_${'9'.repeat(32)}`] }
    ]
  }
  expect(drawn({ semantics: [{ ...FACT, explanation }] }, 200).slice(1)).toEqual([
    '    through Ada works at Acme (mem_01234567), then Acme is in Oslo (mem_99999999)',
    '    contains Ada in its subject; live: moved in its predicate',
    '    looked up because mem_01234567 is about the same subject',
    '    supersedes Oslo (mem_01234567, since 2021-05-01)',
    '    contradicted by mem_01234567',
    '    words .51  source 1  tiny .00'
  ])
})

const SAID = { id: SOURCE, score: 0.5, source_ids: [SOURCE], speaker: null, timestamp: null, title: null, url: null }

/** Renders lines for a terminal with colors; every `tea` in a text is a match. */
function colored(text: string, more: object = {}): string[] {
  const page = { columns: 40, colors: true, width: (one: string) => stringWidth(one) }
  const response = { ...EMPTY, sources: [{ ...SAID, text, metadata: {}, ...more }] }
  const placesIn = (one: string) =>
    [...one.matchAll(/tea/g)].map(({ index }) => ({ term: 'tea', weight: 1, start: index, end: index + 3 }))
  return responseLines({ response, groups: ['sources'], placesIn, explain: false }, page).map((line) =>
    drawLine(line, true)
  )
}

test('marks matches in the text and in the heading', () => {
  expect(colored('black tea', { speaker: 'tea house', timestamp: '2026-01-02T00:00:00.000Z' })).toEqual([
    ' 1. \u001b[36m2026-01-02  \u001b[0m\u001b[1;35mtea\u001b[0m\u001b[36m house\u001b[0m\u001b[2m  mem_01234567\u001b[0m',
    '\u001b[2m  | \u001b[0mblack \u001b[1;35mtea\u001b[0m'
  ])
})

test('shows the matching snippet of a long text', () => {
  const lines = colored(`${'Nothing of note happened. '.repeat(30)}She drank tea. ${'Then it rained. '.repeat(30)}`)
  expect(lines[1]).toBe('\u001b[2m  | \u001b[0m…She drank \u001b[1;35mtea\u001b[0m. Then it rained. Then')
  expect(lines).toHaveLength(5)
  expect(lines.at(-1)?.endsWith('…')).toBe(true)
})

test('removes control sequences from a text with marks', () => {
  const lines = colored('\u001b[2Jtea\u001b]0;title\u0007 t\u001b[31mea\u202e tea\u009b31m\r\ntea')
  const codes = lines.join('').match(/[\u0000-\u001f\u007f-\u009f\u202e](?:\[[\d;]*m)?/g)
  expect(new Set(codes)).toEqual(new Set(['\u001b[2m', '\u001b[1;35m', '\u001b[0m']))
  expect(lines.join('\n').match(/\[1;35mtea/g)).toHaveLength(4)
})

test('shows the number of copies beside the id', () => {
  expect(colored('tea', { source_ids: [SOURCE, 'mem_b'] })[0]).toContain('mem_01234567 and 1 copy')
  expect(colored('tea', { source_ids: [SOURCE, 'mem_b', 'mem_c'] })[0]).toContain('mem_01234567 and 2 copies')
})

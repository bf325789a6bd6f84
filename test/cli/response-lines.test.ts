import { expect, test } from 'vitest'
import { drawLine } from '../../src/cli/output/line.ts'
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
  const shown = { response: whole, groups: groupOrder(whole).shown, evidenceIn: () => [] }
  return responseLines(shown, page).map((line) => drawLine(line, false).trimEnd())
}

test('a fact is one line: what, since when, how well it answers, and the memory to look at', () => {
  expect(drawn({ semantics: [FACT] })).toEqual([' 1. Ada  lives in  Lisbon  since 2025-05-01  .82  mem_01234567'])
})

test('facts stand in columns, and what no longer holds says until when', () => {
  const old = { ...FACT, subject: 'Bo', score: 1, valid_to: '2026-01-01T00:00:00.000Z', valid_from: null }
  expect(drawn({ semantics: [FACT, old] })).toEqual([
    ' 1. Ada  lives in  Lisbon  since 2025-05-01  .82  mem_01234567',
    ' 2. Bo  lives in  Lisbon   until 2026-01-01  1.00  mem_01234567'
  ])
})

test('a long fact is wrapped, with the rest on a line of its own; no line is wider than the page', () => {
  const long = { ...FACT, value: 'a small house by the river that her grandmother had built' }
  const lines = drawn({ semantics: [long, FACT] }, 50)
  expect(lines.at(0)).toBe(' 1. Ada  lives in  a small house by the river that')
  expect(lines.at(2)).toBe('    since 2025-05-01  .82  mem_01234567')
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(50)
})

test('what stands in the best source comes before it, each group under its heading', () => {
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
    ' 1. how-to  .50  mem_01234567',
    '    Brew tea',
    '    1. boil',
    '    2. pour',
    '',
    'What was said',
    ' 1. Ada  mem_01234567',
    '    So be it',
    '',
    'Episodes',
    ' 1. 2025-05-01 10:00  Ada, Bo  .50  mem_01234567',
    '    They met.'
  ])
})

test('a line end in a fact does not break its line', () => {
  expect(drawn({ semantics: [{ ...FACT, value: 'Lis\nbon' }] })).toHaveLength(1)
})

test('why an entry is where it is stands below it', () => {
  expect(drawn({ semantics: [{ ...FACT, explanation: { words: 1 } }] })[1]).toBe('    {"words":1}')
})

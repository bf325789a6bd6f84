import { expect, test } from 'vitest'
import { MemoryResponse } from '../../../src/contract/memory-response.ts'
import { type Asking, asking, record } from './answer-kit.ts'

function procedure(kind: 'how_to' | 'preference' | 'rule', statement: string, more: object = {}) {
  return { kind, statement, rule: `${kind.replace('_', '-')}.plain`, span: [0, 3], confidence: 0.8, ...more }
}

const KITCHEN = [
  record('brew', {
    text: 'To brew tea, boil water and pour.',
    procedures: [procedure('how_to', 'Brew tea', { steps: ['boil water', 'pour'] })]
  }),
  record('taste', {
    text: 'I prefer green tea.',
    speaker: 'Ada',
    procedures: [procedure('preference', 'I prefer green tea')]
  }),
  record('rule', { text: 'Never boil green tea.', procedures: [procedure('rule', 'Never boil green tea')] })
]

function statements(ask: Asking, query: string): string[] {
  return ask(query).procedures.map(({ statement }) => statement)
}

test('returns a procedure with its kind, steps and confidence', async () => {
  const response = (await asking(KITCHEN)).ask('How do I brew tea?')
  expect(MemoryResponse.parse(response)).toEqual(response)
  expect(response.procedures[0]).toMatchObject({
    id: expect.stringMatching(/^prc_[0-9a-f]{32}$/),
    source_ids: [KITCHEN[0]?.id],
    kind: 'how_to',
    statement: 'Brew tea',
    steps: ['boil water', 'pour'],
    confidence: 0.8
  })
})

test('ranks the requested kind first', async () => {
  const { ask } = await asking(KITCHEN)
  expect(statements(ask, 'How do I make tea?')[0]).toBe('Brew tea')
  expect(statements(ask, 'What tea does Ada prefer?')[0]).toBe('I prefer green tea')
  expect(statements(ask, 'What should I never do with green tea?')[0]).toBe('Never boil green tea')
})

test('finds a preference by its speaker if it has no word of the query', async () => {
  const { ask } = await asking(KITCHEN)
  expect(statements(ask, "What are Ada's favourites?")).toEqual(['I prefer green tea'])
  expect(statements(ask, 'Who is Ada?')).toEqual([])
})

test('merges statements that differ only in case, spaces and final punctuation, with all sources', async () => {
  const said = ['Never boil green tea', 'never boil  green tea.', 'Never boil black tea'].map((text, at) =>
    record(text, { text, procedures: [procedure('rule', text, { confidence: at === 1 ? 0.9 : 0.8 })] })
  )
  const { procedures } = (await asking(said)).ask('boil green tea')
  expect(procedures.map(({ source_ids, confidence }) => [source_ids.length, confidence])).toEqual([
    [2, 0.9],
    [1, 0.8]
  ])
})

test('skips procedures without a query term', async () => {
  const { ask } = await asking([record('mix', { text: 'tea and coffee', procedures: [procedure('rule', 'Grind it')] })])
  expect(ask('tea').procedures).toEqual([])
})

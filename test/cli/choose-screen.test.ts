import { expect, test } from 'vitest'
import { drawLine } from '../../src/cli/output/styled-line.ts'
import { chooseScreen } from '../../src/cli/views/choose-screen.ts'
import { screenLines } from '../../src/cli/views/screen-lines.ts'
import type { MemoryResponse, SemanticEntry, SourceEntry } from '../../src/contract/memory-response.ts'

const EMPTY: MemoryResponse = { semantics: [], procedures: [], episodes: [], sources: [] }

function source(id: string, score: number, more: Partial<SourceEntry> = {}): SourceEntry {
  const about = { speaker: 'Ada', timestamp: null, title: null, url: null, metadata: {} }
  return { id, score, source_ids: [id], text: `text of ${id}`, ...about, ...more }
}

function fact(memory: string, score: number, more: Partial<SemanticEntry> = {}): SemanticEntry {
  const claim = { subject: 'Ada', predicate: 'lives in', value: 'Berlin', confidence: 0.9 }
  const time = { valid_from: '2026-05-01T00:00:00.000Z', valid_to: null, span: null }
  return { id: `fct_${memory}`, score, source_ids: [memory], ...claim, ...time, ...more }
}

function idsOf(response: Partial<MemoryResponse>, query = 'where'): { answer: string | undefined; passages: string[] } {
  const { answer, passages } = chooseScreen({ ...EMPTY, ...response }, query)
  return { answer: answer?.id, passages: passages.map(({ id }) => id) }
}

function drawn(response: Partial<MemoryResponse>, links = false): string[] {
  const page = { columns: 80, colors: false, links, width: (text: string) => text.length }
  const lines = screenLines(chooseScreen({ ...EMPTY, ...response }, 'where'), {
    ...page,
    placesIn: () => [],
    explain: false
  })
  return lines.map((line) => drawLine(line, false, links))
}

test('calls the first entry the answer only if it is clearly better than the next one', () => {
  expect(idsOf({ sources: [source('a', 0.6), source('b', 0.5)] })).toEqual({ answer: 'a', passages: ['b'] })
  expect(idsOf({ sources: [source('a', 0.6), source('b', 0.58)] }).answer).toBeUndefined()
  expect(idsOf({ sources: [source('a', 0.3)] }).answer).toBeUndefined()
})

test('ranks a note by its best fact, but a turn of a conversation by itself', () => {
  const facts = { semantics: [fact('b', 0.62)] }
  const note = source('b', 0.5, { speaker: null })
  expect(idsOf({ ...facts, sources: [source('a', 0.6), note] }).passages).toEqual(['b', 'a'])
  expect(idsOf({ ...facts, sources: [source('a', 0.6), source('b', 0.56)] }).passages).toEqual(['a', 'b'])
})

test('shows at most five entries, and none with a small share of the best score', () => {
  const sources = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => source(id, 0.5))
  expect(idsOf({ sources }).passages).toHaveLength(5)
  expect(idsOf({ sources: [source('a', 0.5), source('b', 0.3)] }).passages).not.toContain('b')
})

test('merges a fact with its memory', () => {
  expect(idsOf({ sources: [source('a', 0.6)], semantics: [fact('a', 0.7)] })).toEqual({ answer: 'a', passages: [] })
})

test('puts a fact of another memory first only if it scores more than the best source', () => {
  expect(idsOf({ sources: [source('a', 0.6)], semantics: [fact('b', 0.59)] }).passages).toEqual(['a', 'b'])
  expect(idsOf({ sources: [source('a', 0.6)], semantics: [fact('b', 0.62)] }).passages).toEqual(['b', 'a'])
})

test('leaves out entries about another person than the one in the query', () => {
  const sources = [
    source('a', 0.6, { speaker: 'Bo' }),
    source('b', 0.5),
    source('c', 0.5, { text: 'Ada, hello', speaker: 'Bo' })
  ]
  expect(idsOf({ sources }, "Where is Ada's bike").passages).toEqual(['b', 'c'])
})

test('marks a value that no longer holds, shows the earlier value, and puts it last', () => {
  const supersedes = [
    {
      value: 'Lisbon',
      valid_from: '2015-03-01T00:00:00.000Z',
      valid_to: '2026-05-01T00:00:00.000Z',
      source_ids: ['old']
    }
  ]
  const sources = [source('old', 0.6), source('new', 0.5)]
  expect(drawn({ sources, semantics: [fact('new', 0.5, { explanation: { supersedes } })] })).toEqual([
    'Answer',
    ' 1. Ada  new',
    '  | text of new',
    '    before: Lisbon, 2015-03-01 to 2026-05-01',
    '',
    'Other passages',
    ' 2. Ada  old',
    '  | text of old',
    '    no longer holds: Berlin, since 2026-05-01'
  ])
})

test('links the place of a memory to its web address, and never to another address', () => {
  const one = (url: string) => drawn({ sources: [source('a', 0.6, { title: 'Flat', url })] }, true)[1]
  expect(one('https://example.org/a b')).toContain('\u001b]8;;https://example.org/a%20b\u001b\\Flat\u001b]8;;\u001b\\')
  expect(one('https://example.org/\u001b\\evil')).not.toContain('\u001b\\evil')
  expect(one('javascript:alert(1)')).not.toContain('\u001b')
})

test('shows the path of the file instead of its title', () => {
  const metadata = { source: { path: 'notes/flat.md' } }
  expect(drawn({ sources: [source('a', 0.6, { title: 'Flat', metadata })] })[1]).toBe(' 1. Ada  notes/flat.md  a')
})

function exchanged(id: string, score: number, more: Partial<SourceEntry> = {}): SourceEntry {
  const exchange = [
    { id: 'first', speaker: 'Ada', text: 'I joined a choir.' },
    { id: 'asked', speaker: 'Bo', text: 'Where do you rehearse?' },
    { id: 'last', speaker: 'Ada', text: 'In the old mill.' }
  ]
  return source(id, score, { explanation: { exchange }, ...more })
}

test('joins a statement, the question about it and the answer into one entry, and marks the best turn', () => {
  const sources = [
    exchanged('last', 0.6, { text: 'In the old mill.' }),
    source('b', 0.58),
    exchanged('first', 0.5, { text: 'I joined a choir.' })
  ]
  expect(drawn({ sources })).toEqual([
    'Closest passages',
    ' 1. Ada  last',
    '  | Ada: I joined a choir.',
    '  | Bo: Where do you rehearse?',
    '  > Ada: In the old mill.',
    ' 2. Ada  b',
    '  | text of b'
  ])
})

test('joins no turn that scores too little, has an earlier value, or no longer holds', () => {
  const last = exchanged('last', 0.6)
  const supersedes = [
    { value: 'the school', valid_from: null, valid_to: '2026-05-01T00:00:00.000Z', source_ids: ['x'] }
  ]
  const corrected = exchanged('first', 0.5, { superseded_by: 'mem_1', superseded_at: '2026-05-01T00:00:00.000Z' })
  expect(idsOf({ sources: [last, exchanged('first', 0.4)] })).toEqual({ answer: 'last', passages: [] })
  expect(drawn({ sources: [last, exchanged('first', 0.4)] })).not.toContain('  | Bo: Where do you rehearse?')
  expect(idsOf({ sources: [last, corrected] }).passages).toEqual(['first'])
  const semantics = [fact('first', 0.5, { explanation: { supersedes } })]
  expect(idsOf({ sources: [last, exchanged('first', 0.5)], semantics }).passages).toEqual(['first'])
})

test('counts two joined sources as two entries of the screen', () => {
  const others = ['a', 'b', 'c', 'd'].map((id) => source(id, 0.58))
  const { passages } = idsOf({ sources: [exchanged('last', 0.6), ...others, exchanged('first', 0.5)] })
  expect(passages).toEqual(['last', 'a', 'b', 'c'])
})

test('shows a turn in one entry only, even if it belongs to two exchanges', () => {
  const exchange = [
    { id: 'c', speaker: 'Bo', text: 'What is new?' },
    { id: 'last', speaker: 'Ada', text: 'In the old mill.' }
  ]
  const sources = [exchanged('last', 0.6), exchanged('first', 0.58), source('c', 0.5, { explanation: { exchange } })]
  expect(drawn({ sources }).filter((line) => line.startsWith('  >'))).toHaveLength(1)
  expect(idsOf({ sources })).toEqual({ answer: 'last', passages: ['c'] })
})

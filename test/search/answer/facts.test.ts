import { expect, test } from 'vitest'
import { MemoryResponse } from '../../../src/contract/memory-response.ts'
import { type Asking, asking, fact, idOf, record, statement } from './answer-kit.ts'

const MOVED = [
  statement(2021, ['Ada', 'lives in', 'Oslo']),
  statement(2023, ['Ada', 'moved to', 'Lisbon']),
  statement(2023, ['Bob', 'lives in', 'Oslo'])
]

function values(ask: Asking, query: string, asOf?: string): string[] {
  return ask(query, { asOf }).semantics.map(({ subject, value }) => `${subject} ${value}`)
}

test('returns a fact with its values, confidence, period and spans', async () => {
  const { ask } = await asking([statement(2024, ['Anna', 'likes', 'tea'])])
  const response = ask('What does Anna like?')
  expect(MemoryResponse.parse(response)).toEqual(response)
  expect(response.semantics).toEqual([
    {
      id: expect.stringMatching(/^fct_[0-9a-f]{32}$/),
      score: expect.any(Number),
      source_ids: [idOf('2024 Anna likes tea')],
      subject: 'Anna',
      predicate: 'likes',
      value: 'tea',
      confidence: 0.9,
      valid_from: '2024-05-01T00:00:00.000Z',
      valid_to: null,
      span: [0, 4]
    }
  ])
})

test('answers where a person lives with the latest statement, in any wording', async () => {
  const { ask } = await asking(MOVED)
  expect(values(ask, 'Where does Ada live?')[0]).toBe('Ada Lisbon')
  expect(values(ask, 'Where does Ada live?')).not.toContain('Ada Oslo')
  expect(values(ask, 'Who lives in Oslo?')[0]).toBe('Bob Oslo')
})

test('returns facts that no longer hold if the query asks about time, after equally good current ones', async () => {
  const { ask } = await asking(MOVED)
  const told = ask('Where did Ada live before?').semantics.filter(({ subject }) => subject === 'Ada')
  expect(told.map(({ value, valid_to }) => [value, valid_to])).toEqual([
    ['Lisbon', null],
    ['Oslo', '2023-05-01T00:00:00.000Z']
  ])
  expect(values(ask, 'Where did Ada live in 2022?')[0]).toBe('Ada Oslo')
})

test('returns the facts that held at a time, as known today or as known at another time', async () => {
  const { ask } = await asking(MOVED)
  expect(values(ask, 'Where does Ada live?', '2022-01-01T00:00:00.000Z')).toEqual(['Ada Oslo'])
  const asOf = '2022-01-01T00:00:00.000Z'
  expect(ask('Where does Ada live?', { asOf }).semantics).toMatchObject([{ valid_to: '2023-05-01T00:00:00.000Z' }])
  const filter = { knownAt: Date.parse(asOf) }
  expect(ask('Where does Ada live?', { asOf, filter }).semantics).toMatchObject([{ valid_to: null }])
  expect(values(ask, 'Where does Ada live?', '2020-01-01T00:00:00.000Z')).toEqual([])
  expect(values(ask, 'Where does Ada live?', '2023-05-01T00:00:00.000Z')[0]).toBe('Ada Lisbon')
})

test('ends a fact by a memory that the query does not match', async () => {
  const fillers = Array.from({ length: 90 }, (_, at) =>
    record(`filler ${at}`, { text: `Ada lives in a house with ${at} windows` })
  )
  const later = record('later', {
    at: '2024-01-01T00:00:00.000Z',
    text: 'She settled down by the sea, at long last',
    facts: [fact(['Ada', 'relocated to', 'Porto'])]
  })
  const { ask } = await asking([statement(2021, ['Ada', 'lives in', 'Oslo']), ...fillers, later])
  expect(values(ask, 'Who lives in Oslo?')).toEqual(['Ada Porto'])
  expect(values(ask, 'Who lived in Oslo before 2024?')).toContain('Ada Oslo')
})

test('merges a fact of two memories into one entry with both sources and a higher confidence', async () => {
  const twice = [statement(2023, ['Ada', 'lives in', 'Oslo']), statement(2024, ['ADA', 'is living in', 'Oslo'])]
  const [entry, ...rest] = (await asking(twice)).ask('Where does Ada live?').semantics
  expect(rest).toEqual([])
  expect(entry?.source_ids).toEqual(twice.map(({ id }) => id))
  expect(entry?.confidence).toBeGreaterThan(0.9)
  expect(entry?.valid_from).toBe('2023-05-01T00:00:00.000Z')
})

test('gives a fact the same id wherever it is found and whether or not it holds, and other facts other ids', async () => {
  const idIn = async (records: Parameters<typeof asking>[0], query = 'Where did Ada live before?') =>
    (await asking(records)).ask(query).semantics.find(({ value }) => value === 'Oslo')?.id
  const [first, second, third] = MOVED
  const id = first && (await idIn([first]))
  expect(id).toMatch(/^fct_/)
  expect(first && second && (await idIn([second, first]))).toBe(id)
  expect(third && (await idIn([third], 'Bob'))).not.toBe(id)
})

test('returns two facts for a value that held, ended and holds again', async () => {
  const back = [...MOVED.slice(0, 2), statement(2025, ['Ada', 'lives in', 'Oslo'])]
  const { semantics } = (await asking(back)).ask('When did Ada live in Oslo?')
  const oslo = semantics.filter(({ value }) => value === 'Oslo')
  expect(oslo.map(({ valid_from }) => valid_from?.slice(0, 4))).toEqual(['2025', '2021'])
  expect(new Set(oslo.map(({ id }) => id)).size).toBe(2)
})

test('finds a memory by a name that only a given fact has', async () => {
  const given = fact(['Ada Lovelace', 'keeps', 'bees'], { rule: 'given' })
  const pronoun = record('pronoun', { text: 'She keeps bees.', facts: [given] })
  const { ask } = await asking([pronoun, record('other', { text: 'He keeps hens.' })])
  expect(ask('lovelace').sources.map(({ id }) => id)).toEqual([pronoun.id])
  expect(ask('What does Lovelace keep?').semantics).toMatchObject([{ subject: 'Ada Lovelace', value: 'bees' }])
})

test('ranks equally good facts by confidence, and unclaimed ones after claimed ones', async () => {
  const doubted = record('doubted', {
    text: 'Ada plays chess, the flute, maybe the harp',
    facts: [
      fact(['Ada', 'plays', 'harp'], { modality: 'possible' }),
      fact(['Ada', 'plays', 'flute'], { confidence: 0.4 }),
      fact(['Ada', 'plays', 'chess'])
    ]
  })
  expect(values((await asking([doubted])).ask, 'What does Ada play?')).toEqual(['Ada chess', 'Ada flute', 'Ada harp'])
})

test('skips facts without a query term or with an invalid shape', async () => {
  const facts = [fact(['Bruno', 'drinks', 'coffee']), { subject: 'tea' }, 'tea', null]
  const { ask } = await asking([record('a', { text: 'Anna and Bruno have tea and coffee', facts })])
  expect(ask('tea').semantics).toEqual([])
  expect(ask('').semantics).toEqual([])
})

test('returns contradicting facts of the same time with the ids of each other', async () => {
  const at = '2024-05-01T00:00:00.000Z'
  const both = ['Oslo', 'Bergen'].map((town) =>
    record(town, { at, text: `Ada lives in ${town}`, speaker: town, facts: [fact(['Ada', 'lives in', town])] })
  )
  const { semantics } = (await asking(both)).ask('Where does Ada live?', { explain: true })
  expect(semantics.map(({ value, explanation }) => [value, explanation?.contradicted_by]).sort()).toEqual([
    ['Bergen', [idOf('Oslo')]],
    ['Oslo', [idOf('Bergen')]]
  ])
})

test('reads a bounded number of memories, however often an attribute was stated', async () => {
  const states = Array.from({ length: 3000 }, (_, at) =>
    record(`state ${at}`, {
      at: new Date(Date.UTC(2024, 0, 1, 0, at)).toISOString(),
      text: `The status of the build is ${at % 2 ? 'red' : 'green'}`,
      facts: [fact(['build', 'status', at % 2 ? 'red' : 'green'])]
    })
  )
  const { ask, reads } = await asking(states)
  const { semantics } = ask('What is the status of the build?', { groups: ['semantics'] })
  expect(semantics).toMatchObject([{ value: 'red' }])
  expect(reads()).toBeLessThan(300)
})

import { expect, test } from 'vitest'
import { resolveFacts, selectCurrent } from '../../../src/memory/graph/resolve-facts.ts'
import { stated, timeOf, told } from './graph-kit.ts'

test('ends the earlier value of a single-valued predicate', () => {
  const facts = resolveFacts([
    stated('2026-03-01', ['Mia', 'moved to', 'Bergen']),
    stated('2026-01-01', ['Mia', 'lives in', 'Oslo'])
  ])
  expect(facts.map(told)).toEqual(['lives in Oslo 2026-01-01 to 2026-03-01', 'moved to Bergen 2026-03-01 to now'])
  expect(selectCurrent(facts).map(({ value }) => value)).toEqual(['Bergen'])
  expect(selectCurrent(facts, timeOf('2026-02-01')).map(({ value }) => value)).toEqual(['Oslo'])
  expect(selectCurrent(facts, timeOf('2025-12-31'))).toEqual([])
})

test('starts a second period when a value returns after its end', () => {
  const facts = resolveFacts([
    stated('2026-01-01', ['the pump', 'status', 'running']),
    stated('2026-02-01', ['The pump', 'is', 'broken']),
    stated('2026-03-01', ['the pump', 'is', 'running'])
  ])
  expect(facts.map(told)).toEqual([
    'status running 2026-01-01 to 2026-02-01',
    'is broken 2026-02-01 to 2026-03-01',
    'is running 2026-03-01 to now'
  ])
})

test('prefers the time that a fact states over the time of its memory', () => {
  const facts = resolveFacts([
    stated('2026-01-01', ['Mia', 'lives in', 'Oslo']),
    stated('2026-06-15', ['Mia', 'lives in', 'Bergen'], { fact: { confidence: 0.6 } }),
    stated('2026-07-01', ['Mia', 'moved to', 'Bergen in May'])
  ])
  expect(facts.map(told)).toEqual([
    'lives in Oslo 2026-01-01 to 2026-05-01',
    'moved to Bergen in May 2026-05-01 to now'
  ])
})

test('ends nothing for predicates with many values', () => {
  const facts = resolveFacts([
    stated('2026-01-01', ['Mia', 'likes', 'skiing']),
    stated('2026-02-01', ['Mia', 'likes', 'rowing'])
  ])
  expect(selectCurrent(facts)).toHaveLength(2)
})

test('keeps a small flat and a town side by side', () => {
  const facts = resolveFacts([
    stated('2026-01-01', ['Mia', 'lives in', 'Oslo']),
    stated('2026-02-01', ['Mia', 'lives in', 'a small flat']),
    stated('2026-03-01', ['Mia', 'lives in', 'Oslo, Norway'])
  ])
  expect(selectCurrent(facts)).toHaveLength(3)
})

test('keeps a town and a country side by side, except after a move', () => {
  const said = [
    stated('2026-01-01', ['Mia', 'lives in', 'Norway']),
    stated('2026-02-01', ['Mia', 'lives in', 'Oslo']),
    stated('2026-03-01', ['Mia', 'is living in', 'Vik'])
  ]
  expect(selectCurrent(resolveFacts(said)).map(({ value }) => value)).toEqual(['Norway', 'Vik'])
  const gone = [...said, stated('2026-04-01', ['Mia', 'no longer lives in', 'Vik'])]
  expect(selectCurrent(resolveFacts(gone)).map(({ value }) => value)).toEqual(['Norway'])
  const moved = [...said, stated('2026-04-01', ['Mia', 'moved to', 'Rome'])]
  expect(selectCurrent(resolveFacts(moved)).map(({ value }) => value)).toEqual(['Rome'])
})

test.each([
  ['no longer works at', {}],
  ['left', {}],
  ["doesn't work for", { negated: true as const }],
  ['was fired from', {}],
  ['used to work at', {}]
])('ends employment when a person %s a place', (predicate, fact) => {
  const facts = resolveFacts([
    stated('2026-01-01', ['Ole', 'works at', 'Northwind']),
    stated('2026-04-01', ['Ole', predicate, 'Northwind'], { fact })
  ])
  expect(facts.map(told)).toContain('works at Northwind 2026-01-01 to 2026-04-01')
})

test('ignores an end of another place and an end before the start', () => {
  const facts = resolveFacts([
    stated('2026-02-01', ['Ole', 'works at', 'Northwind']),
    stated('2026-03-01', ['Ole', 'left', 'Southwind']),
    stated('2026-01-01', ['Ole', 'left', 'Northwind'])
  ])
  expect(facts.map(told)).toContain('works at Northwind 2026-02-01 to now')
})

test('never counts a wanted, possible or denied fact as current, and ends nothing with it', () => {
  const facts = resolveFacts([
    stated('2026-01-01', ['Mia', 'lives in', 'Oslo']),
    stated('2026-02-01', ['Mia', 'wants to move to', 'Rome'], { fact: { modality: 'wanted' } }),
    stated('2026-03-01', ['Mia', 'would live in', 'Paris']),
    stated('2026-04-01', ['Mia', 'does not live in', 'Turin'], { fact: { negated: true } })
  ])
  expect(selectCurrent(facts).map(({ value }) => value)).toEqual(['Oslo'])
  expect(facts).toHaveLength(4)
  expect(facts.find(({ value }) => value === 'Turin')).toMatchObject({ negated: true, valid_to: null })
})

test('ends a denial when the fact holds again', () => {
  const facts = resolveFacts([
    stated('2026-01-01', ['Ole', 'does not work at', 'Northwind'], { fact: { negated: true } }),
    stated('2026-02-01', ['Ole', 'joined', 'Northwind'])
  ])
  expect(facts.map(told)).toEqual([
    'does not work at Northwind 2026-01-01 to 2026-02-01',
    'joined Northwind 2026-02-01 to now'
  ])
})

test('records different values of one time as mutual contradictions', () => {
  const [one, other] = [
    stated('2026-01-01', ['the shop', 'phone', '12'], { id: 'a' }),
    stated('2026-01-01', ['the shop', 'phone', '13'], { id: 'b' })
  ]
  const facts = resolveFacts([one, other])
  expect(facts.map(({ value, contradicted_by }) => [value, contradicted_by])).toEqual([
    ['12', ['b']],
    ['13', ['a']]
  ])
  expect(selectCurrent(facts)).toHaveLength(2)
})

test('does not contradict values that one memory lists together', () => {
  const facts = resolveFacts([
    stated('2026-01-01', ['the shop', 'phone', '12'], { id: 'a' }),
    stated('2026-01-01', ['the shop', 'phone', '13'], { id: 'a' })
  ])
  expect(facts.flatMap(({ contradicted_by }) => contradicted_by)).toEqual([])
})

test('records a claim and its denial of the same time as a contradiction', () => {
  const facts = resolveFacts([
    stated('2026-01-01', ['the ferry', 'stops at', 'Vik'], { id: 'a' }),
    stated('2026-01-01', ['the ferry', 'does not stop at', 'Vik'], { id: 'b', fact: { negated: true } })
  ])
  expect(facts.map(({ contradicted_by }) => contradicted_by)).toEqual([['b'], ['a']])
})

test('records another birthday as a contradiction, whenever it was stated', () => {
  const facts = resolveFacts([
    stated('2026-01-01', ['Mia', 'birthday', '3 May'], { id: 'a' }),
    stated('2026-02-01', ["Mia's birthday", 'is', '4 May'], { id: 'b' })
  ])
  expect(facts.map(({ value, contradicted_by }) => [value, contradicted_by])).toEqual([
    ['3 May', ['b']],
    ['4 May', ['a']]
  ])
  expect(selectCurrent(facts).map(({ value }) => value)).toEqual(['4 May'])
})

test('supports known values by a source without a time, and ends nothing', () => {
  const facts = resolveFacts([
    stated('2026-01-01', ['Mia', 'lives in', 'Oslo']),
    stated('2026-09-01', ['Mia', 'lives in', 'Oslo'], { undated: true, id: 'old notes' }),
    stated('2026-09-01', ['Mia', 'lives in', 'Rome'], { undated: true, id: 'older notes' })
  ])
  expect(facts.map(told)).toEqual(['lives in Rome ever to now', 'lives in Oslo 2026-01-01 to now'])
  expect(facts[1]).toMatchObject({ contradicted_by: ['older notes'] })
  expect(facts[1]?.source_ids).toContain('old notes')
})

test.each<[string, [string, string, string], [string, string, string]]>([
  ['a new number', ['The rent', 'is', '900 euros'], ['the rent', 'is', '950 euros now']],
  ['the value it was changed to', ['The door code', 'is', '1234'], ['The door code', 'was changed to', '5678']],
  ['a new one', ["Mia's boss", 'is', 'Ole'], ["Mia's new boss", 'is', 'Eva']],
  [
    'the place it was moved to',
    ['the date of the fair', 'is', '3 May'],
    ['The date of the fair', 'has been moved to', 'June']
  ],
  ['a statement that it no longer holds', ['The door code', 'is', '1234'], ['The door code', 'is no longer', '1234']],
  ['a denial with anymore', ['Mia', 'likes', 'tea'], ['Mia', "doesn't like", 'tea anymore']]
])('ends a value by %s', (_, before, after) => {
  const facts = resolveFacts([stated('2026-01-01', before), stated('2026-02-01', after)])
  expect(facts.map(told)).toContain(`${before[1]} ${before[2]} 2026-01-01 to 2026-02-01`)
})

test('does not compare numbers of other, of several, or of differently measured things', () => {
  const facts = resolveFacts([
    stated('2026-01-01', ['the mast', 'is', '30 feet high']),
    stated('2026-02-01', ['the mast', 'is', '2 feet wide']),
    stated('2026-03-01', ['the mast', 'is', 'expensive']),
    stated('2026-01-01', ['the codes', 'are', '12']),
    stated('2026-02-01', ['the codes', 'are', '34']),
    stated('2026-01-01', ['room', 'is', '12']),
    stated('2026-02-01', ['room', 'is', '34'])
  ])
  expect(selectCurrent(facts)).toHaveLength(7)
})

test('ends a fact with used to at its statement, with an unknown start', () => {
  const facts = resolveFacts([
    stated('2026-03-01', ['Mia', 'used to live in', 'Vik']),
    stated('2026-02-01', ['Mia', 'used to live in', 'Vik']),
    stated('2026-02-01', ['Mia', 'used to live in', 'Oslo in 2019']),
    stated('2026-02-01', ['Ole', 'used to play', 'chess'], { undated: true }),
    stated('2026-02-01', ['Ole', 'is used to', 'snow'])
  ])
  expect(facts.map(told)).toEqual([
    'used to live in Vik ever to 2026-02-01',
    'used to live in Oslo in 2019 2019-01-01 to 2026-02-01',
    'is used to snow 2026-02-01 to now',
    'used to play chess ever to 2026-02-01'
  ])
  expect(facts[0]?.source_ids).toHaveLength(2)
  expect(selectCurrent(facts).map(({ value }) => value)).toEqual(['snow'])
})

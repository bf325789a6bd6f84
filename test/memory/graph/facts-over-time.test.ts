import { expect, test } from 'vitest'
import { resolveFacts, selectCurrent } from '../../../src/memory/graph/resolve-facts.ts'
import { stated, timeOf, told } from './graph-kit.ts'

test('of a predicate that takes one value the later one ends the earlier', () => {
  const facts = resolveFacts([
    stated('2026-03-01', ['Mia', 'moved to', 'Bergen']),
    stated('2026-01-01', ['Mia', 'lives in', 'Oslo'])
  ])
  expect(facts.map(told)).toEqual(['lives in Oslo 2026-01-01 to 2026-03-01', 'moved to Bergen 2026-03-01 to now'])
  expect(selectCurrent(facts).map(({ value }) => value)).toEqual(['Bergen'])
  expect(selectCurrent(facts, timeOf('2026-02-01')).map(({ value }) => value)).toEqual(['Oslo'])
  expect(selectCurrent(facts, timeOf('2025-12-31'))).toEqual([])
})

test('what comes back after an end is a second stretch of time', () => {
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

test('the time that a fact states counts before the time at which it was said', () => {
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

test('predicates that take many values end nothing', () => {
  const facts = resolveFacts([
    stated('2026-01-01', ['Mia', 'likes', 'skiing']),
    stated('2026-02-01', ['Mia', 'likes', 'rowing'])
  ])
  expect(selectCurrent(facts)).toHaveLength(2)
})

test('a small flat and a town are no rivals', () => {
  const facts = resolveFacts([
    stated('2026-01-01', ['Mia', 'lives in', 'Oslo']),
    stated('2026-02-01', ['Mia', 'lives in', 'a small flat']),
    stated('2026-03-01', ['Mia', 'lives in', 'Oslo, Norway'])
  ])
  expect(selectCurrent(facts)).toHaveLength(3)
})

test('a town and a country are no rivals, but who moved lives elsewhere', () => {
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
])('who %s a place worked there until then', (predicate, fact) => {
  const facts = resolveFacts([
    stated('2026-01-01', ['Ole', 'works at', 'Northwind']),
    stated('2026-04-01', ['Ole', predicate, 'Northwind'], { fact })
  ])
  expect(facts.map(told)).toContain('works at Northwind 2026-01-01 to 2026-04-01')
})

test('an end of another place ends nothing, nor does one that comes before', () => {
  const facts = resolveFacts([
    stated('2026-02-01', ['Ole', 'works at', 'Northwind']),
    stated('2026-03-01', ['Ole', 'left', 'Southwind']),
    stated('2026-01-01', ['Ole', 'left', 'Northwind'])
  ])
  expect(facts.map(told)).toContain('works at Northwind 2026-02-01 to now')
})

test('what is wanted, possible or denied never holds and ends nothing else', () => {
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

test('what holds again ends its denial', () => {
  const facts = resolveFacts([
    stated('2026-01-01', ['Ole', 'does not work at', 'Northwind'], { fact: { negated: true } }),
    stated('2026-02-01', ['Ole', 'joined', 'Northwind'])
  ])
  expect(facts.map(told)).toEqual([
    'does not work at Northwind 2026-01-01 to 2026-02-01',
    'joined Northwind 2026-02-01 to now'
  ])
})

test('different values of one time contradict each other, in both', () => {
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

test('several values that one memory lists do not contradict each other', () => {
  const facts = resolveFacts([
    stated('2026-01-01', ['the shop', 'phone', '12'], { id: 'a' }),
    stated('2026-01-01', ['the shop', 'phone', '13'], { id: 'a' })
  ])
  expect(facts.flatMap(({ contradicted_by }) => contradicted_by)).toEqual([])
})

test('what is denied at the very time at which it is said is a contradiction', () => {
  const facts = resolveFacts([
    stated('2026-01-01', ['the ferry', 'stops at', 'Vik'], { id: 'a' }),
    stated('2026-01-01', ['the ferry', 'does not stop at', 'Vik'], { id: 'b', fact: { negated: true } })
  ])
  expect(facts.map(({ contradicted_by }) => contradicted_by)).toEqual([['b'], ['a']])
})

test('a birthday does not change: another one contradicts, whenever it was said', () => {
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

test('a source without a time supports what is known and ends nothing', () => {
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
  ['a number of the same', ['The rent', 'is', '900 euros'], ['the rent', 'is', '950 euros now']],
  ['what it was changed to', ['The door code', 'is', '1234'], ['The door code', 'was changed to', '5678']],
  ['a new one', ["Mia's boss", 'is', 'Ole'], ["Mia's new boss", 'is', 'Eva']],
  [
    'where it was moved',
    ['the date of the fair', 'is', '3 May'],
    ['The date of the fair', 'has been moved to', 'June']
  ],
  ['that it is no longer so', ['The door code', 'is', '1234'], ['The door code', 'is no longer', '1234']],
  ['that she does not any more', ['Mia', 'likes', 'tea'], ['Mia', "doesn't like", 'tea anymore']]
])('a value ends by %s', (_, before, after) => {
  const facts = resolveFacts([stated('2026-01-01', before), stated('2026-02-01', after)])
  expect(facts.map(told)).toContain(`${before[1]} ${before[2]} 2026-01-01 to 2026-02-01`)
})

test('numbers of other things, of several, or of another measure do not compete', () => {
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

test('what used to be so was over when it was said, since when nobody knows', () => {
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

import { expect, test } from 'vitest'
import { createClaimReader } from '../../../src/memory/graph/claim.ts'
import { cpuMs } from '../../setup/cpu-time.ts'
import { stated } from './graph-kit.ts'

const claimOf = createClaimReader()

type Words = [string, string, string]

test.each<[Words, Words]>([
  [
    ["Ole's phone number", 'is', '12'],
    ['ole', 'phone', '12']
  ],
  [
    ['The owner of the boathouse', 'is', 'Mia'],
    ['boathouse', 'owner', 'mia']
  ],
  [
    ['Mia', 'is', 'the owner of the boathouse'],
    ['boathouse', 'owner', 'mia']
  ],
  [
    ['Mia', 'owns', 'the boathouse'],
    ['boathouse', 'owner', 'mia']
  ],
  [
    ['Oslo', 'is', 'the capital of Norway'],
    ['norway', 'capital', 'oslo']
  ],
  [
    ['Oslo', 'is the capital of', 'Norway'],
    ['norway', 'capital', 'oslo']
  ],
  [
    ['Mia', 'is', '41 years old'],
    ['mia', 'age', '41']
  ],
  [
    ["Mia's favourite dish", 'is', 'fish soup'],
    ['mia', 'favorite_dish', 'fish soup']
  ],
  [
    ['the lift', 'is', 'still broken'],
    ['lift', 'status', 'broken']
  ],
  [
    ['Mia', 'got', 'married to Ole'],
    ['mia', 'married_to', 'ole']
  ],
  [
    ['Mia', 'is', 'located in Bergen'],
    ['mia', 'located_in', 'bergen']
  ],
  [
    ['Ole', 'used', 'to live in Vik'],
    ['ole', 'used_to_live_in', 'vik']
  ],
  [
    ['Ole', 'quit', 'his job at Northwind'],
    ['ole', 'quit', 'northwind']
  ],
  [
    ['Ole', 'has moved from', 'Vik to Oslo'],
    ['ole', 'lives_in', 'oslo']
  ],
  [
    ['Ole', 'moved to', 'Oslo from Vik'],
    ['ole', 'lives_in', 'oslo']
  ],
  [
    ['Ole', "doesn't work for", 'Northwind anymore'],
    ['ole', 'works_at', 'northwind']
  ],
  [
    ['Mia Berg <mia@post.example>', 'likes', 'tea'],
    ['mia berg', 'like', 'tea']
  ]
])('reads %j as %j', (words, [subject, predicate, value]) => {
  expect(claimOf(stated('2026-01-01', words))).toMatchObject({ subject, predicate, value })
})

test.each<[Words, string]>([
  [['the build server', 'is at', 'capacity'], 'be_at'],
  [['Ole', 'prefers', 'rebasing over merging'], 'prefer'],
  [['Ole', 'is', 'a bit late to the standup'], 'be'],
  [['Ole', 'likes', 'living in Oslo'], 'like'],
  [['Ole', 'wants', 'to live in Oslo'], 'want'],
  [['Ole', 'worked at', 'Northwind'], 'worked_at'],
  [['Ole', 'joined', 'a choir last week'], 'joined'],
  [['Ole', 'moved to', 'tears'], 'moved_to'],
  [['Ole', 'is', 'ready'], 'be'],
  [['It', 'is', 'the capital of Norway'], 'be'],
  [['Ole', 'left', 'early to catch the ferry'], 'left'],
  [['Mia', 'owns', 'a boat'], 'owner_of'],
  [['the road', 'is', 'open to the public'], 'be'],
  [['Mia', 'is', 'the mother of Ole'], 'be']
])('reads no more than stated from %j', (words, predicate) => {
  const claim = claimOf(stated('2026-01-01', words))
  expect(claim.predicate).toBe(predicate)
  expect(claim.meaning.isSingle).toBe(false)
})

test.each([
  ['Oslo in May', '2025-05-01'],
  ['Oslo in January', '2026-01-01'],
  ['Oslo in May 2020', '2020-05-01'],
  ['Oslo in 2019', '2019-01-01'],
  ['Oslo on 3 June 2021', '2021-06-03'],
  ['Oslo on June 3rd, 2021', '2021-06-03'],
  ['Oslo on 2021-06-03', '2021-06-03'],
  ['Oslo since early March', '2025-03-01'],
  ['Oslo two years ago', '2024-01-01'],
  ['Oslo 3 months ago', '2025-11-01'],
  ['Oslo last month', '2026-01-01'],
  ['Oslo last week', '2026-02-03'],
  ['Oslo yesterday', '2026-02-09'],
  ['Oslo', '2026-02-10']
])('reads a move to %s as living in Oslo from %s', (value, from) => {
  const claim = claimOf(stated('2026-02-10', ['Ole', 'moved to', value]))
  expect([claim.value, claim.from?.slice(0, 10)]).toEqual(['oslo', from])
})

test('keeps a time that is the value itself, or a place named like one', () => {
  expect(claimOf(stated('2026-01-01', ['the report', 'is due on', '5 May 2026'])).value).toBe('5 may 2026')
  expect(claimOf(stated('2026-01-01', ['Ole', 'lives in', 'May'])).value).toBe('may')
})

test('reads only complete dates from a source without a time', () => {
  const at = (value: string) => claimOf(stated('2026-01-01', ['Ole', 'moved to', value], { undated: true })).from
  expect([at('Oslo in 2019'), at('Oslo in May'), at('Oslo')]).toEqual([
    '2019-01-01T00:00:00.000Z',
    undefined,
    undefined
  ])
})

test('extends a claim with since up to the time of its statement', () => {
  const claim = claimOf(stated('2026-02-10', ['Ole', 'has lived in', 'Oslo since May 2020']))
  expect([claim.from, claim.until]).toEqual(['2020-05-01T00:00:00.000Z', '2026-02-10T00:00:00.000Z'])
})

test.each([' from ', ' to ', 'a', 'a ', ' in May', ', ', "Mia's ", ' of ', 'the ', '\n', '1', ' anymore', ' <(', 'É'])(
  'reads a very long fact of %j in linear time',
  async (part) => {
    const long = `${part.repeat(Math.ceil(200_000 / part.length))}\nx`
    const ms = await cpuMs(() => {
      for (const predicate of ['is', 'moved from', 'lives in', 'owns', 'left', 'joined', 'moved to', long]) {
        expect(claimOf(stated('2026-01-01', ['Mia', predicate, long])).value).not.toBe('')
        expect(claimOf(stated('2026-01-01', [long, predicate, 'Oslo'])).subject).not.toBe('')
        expect(claimOf(stated('2026-01-01', ["Mia's boss", predicate, `Oslo ${long}`])).value).not.toBe('')
      }
    })
    expect(ms).toBeLessThan(CPU_MS_MAX)
  }
)

/** Processor time, for work that takes a quarter of a second. */
const CPU_MS_MAX = 10_000

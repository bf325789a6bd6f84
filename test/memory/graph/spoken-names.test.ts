import { expect, test } from 'vitest'
import { splitSpokenNames } from '../../../src/memory/graph/read-names.ts'

test.each<[string, string, string[]]>([
  ['Robert (Bob) Dahl', 'Robert Dahl', ['Bob Dahl']],
  ['Robert "Bob" Dahl', 'Robert Dahl', ['Bob Dahl']],
  ['Kari Moe (Kiki)', 'Kari Moe', ['Kiki']],
  ['Kari Moe <kari@post.example>', 'Kari Moe', ['kari@post.example']],
  ['"Moe, Kari" <kari@post.example>', 'Moe, Kari', ['kari@post.example']],
  ['Robert Dahl, aka Bobby', 'Robert Dahl', ['Bobby']],
  ['Robert Dahl (also known as Bobby)', 'Robert Dahl', ['Bobby']]
])('splits %s into %s and %j', (wording, name, others) => {
  expect(splitSpokenNames(wording)).toEqual({ name, others })
})

test.each([
  'Kari Moe',
  'the ferry (old)',
  'the song "Rain"',
  'a < b',
  'well known as such',
  `Kari (${'K'.repeat(300)})`
])('keeps %s as one name', (wording) => {
  expect(splitSpokenNames(wording)).toBeUndefined()
})

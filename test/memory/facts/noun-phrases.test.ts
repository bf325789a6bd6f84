import { expect, test } from 'vitest'
import { factsIn, recordsIn } from './facts-in.ts'

test('an apposition says what somebody is', () => {
  expect(factsIn('Lena, a nurse from Graz, collects stamps.')).toContain('Lena | is | a nurse from Graz')
})

test('names in a list are no appositions', () => {
  const rules = recordsIn('We met Lena, a nurse, and Oskar.', 'Ida').map((fact) => fact.rule)
  expect(rules).not.toContain('apposition.is')
})

test('a role before a name says what the person is', () => {
  expect(factsIn('The violinist Ida Holm lives in Oslo.')).toContain('Ida Holm | is | violinist')
})

test('a possessive says who has what, at a lower confidence than a clause', () => {
  const [clause, fact] = recordsIn("Peter's boat leaks oil.")
  expect(fact).toMatchObject({ rule: 'possessive.has', subject: 'Peter', predicate: 'has', value: 'boat' })
  expect(fact?.confidence).toBeLessThan((clause?.confidence ?? 0) - 0.2)
})

test('a time is owned by nobody', () => {
  expect(factsIn("Monday's meeting lasted an hour.").filter((fact) => fact.includes('| has |'))).toEqual([])
})

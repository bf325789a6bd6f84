import { expect, test } from 'vitest'
import { factsIn, recordsIn } from './facts-in.ts'

test('reads an apposition as a description', () => {
  expect(factsIn('Lena, a nurse from Graz, collects stamps.')).toContain('Lena | is | a nurse from Graz')
})

test('does not read names in a list as appositions', () => {
  const rules = recordsIn('We met Lena, a nurse, and Oskar.', 'Ida').map((fact) => fact.rule)
  expect(rules).not.toContain('apposition.is')
})

test('reads a role before a name as a description of the person', () => {
  expect(factsIn('The violinist Ida Holm lives in Oslo.')).toContain('Ida Holm | is | violinist')
})

test('reads a possessive as ownership, with a lower confidence than a clause', () => {
  const [clause, fact] = recordsIn("Peter's boat leaks oil.")
  expect(fact).toMatchObject({ rule: 'possessive.has', subject: 'Peter', predicate: 'has', value: 'boat' })
  expect(fact?.confidence).toBeLessThan((clause?.confidence ?? 0) - 0.02)
})

test('does not read a time as owned', () => {
  expect(factsIn("Monday's meeting lasted an hour.").filter((fact) => fact.includes('| has |'))).toEqual([])
})

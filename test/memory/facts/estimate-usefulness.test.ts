import { expect, test } from 'vitest'
import type { FactRecord } from '../../../src/contract/snapshot.ts'
import { isSeldomUseful, listUseFeatures } from '../../../src/memory/facts/estimate-usefulness.ts'

const fact = (subject: string, predicate: string, value: string): FactRecord => ({
  subject,
  predicate,
  value,
  rule: 'clause.plain',
  span: [0, 1],
  confidence: 0.9
})

test('counts content words without the name of the speaker, which stands for a pronoun', () => {
  const features = listUseFeatures(fact('Ida', 'restored', "Ida's old harmonium in 2019"), 'Ida')
  expect(features).toEqual(['base', 'words.2', 'words.3', 'subject.speaker', 'value.number'])
})

test.each(['I.D (a*)', 'Salt & Sail', 'Ben-Jo, K!', '[x]{2}|^$\\/+?'])(
  'takes signs in the name of a speaker literally: %s',
  (name) => {
    expect(listUseFeatures(fact(name, 'sold', `${name}'s boat`), name)).toEqual(['base', 'subject.speaker'])
  }
)

test('judges only what speakers say of themselves in talk', () => {
  const curious = fact('Ida', 'got', 'curious')
  expect(isSeldomUseful(curious, 'Ida')).toBe(true)
  expect(isSeldomUseful(curious, 'Karl')).toBe(false)
  expect(isSeldomUseful(curious, undefined)).toBe(false)
  expect(isSeldomUseful({ ...curious, rule: 'list.task' }, 'Ida')).toBe(false)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { StatedFact } from '../../../src/memory/graph/fact-over-time.ts'
import { buildGraph } from '../../../src/memory/graph/graph.ts'
import { isCurrentAt, resolveFacts, selectCurrent } from '../../../src/memory/graph/resolve-facts.ts'
import { memory, timeOf } from './graph-kit.ts'

const RUNS = process.env.SLOW ? 20_000 : 150

const SUBJECTS = ['Mia', 'mia', "Mia's phone", 'the pump', 'Mia Berg', 'Mia (Mimi) Berg']
const PREDICATES = [
  'lives in',
  'moved to',
  'no longer lives in',
  'left',
  'is',
  'likes',
  'birthday',
  'would live in',
  'phone',
  'owns'
]
const VALUES = [
  'Oslo',
  'Oslo, Norway',
  'oslo',
  'Rome in May',
  'a flat',
  'open',
  'closed',
  'the pump',
  '12',
  'Oslo since 2020'
]
const DAYS = ['2025-01-01', '2025-02-01', '2025-03-01', '2025-06-01']

const statedFact: fc.Arbitrary<StatedFact> = fc.record({
  fact: fc.record(
    {
      subject: fc.constantFrom(...SUBJECTS),
      predicate: fc.constantFrom(...PREDICATES),
      value: fc.constantFrom(...VALUES),
      rule: fc.constantFrom('a.b', 'c.d'),
      span: fc.constantFrom<[number, number][]>([0, 4], [5, 9]),
      confidence: fc.constantFrom(0.5, 0.8),
      negated: fc.constant(true as const),
      modality: fc.constantFrom('wanted' as const, 'possible' as const)
    },
    { requiredKeys: ['subject', 'predicate', 'value', 'rule', 'span'] }
  ),
  source: fc.constantFrom(...DAYS.flatMap((day) => ['x', 'y'].map((name) => sourceOf(day, name))))
})

function sourceOf(day: string, name: string): StatedFact['source'] {
  const undated = day.endsWith('06-01') && name === 'y'
  return { id: `${day} ${name}`, at: timeOf(day), speaker: name, ...(undated && { undated }) }
}

const statedFacts = fc.array(statedFact, { maxLength: 14 })

test('gives the same result for any order of facts', () => {
  const shuffled = statedFacts.chain((facts) =>
    fc.tuple(fc.constant(facts), fc.shuffledSubarray(facts, { minLength: facts.length }))
  )
  fc.assert(
    fc.property(shuffled, ([facts, others]) => {
      expect(resolveFacts(others)).toEqual(resolveFacts(facts))
    }),
    { numRuns: RUNS }
  )
})

test('counts a repeated fact once', () => {
  fc.assert(
    fc.property(statedFacts, (facts) => {
      expect(resolveFacts([...facts, ...facts])).toEqual(resolveFacts(facts))
    }),
    { numRuns: RUNS }
  )
})

test('neither loses nor invents facts', () => {
  fc.assert(
    fc.property(statedFacts, (facts) => {
      const told = resolveFacts(facts)
      const ids = (lists: readonly string[]) => [...new Set(lists)].sort()
      expect(ids(told.flatMap(({ source_ids }) => source_ids))).toEqual(ids(facts.map(({ source }) => source.id)))
      for (const { valid_from, valid_to, source_ids, confidence } of told) {
        expect(valid_to === null || (valid_from ?? '') < valid_to).toBe(true)
        expect(new Set(source_ids).size).toBe(source_ids.length)
        expect(confidence).toBeGreaterThan(0)
        expect(confidence).toBeLessThan(1)
      }
    }),
    { numRuns: RUNS }
  )
})

test('keeps one named place at a time, except for contradictions', () => {
  fc.assert(
    fc.property(statedFacts, fc.constantFrom(...DAYS), (facts, day) => {
      const held = selectCurrent(resolveFacts(facts), timeOf(day))
      const homes = held.filter(({ keys }) => keys.predicate === 'lives_in' && /^(?:oslo|rome)$/.test(keys.value))
      for (const home of homes) {
        const rivals = homes.filter(
          (other) => other.keys.subject === home.keys.subject && other.keys.value !== home.keys.value
        )
        if (rivals.length > 0) expect(home.contradicted_by.length).toBeGreaterThan(0)
      }
      expect(held.every((one) => isCurrentAt(one, timeOf(day)) && !one.negated && one.modality === undefined)).toBe(
        true
      )
    }),
    { numRuns: RUNS }
  )
})

test('gives the same graph for any order and repetition of records', () => {
  const words = fc.tuple(fc.constantFrom(...SUBJECTS), fc.constantFrom(...PREDICATES), fc.constantFrom(...VALUES))
  const records = fc
    .array(fc.tuple(fc.array(words, { maxLength: 3 }), fc.constantFrom(undefined, 'Mia', 'Mia Berg', 'Ole')), {
      maxLength: 8
    })
    .map((list) => list.map(([facts, speaker], n) => memory(n + 1, facts, speaker === undefined ? {} : { speaker })))
  const shuffled = records.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray([...list, ...list], { minLength: list.length * 2 }))
  )
  fc.assert(
    fc.property(shuffled, ([list, others]) => {
      expect(buildGraph(others)).toEqual(buildGraph(list))
    }),
    { numRuns: RUNS }
  )
})

test('never throws, whatever the words', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 })
  const odd = fc.record({
    fact: fc.record({
      subject: text,
      predicate: text,
      value: text,
      rule: text,
      span: fc.constant<[number, number]>([0, 1])
    }),
    source: fc.record({ id: text, at: text, speaker: fc.option(text, { nil: undefined }) })
  })
  fc.assert(
    fc.property(fc.array(odd, { maxLength: 6 }), (facts) => Array.isArray(resolveFacts(facts))),
    { numRuns: RUNS }
  )
})

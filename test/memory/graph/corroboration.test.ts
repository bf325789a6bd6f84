import { expect, test } from 'vitest'
import type { FactSource } from '../../../src/memory/graph/fact-over-time.ts'
import { resolveFacts } from '../../../src/memory/graph/resolve-facts.ts'
import { stated } from './graph-kit.ts'

const CLAIM = ['the bridge', 'crosses', 'the fjord'] as const

function confidenceOf(sources: readonly Partial<FactSource>[], confidence = 0.6) {
  const facts = sources.map((source, n) =>
    stated('2026-01-01', CLAIM, { id: `m${n}`, ...source, fact: { confidence } })
  )
  return resolveFacts(facts)[0]?.confidence
}

test('raises the confidence with independent sources, up to a limit', () => {
  expect(confidenceOf([{ speaker: 'Mia' }])).toBeCloseTo(0.6)
  expect(confidenceOf([{ speaker: 'Mia' }, { speaker: 'Ole' }])).toBeCloseTo(0.84)
  expect(confidenceOf([{ conversation: 'a' }, { conversation: 'b' }])).toBeCloseTo(0.84)
  expect(confidenceOf(Array.from({ length: 50 }, (_, n) => ({ speaker: `S${n}` })))).toBe(0.99)
})

test('counts one speaker in one conversation as one source', () => {
  const source = { speaker: 'Mia', conversation: 'a' }
  expect(confidenceOf([source, source, source])).toBeCloseTo(0.6)
})

test('counts a memory without speaker and conversation as its own source', () => {
  expect(confidenceOf([{}, {}])).toBeCloseTo(0.84)
  expect(confidenceOf([{ id: 'm' }, { id: 'm' }])).toBeCloseTo(0.6)
})

test('takes words and span from the most confident source, then the earliest', () => {
  const [fact] = resolveFacts([
    stated('2026-01-01', ['The Bridge', 'crosses', 'the Fjord'], { id: 'a', fact: { confidence: 0.5, span: [1, 2] } }),
    stated('2026-03-01', ['the bridge', 'crosses', 'the fjord'], { id: 'c', fact: { confidence: 0.9, span: [5, 6] } }),
    stated('2026-02-01', ['a bridge', 'crosses', 'the fjord'], { id: 'b', fact: { confidence: 0.9, span: [3, 4] } })
  ])
  expect(fact).toMatchObject({ subject: 'a bridge', span: [3, 4], source_ids: ['b', 'a', 'c'] })
  expect(fact?.valid_from).toBe('2026-01-01T00:00:00.000Z')
})

test('assumes half confidence for a fact that states none', () => {
  const one = stated('2026-01-01', CLAIM)
  const { confidence: _confidence, ...fact } = one.fact
  expect(resolveFacts([{ ...one, fact }])[0]?.confidence).toBe(0.5)
})

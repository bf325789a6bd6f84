import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The verdicts of two readers on one fact, with the confidence that it had when they read it. */
type Verdict = { sample: number; kind: string; confidence: number; true: boolean[] }

const VERDICTS: Verdict[] = readFileSync(new URL('reader-verdicts.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

/**
 * A tenth with fewer facts says little: 40 facts of which 92 % are true have a standard error of 4 points. For the same
 * reason the samples are joined.
 */
const FACTS_MIN = 40
const POINTS_MAX = 8

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const points = (share: number): number => Math.round(share * 1000) / 10

test('facts are true as often as their confidence says, in each tenth of confidence', () => {
  const tenths = new Map<number, Verdict[]>()
  for (const fact of VERDICTS.filter(({ kind }) => kind === 'fact')) {
    const tenth = Math.min(9, Math.floor(fact.confidence * 10))
    tenths.set(tenth, [...(tenths.get(tenth) ?? []), fact])
  }
  const large = [...tenths].filter(([, facts]) => facts.length >= FACTS_MIN)
  expect(large.length).toBeGreaterThan(2)
  for (const [tenth, facts] of large) {
    const confidence = points(mean(facts.map((fact) => fact.confidence)))
    const share = points(mean(facts.map((fact) => mean(fact.true.map(Number)))))
    const title = `tenth ${tenth}: confidence ${confidence}, true ${share}`
    expect.soft(Math.abs(share - confidence), title).toBeLessThanOrEqual(POINTS_MAX)
  }
})

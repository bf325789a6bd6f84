import fc from 'fast-check'
import { expect, test } from 'vitest'
import { durationWords, untilWords } from '../../src/cli/output/duration-words.ts'

const NOW = Date.parse('2026-05-01T12:00:00.000Z')
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

test.each([
  [0, '0 ms'],
  [420, '420 ms'],
  [38 * SECOND, '38 s'],
  [2 * MINUTE + 5 * SECOND, '2 min 5 s'],
  [10 * MINUTE, '10 min'],
  [3 * HOUR + 12 * MINUTE + 59 * SECOND, '3 h 12 min'],
  [50 * HOUR, '2 d 2 h'],
  [-1, '0 ms']
])('describes %i ms as %s', (ms, words) => {
  expect(durationWords(ms)).toBe(words)
})

test.each([
  [NOW, 'due now'],
  [NOW - HOUR, 'due now'],
  [NOW + 1, 'in 1 s'],
  [NOW + 45 * SECOND, 'in 45 s'],
  [NOW + 80 * SECOND, 'in 1 min 20 s'],
  [NOW + 2 * MINUTE - 1, 'in 2 min'],
  [NOW + 3 * HOUR + 12 * MINUTE + 29 * SECOND, 'in 3 h 12 min'],
  [NOW + HOUR - 10 * SECOND, 'in 1 h']
])('describes a time at %i as %s', (time, words) => {
  expect(untilWords(new Date(time).toISOString(), NOW)).toBe(words)
})

test('never overstates a time, and understates it by less than one unit', () => {
  const units = { d: 24 * HOUR, h: HOUR, min: MINUTE, s: SECOND }
  const read = (words: string): number =>
    [...words.matchAll(/(\d+) (d|h|min|s)/g)].reduce(
      (sum, [, count, unit]) => sum + Number(count) * units[unit as keyof typeof units],
      0
    )
  fc.assert(
    fc.property(fc.integer({ min: SECOND, max: 100 * 24 * HOUR }), (ms) => {
      const words = durationWords(ms)
      const last = words.split(' ').at(-1) as keyof typeof units
      expect(read(words)).toBeLessThanOrEqual(ms)
      expect(words.split(' ').length).toBeLessThanOrEqual(4)
      expect(ms - read(words)).toBeLessThan(last === 's' ? SECOND : Math.max(units[last], HOUR))
    })
  )
})

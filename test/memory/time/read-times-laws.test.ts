import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTimes } from '../../../src/memory/time/read-times.ts'

const RUNS = process.env.SLOW ? 5_000 : 100

const WORDS = [
  ...[
    'yesterday',
    'last',
    'next',
    'two',
    'a few',
    'weeks',
    'ago',
    'in',
    'May',
    'since',
    '2016',
    'the',
    '90s',
    'every',
    '5pm'
  ],
  ...[
    'Friday',
    '12/31',
    '2021-02-30',
    'before',
    'for',
    'years',
    'now',
    'at',
    'Feb 30',
    'Easter',
    ',',
    '-',
    'to',
    '💥',
    '\u0000'
  ],
  ...[
    '0',
    '99999',
    '31st',
    'of',
    'and',
    'between',
    'tomorrow',
    '3:99',
    '25:00',
    'half an hour',
    'summer',
    "New Year's Eve"
  ]
]

const texts = fc.oneof(
  fc.array(fc.constantFrom(...WORDS), { maxLength: 30 }).map((words) => words.join(' ')),
  fc.string({ unit: 'binary', maxLength: 80 })
)
const ats = fc.constantFrom(
  undefined,
  '0000-01-01T00:00:00.000Z',
  '2024-02-29T23:59:59.999Z',
  '9999-12-31T23:59:59.999Z'
)

test('returns ordered times inside the text that begin before they end, for any text', () => {
  fc.assert(
    fc.property(texts, ats, (text, at) => {
      let last = 0
      for (const { start, end, startedAt, endedAt, kind } of readTimes(text, { at })) {
        expect(start).toBeGreaterThanOrEqual(last)
        expect(end).toBeGreaterThan(start)
        expect(end).toBeLessThanOrEqual(text.length)
        if (startedAt !== undefined && endedAt !== undefined) expect(startedAt < endedAt).toBe(true)
        if (kind === 'instant') expect([startedAt, endedAt]).not.toContain(undefined)
        last = end
      }
    }),
    { numRuns: RUNS }
  )
})

test('gives the same result for a section, whatever surrounds it', () => {
  fc.assert(
    fc.property(texts, fc.nat(40), (text, before) => {
      const padded = `${'x '.repeat(before)}${text} y`
      const inside = readTimes(padded, {
        from: 2 * before,
        to: 2 * before + text.length,
        at: '2023-03-15T10:30:00.000Z'
      })
      const alone = readTimes(text, { at: '2023-03-15T10:30:00.000Z' })
      expect(inside.map((time) => ({ ...time, start: time.start - 2 * before, end: time.end - 2 * before }))).toEqual(
        alone
      )
    }),
    { numRuns: RUNS }
  )
})

test('limits the number of times in a text', () => {
  expect(readTimes('on 2021-05-06 or '.repeat(20_000)).length).toBe(200)
})

test.each([
  ['digits', '1'.repeat(200_000)],
  ['dates run together', '1/2/'.repeat(50_000)],
  ['numbers without an end', '12:30-12.30/'.repeat(20_000)],
  ['words without spaces', 'lastnextevery'.repeat(20_000)]
])('reads a long text of %s to its end', (_what, text) => {
  expect(readTimes(`${text} `, { at: '2023-03-15T10:30:00.000Z' }).length).toBeLessThanOrEqual(200)
})

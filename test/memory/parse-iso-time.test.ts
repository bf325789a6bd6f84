import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Time } from '../../src/contract/snapshot.ts'
import { formatTime, parseIsoTime, TIME_TEXT } from '../../src/memory/parse-iso-time.ts'

test.each([
  ['2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z'],
  ['2026-01-02', '2026-01-02T00:00:00.000Z'],
  ['2026-01-02T03:04', '2026-01-02T03:04:00.000Z'],
  ['2026-01-02 03:04:05', '2026-01-02T03:04:05.000Z'],
  [' 2026-01-02T03:04:05Z\n', '2026-01-02T03:04:05.000Z'],
  ['2026-01-02t03:04:05z', '2026-01-02T03:04:05.000Z'],
  ['2026-01-02T03:04:05.1', '2026-01-02T03:04:05.100Z'],
  ['2026-01-02T03:04:05,123456789Z', '2026-01-02T03:04:05.123Z'],
  ['2026-01-02T03:04:05+02:00', '2026-01-02T01:04:05.000Z'],
  ['2026-01-02T03:04:05-0930', '2026-01-02T12:34:05.000Z'],
  ['2026-01-02T03:04:05 +02', '2026-01-02T01:04:05.000Z'],
  ['2024-02-29T23:30:00-01:00', '2024-03-01T00:30:00.000Z'],
  ['0001-01-01', '0001-01-01T00:00:00.000Z'],
  ['0099-12-31T00:00:00Z', '0099-12-31T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z']
])('parses %j as %s', (text, time) => {
  expect(parseIsoTime(text)).toBe(time)
})

test.each([
  ...[
    '',
    'yesterday',
    '2026',
    '2026-01',
    '2026-1-2',
    '02.01.2026',
    '1767323045',
    '2026-01-02T03',
    '2026-01-02T03:04:05.'
  ],
  ...['2026-02-29', '2026-02-30T00:00:00.000Z', '2026-04-31', '2026-00-01', '2026-13-01', '2026-01-00', '2026-01-32'],
  ...['2026-01-02T24:00:00Z', '2026-01-02T03:60:00Z', '2026-01-02T03:04:60Z', '2026-01-02T03:04:05 CET'],
  ...['0000-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00', '+12026-01-02T00:00:00Z', '2026-01-02T03:04:05Zx']
])('rejects %j', (text) => {
  expect(parseIsoTime(text)).toBeUndefined()
})

test('formats and parses any moment of the years 0 to 9999 without loss', () => {
  const moment = fc.integer({
    min: Date.parse('0000-01-01T00:00:00.000Z'),
    max: Date.parse('9999-12-31T23:59:59.999Z')
  })
  fc.assert(
    fc.property(moment, (ms) => {
      const text = formatTime(ms) ?? ''
      expect(Date.parse(text)).toBe(ms)
      expect(parseIsoTime(text)).toBe(text)
      expect(TIME_TEXT.test(text) && Time.safeParse(text).success).toBe(true)
    })
  )
})

test('returns undefined for a moment outside of these years', () => {
  for (const ms of [Number.NaN, Number.POSITIVE_INFINITY, 1e15, -1e15]) expect(formatTime(ms)).toBeUndefined()
})

test('uses the same pattern as the schema', () => {
  const field = (values: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...values)
  const text = fc
    .tuple(
      field(['0000', '2026', '26']),
      field(['00', '01', '12', '13', '1']),
      field(['00', '01', '31', '32']),
      field(['T', 't', ' ']),
      field(['00', '23', '24']),
      field(['59', '60']),
      field(['.000Z', 'Z', '.0Z', '.000+00:00'])
    )
    .map(
      ([year, month, day, mark, hour, minute, end]) => `${year}-${month}-${day}${mark}${hour}:${minute}:${minute}${end}`
    )
  fc.assert(
    fc.property(text, (time) => {
      expect(TIME_TEXT.test(time)).toBe(Time.safeParse(time).success)
    }),
    { numRuns: 500 }
  )
})

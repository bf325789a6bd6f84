import { expect, test } from 'vitest'
import { readRetryAfter } from '../../server/providers/http/read-retry-after.ts'
import { addMillis, type EpochMs, epochNow, type Millis, toEpochMs, toMillis } from '../../src/contract/epoch-ms.ts'

test('rounds a time to the nearest millisecond and a duration up', () => {
  expect([toEpochMs(1.4), toEpochMs(1.5), toEpochMs(-0.2), toMillis(0.001), toMillis(7)]).toEqual([1, 2, 0, 1, 7])
  expect(epochNow({ now: () => 12.75 })).toBe(13)
  expect(addMillis(toEpochMs(1000), 0.6)).toBe(1001)
})

test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 8.64e15 + 1, 2 ** 53])(
  'rejects %s as a time and as a duration',
  (value) => {
    expect(() => toEpochMs(value)).toThrow(RangeError)
    expect(() => toMillis(value)).toThrow(RangeError)
  }
)

test('rejects a negative duration', () => {
  expect(() => toMillis(-1)).toThrow(RangeError)
  expect(Object.is(toMillis(-0.5), 0)).toBe(true)
})

test('rounds Retry-After up if the clock has fractions', () => {
  const headers = new Headers({ 'retry-after': 'Fri, 01 May 2026 12:00:10 GMT' })
  expect(readRetryAfter(headers, Date.parse('2026-05-01T12:00:00.000Z') + 0.4)).toBe(10_000)
})

test('does not type-check a plain number, or a time as a duration', () => {
  const time = (value: EpochMs): number => value
  const duration = (value: Millis): number => value
  // @ts-expect-error a plain number may have a fraction
  expect(time(1.5)).toBe(1.5)
  // @ts-expect-error a sum is a plain number
  expect(time(toEpochMs(1) + 0.5)).toBe(1.5)
  // @ts-expect-error a duration is not a time
  expect(time(toMillis(1))).toBe(1)
  // @ts-expect-error a time is not a duration
  expect(duration(toEpochMs(1))).toBe(1)
})

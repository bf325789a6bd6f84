import { expect, test } from 'vitest'
import { formatDay, formatPeriod, formatPeriodTime } from '../../src/cli/views/explanation-text.ts'

test('shows a time to the minute, midnight as its day, and an absent time as nothing', () => {
  expect(formatPeriodTime('2026-01-02T03:04:05.000Z')).toBe('2026-01-02 03:04')
  expect(formatPeriodTime('2026-01-02T00:00:00.000Z')).toBe('2026-01-02')
  expect(formatPeriodTime('2026-01-02T00:00:07.000Z')).toBe('2026-01-02 00:00')
  expect(formatPeriodTime(null)).toBe('')
  expect(formatDay('2026-01-02T03:04:05.000Z')).toBe('2026-01-02')
})

test('shows the day of a period once if both ends share it', () => {
  expect(formatPeriod('2026-01-02T03:04:00.000Z', '2026-01-02T05:06:00.000Z')).toBe('2026-01-02 03:04 to 05:06')
  expect(formatPeriod('2026-01-02T03:04:00.000Z', '2026-01-03T05:06:00.000Z')).toBe(
    '2026-01-02 03:04 to 2026-01-03 05:06'
  )
  expect(formatPeriod('2026-01-02T03:04:00.000Z', '2026-01-02T03:04:30.000Z')).toBe('2026-01-02 03:04')
  expect(formatPeriod('2026-01-02T03:04:00.000Z', null)).toBe('2026-01-02 03:04')
  expect(formatPeriod(null, null)).toBe('')
})

import { expect, test } from 'vitest'
import { checkZone, parseZonedTime, toZonedTime } from '../../src/ingest/lines/zoned-time.ts'
import { faultOf } from '../device/device-kit.ts'

const show = (time: { ms: number; guessed: boolean } | undefined) =>
  time && { at: new Date(time.ms).toISOString(), guessed: time.guessed }

test.each([
  ['2026-01-05T10:00:00Z', 'Asia/Tokyo', '2026-01-05T10:00:00.000Z', false],
  ['2026-01-05T10:00:00+02:00', 'Asia/Tokyo', '2026-01-05T08:00:00.000Z', false],
  ['2026-01-05', 'UTC', '2026-01-05T00:00:00.000Z', true],
  ['2026-01-05', 'Asia/Tokyo', '2026-01-04T15:00:00.000Z', true],
  ['2026-07-05 10:00', 'Europe/Berlin', '2026-07-05T08:00:00.000Z', true],
  ['2026-01-05T10:00', '-03:30', '2026-01-05T13:30:00.000Z', true],
  // The hour that the clocks skip, and the one that they repeat.
  ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z', true],
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T01:30:00.000Z', true]
])('takes %s in %s as %s', (text, zone, ...[at, guessed]) => {
  expect(show(parseZonedTime(text, zone))).toEqual({ at, guessed })
})

test('rejects texts that are not times, and dates that do not exist', () => {
  expect(parseZonedTime('soon', 'UTC')).toBeUndefined()
  expect(toZonedTime({ year: 2026, month: 2, day: 30 }, 'UTC')).toBeUndefined()
  expect(show(toZonedTime({ year: 2026, month: 2, day: 3, hour: 7, minute: 5 }, 'Asia/Tokyo'))?.at).toBe(
    '2026-02-02T22:05:00.000Z'
  )
})

test('accepts names and offsets of time zones only', async () => {
  expect(['Europe/Berlin', 'UTC', '+02:00'].map(checkZone)).toEqual(['Europe/Berlin', 'UTC', '+02:00'])
  expect(await faultOf(() => checkZone('Berlin'))).toMatchObject({ code: 'usage' })
})

import { expect, test } from 'vitest'
import { startTimeLimit } from '../../../../server/providers/http/time-limit.ts'
import { manualClock } from '../../http/manual-clock.ts'

test('aborts with its reason when the time is over, counted from the last restart', async () => {
  const clock = manualClock()
  const limit = startTimeLimit(clock, 1000, () => 'too late')
  await clock.pass(900)
  limit.restart()
  await clock.pass(900)
  expect(limit.signal.aborted).toBe(false)
  await clock.pass(100)
  expect(limit.signal.reason).toBe('too late')
})

test('never aborts after its end, even if it is restarted, and leaves no wait behind', async () => {
  const clock = manualClock()
  const limit = startTimeLimit(clock, 1000, () => 'too late')
  limit.end()
  limit.restart()
  await clock.pass(5000)
  expect({ aborted: limit.signal.aborted, waiting: clock.waiting() }).toEqual({ aborted: false, waiting: 0 })
})

import { expect, test } from 'vitest'
import { errorLine } from './run-cli.ts'
import { CONNECTION_ID, series } from './scripted-service.ts'
import {
  busySchedule,
  RUNS,
  runScripted as run,
  runUnderWay,
  SCHEDULE,
  SYNC,
  schedule,
  scheduleAfter,
  syncRun,
  TRIGGERED
} from './sync-script.ts'

const WAIT = ['sync', CONNECTION_ID, '--wait']
const EYES = { terminals: ['output', 'errors'] } as const

/** A script in which run 2 is requested and parked. */
function parkedRun(more: Parameters<typeof scheduleAfter>[1]) {
  return {
    [SYNC]: TRIGGERED,
    [SCHEDULE]: series(schedule(), busySchedule(2), scheduleAfter(syncRun(2, { outcome: 'parked' }), more)),
    [RUNS]: [runUnderWay(2)]
  }
}

test('exits 8 if the provider requests a pause, with the time at which the sync continues', async () => {
  const script = parkedRun({ next_sync_at: '2026-05-01T12:30:00.000Z' })
  const ended = await run([...WAIT, '--json'], script)
  expect(ended.code).toBe(8)
  expect(errorLine(ended)).toMatchObject({
    code: 'still_pending',
    message: expect.stringMatching(/requested a pause: .* continues in 30 min \(2026-05-01 12:30 UTC\)/),
    next: [`memctl connections wait ${CONNECTION_ID} --for synced --wait-timeout 40m`]
  })
})

test('waits through a pause that ends before --wait-timeout', async () => {
  const parked = scheduleAfter(syncRun(2, { outcome: 'parked' }), { next_sync_at: '2026-05-01T12:05:00.000Z' })
  const again = syncRun(3, { outcome: 'parked' })
  const parkedAgain = scheduleAfter(again, { next_sync_at: '2026-05-01T12:08:00.000Z' })
  const script = {
    [SYNC]: TRIGGERED,
    [SCHEDULE]: series(
      schedule(),
      busySchedule(2),
      parked,
      parked,
      busySchedule(3),
      parkedAgain,
      scheduleAfter(syncRun(4))
    ),
    [RUNS]: series([runUnderWay(2)], [runUnderWay(3), syncRun(2)], [syncRun(4), again, syncRun(2)])
  }
  const ended = await run([...WAIT, '--json'], script)
  expect({ code: ended.code, run: JSON.parse(ended.stdout) }).toEqual({ code: 0, run: syncRun(4) })
  const paused = syncRun(2, { outcome: 'parked' })
  const eyes = {
    [SYNC]: TRIGGERED,
    [SCHEDULE]: series(schedule(), parked, parked, scheduleAfter(syncRun(3))),
    [RUNS]: series([paused], [syncRun(3), paused])
  }
  const shown = await run(WAIT, eyes, EYES)
  expect(shown.progress.join()).toContain('Waiting for the end of the pause requested by the provider')
})

test('stops waiting if the pause is extended beyond --wait-timeout', async () => {
  const short = scheduleAfter(syncRun(2, { outcome: 'parked' }), { next_sync_at: '2026-05-01T12:05:00.000Z' })
  const long = { ...short, next_sync_at: '2026-05-01T13:00:00.000Z' }
  const script = {
    [SYNC]: TRIGGERED,
    [SCHEDULE]: series(schedule(), short, long),
    [RUNS]: [syncRun(2, { outcome: 'parked' })]
  }
  const ended = await run([...WAIT, '--json'], script)
  expect(ended.code).toBe(8)
  expect(errorLine(ended).message).toMatch(
    /the provider requested a pause: .* continues in .* \(2026-05-01 13:00 UTC\)/
  )
})

test('names the commands that continue a sync whose connection is also paused', async () => {
  const script = parkedRun({ state: 'paused', paused: true })
  const ended = await run([...WAIT, '--json'], script)
  expect(ended.code).toBe(8)
  expect(errorLine(ended)).toMatchObject({
    code: 'still_pending',
    message: expect.stringContaining('does not continue automatically'),
    next: [`memctl connections resume ${CONNECTION_ID}`, `memctl connections sync ${CONNECTION_ID}`]
  })
})

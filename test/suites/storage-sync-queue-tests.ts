import { expect } from 'vitest'
import type { RunEnd } from '../../server/storage/port/sync-storage.ts'

import { toEpochMs } from '../../src/contract/epoch-ms.ts'
import { consent, made, newAttempt, ready } from './storage-connector-things.ts'
import { idAt, type StorageTests } from './storage-place.ts'
import { activeConnection, asked, claimOne, ended } from './storage-queue-things.ts'

/** Tests when connections are due, and what happens to their runs. */
export const QUEUE_TESTS: StorageTests = {
  'releases the connection at the end of a run until its next time': async (open) => {
    const storage = await ready(open)
    await activeConnection(storage, 1)
    const { hold } = await claimOne(storage, 500)
    expect(await storage.endRun(hold, ended(2010))).toBe(true)
    expect(await storage.findConnection(idAt(101))).toMatchObject({
      lastSyncedAt: 2010,
      nextRunAt: toEpochMs(3010),
      lastError: undefined
    })
    expect(await storage.findSchedule(idAt(101))).toMatchObject({
      nextRunAt: toEpochMs(3010),
      runId: undefined,
      leaseUntil: undefined
    })
    expect(await storage.listRuns(idAt(101), { limit: 9 })).toMatchObject([
      { endedAt: toEpochMs(2010), outcome: 'succeeded' }
    ])
    expect(await storage.claimDue(asked(510, { now: toEpochMs(3009) }))).toEqual([])
    expect((await claimOne(storage, 510, { now: toEpochMs(3010) })).hold.fence).toBe(2)
  },

  'stores the error of a failed run at run and connection, until one succeeds': async (open) => {
    const storage = await ready(open)
    await activeConnection(storage, 1)
    const failed = {
      outcome: 'failed',
      error: 'no \0 luck',
      complete: false,
      failures: 3,
      nextRunAt: toEpochMs(2050)
    } as const
    await storage.endRun((await claimOne(storage, 500)).hold, ended(2010, failed))
    expect(await storage.findConnection(idAt(101))).toMatchObject({ lastError: 'no \0 luck', lastSyncedAt: undefined })
    expect(await storage.findRun(idAt(101), idAt(500))).toMatchObject({ outcome: 'failed', error: 'no \0 luck' })
    const again = await claimOne(storage, 510, { now: toEpochMs(2050) })
    expect(again.failures).toBe(3)
    await storage.endRun(again.hold, ended(2060))
    expect(await storage.findConnection(idAt(101))).toMatchObject({ lastError: undefined, lastSyncedAt: 2060 })
    expect((await claimOne(storage, 520, { now: toEpochMs(3060) })).failures).toBe(0)
  },

  'keeps the last error and success after a parked or stopped run': async (open) => {
    const storage = await ready(open)
    await activeConnection(storage, 1)
    const ends: Partial<RunEnd>[] = [
      { outcome: 'succeeded' },
      { outcome: 'failed', error: 'the grant is over' },
      { outcome: 'parked' },
      { outcome: 'stopped' }
    ]
    for (const [n, more] of ends.entries()) {
      const now = 2000 + n * 100
      const { hold } = await claimOne(storage, 500 + n, { now: toEpochMs(now) })
      const complete = more.outcome === 'succeeded'
      await storage.endRun(hold, ended(now, { ...more, complete, nextRunAt: toEpochMs(now + 100) }))
    }
    expect(await storage.findConnection(idAt(101))).toMatchObject({
      lastError: 'the grant is over',
      lastSyncedAt: 2000
    })
    expect(await storage.listRuns(idAt(101), { limit: 9 })).toMatchObject([
      { outcome: 'stopped', error: undefined },
      { outcome: 'parked', error: undefined },
      { outcome: 'failed', error: 'the grant is over' },
      { outcome: 'succeeded' }
    ])
  },

  'accepts a repeated end, unless the connection was given to another server': async (open) => {
    const storage = await ready(open)
    await activeConnection(storage, 1)
    const { hold } = await claimOne(storage, 500)
    const end = ended(2010, { nextRunAt: toEpochMs(2020) })
    expect([await storage.endRun(hold, end), await storage.endRun(hold, end)]).toEqual([true, true])
    expect(await storage.endRun(hold, { ...end, now: toEpochMs(2011) })).toBe(false)
    await claimOne(storage, 510, { now: toEpochMs(2020) })
    expect(await storage.endRun(hold, end)).toBe(false)
  },

  'fences a run off when the selection changes, and makes the next one due immediately': async (open) => {
    const storage = await ready(open)
    await activeConnection(storage, 1)
    const { hold } = await claimOne(storage, 500)
    await storage.updateConnection(idAt(101), { version: 1, config: {}, status: 'active', now: toEpochMs(2005) })
    expect(await storage.renewLease(hold, { now: toEpochMs(2006), until: toEpochMs(2100) })).toBe(false)
    expect(await storage.endRun(hold, ended(2006))).toBe(false)
    expect(await storage.findRun(idAt(101), idAt(500))).toMatchObject({ endedAt: toEpochMs(2005), outcome: 'stopped' })
    const next = await claimOne(storage, 510, { now: toEpochMs(2006), owner: 'two' })
    expect(next.hold).toMatchObject({ fence: 3, owner: 'two' })
    expect(await storage.findRun(idAt(101), idAt(500))).toMatchObject({ endedAt: toEpochMs(2005), outcome: 'stopped' })
  },

  'fences a run off permanently at a disconnect': async (open) => {
    const storage = await ready(open)
    await activeConnection(storage, 1)
    const { hold } = await claimOne(storage, 500)
    await storage.revokeConnection(idAt(101), toEpochMs(2005))
    expect(await storage.endRun(hold, ended(2006))).toBe(false)
    expect(await storage.findRun(idAt(101), idAt(500))).toMatchObject({ endedAt: toEpochMs(2005), outcome: 'stopped' })
    expect(await storage.claimDue(asked(510, { now: toEpochMs(9000) }))).toEqual([])
    expect(await storage.requestSync(idAt(101), toEpochMs(9000))).toBe('not_active')
    expect(await storage.setPaused(idAt(101), { paused: true, now: toEpochMs(9000) })).toBe(false)
    expect(await storage.findSchedule(idAt(101))).toMatchObject({ nextRunAt: undefined, runId: undefined })
  },

  'makes a requested sync due immediately, once': async (open) => {
    const storage = await ready(open)
    await activeConnection(storage, 1, { dueAt: 9000 })
    expect(await storage.requestSync(idAt(101), toEpochMs(2000))).toBe('requested')
    expect(await storage.requestSync(idAt(101), toEpochMs(2001))).toBe('running')
    expect(await storage.findSchedule(idAt(101))).toMatchObject({ requestedAt: 2000, nextRunAt: toEpochMs(2000) })
    const { hold, trigger } = await claimOne(storage, 500)
    expect(trigger).toBe('manual')
    expect(await storage.requestSync(idAt(101), toEpochMs(2002))).toBe('running')
    await storage.endRun(hold, ended(2010))
    expect(await storage.findSchedule(idAt(101))).toMatchObject({ requestedAt: undefined, nextRunAt: toEpochMs(3010) })
    expect(await storage.requestSync(idAt(101), toEpochMs(2011))).toBe('requested')
  },

  'accepts a request after an expired lease, but not for a pending or unknown connection': async (open) => {
    const storage = await ready(open)
    await activeConnection(storage, 1)
    await consent(storage, 2)
    await claimOne(storage, 500)
    expect(await storage.requestSync(idAt(101), toEpochMs(2059))).toBe('running')
    expect(await storage.requestSync(idAt(101), toEpochMs(2060))).toBe('requested')
    expect(await storage.requestSync(idAt(102), toEpochMs(2060))).toBe('not_active')
    expect(await storage.requestSync(idAt(9), toEpochMs(2060))).toBe('unknown')
  },

  'keeps a request across a stopped run, a lost one and a change of the selection': async (open) => {
    const storage = await ready(open)
    await activeConnection(storage, 1)
    await storage.setPaused(idAt(101), { paused: true, now: toEpochMs(1500) })
    await storage.requestSync(idAt(101), toEpochMs(2000))
    const stopped = ended(2010, { outcome: 'stopped', complete: false, nextRunAt: toEpochMs(2010) })
    await storage.endRun((await claimOne(storage, 500)).hold, stopped)
    expect((await claimOne(storage, 510, { now: toEpochMs(2010) })).trigger).toBe('manual')
    await storage.updateConnection(idAt(101), { version: 1, config: {}, status: 'active', now: toEpochMs(2020) })
    expect((await claimOne(storage, 520, { now: toEpochMs(2020) })).trigger).toBe('manual')
    const last = await claimOne(storage, 530, { now: toEpochMs(2080) })
    expect(last.trigger).toBe('manual')
    await storage.endRun(last.hold, ended(2090))
    expect(await storage.claimDue(asked(540, { now: toEpochMs(9000) }))).toEqual([])
  },

  'runs a paused connection only on request, and regularly after it is resumed': async (open) => {
    const storage = await ready(open)
    await activeConnection(storage, 1)
    expect(await storage.setPaused(idAt(101), { paused: true, now: toEpochMs(1500) })).toBe(true)
    expect(await storage.setPaused(idAt(101), { paused: true, now: toEpochMs(1600) })).toBe(true)
    expect(await storage.findSchedule(idAt(101))).toMatchObject({ pausedAt: 1500 })
    expect([await storage.claimDue(asked(500)), await storage.findNextDue(['cloud_drive'])]).toEqual([[], undefined])
    await storage.requestSync(idAt(101), toEpochMs(2000))
    expect(await storage.findNextDue(['cloud_drive'])).toBe(2000)
    await storage.endRun((await claimOne(storage, 500)).hold, ended(2010))
    expect(await storage.claimDue(asked(510, { now: toEpochMs(9000) }))).toEqual([])
    expect(await storage.setPaused(idAt(101), { paused: false, now: toEpochMs(9000) })).toBe(true)
    expect((await claimOne(storage, 510, { now: toEpochMs(9000) })).trigger).toBe('schedule')
    expect(await storage.setPaused(idAt(9), { paused: true, now: toEpochMs(1) })).toBe(false)
  },

  'returns the time of the first connection that is free or whose lease expires': async (open) => {
    const storage = await ready(open)
    const next = () => storage.findNextDue(['cloud_drive'])
    expect(await next()).toBeUndefined()
    for (const [n, dueAt] of [3000, 1500, 9000].entries()) await activeConnection(storage, n, { dueAt })
    expect([await next(), await storage.findNextDue(['mailbox']), await storage.findNextDue([])]).toEqual([
      1500,
      undefined,
      undefined
    ])
    const { hold } = await claimOne(storage, 500)
    expect(await next()).toBe(2060)
    await storage.renewLease(hold, { now: toEpochMs(2000), until: toEpochMs(5000) })
    expect(await next()).toBe(3000)
    await storage.endRun(hold, ended(2010, { nextRunAt: toEpochMs(2500) }))
    expect(await next()).toBe(2500)
  },

  'makes a connection due right after a run during which its credentials were renewed': async (open) => {
    const storage = await ready(open)
    await activeConnection(storage, 1)
    const { hold } = await claimOne(storage, 500)
    await storage.createAttempt(newAttempt('again'))
    await storage.useAttempt('again', toEpochMs(1500))
    await storage.completeAttempt('again', made(2, 'account 1', { status: 'active', now: toEpochMs(2005) }))
    await storage.endRun(hold, ended(2010, { outcome: 'failed', nextRunAt: toEpochMs(9000) }))
    expect(await storage.findSchedule(idAt(101))).toMatchObject({ nextRunAt: toEpochMs(2005), requestedAt: undefined })
  },

  'lists the last hundred runs, newest first': async (open) => {
    const storage = await ready(open)
    await activeConnection(storage, 1)
    for (let n = 0; n < 103; n++) {
      const { hold } = await claimOne(storage, 500 + n, { now: toEpochMs(2000 + n * 10), limit: 1 })
      await storage.endRun(hold, ended(2001 + n * 10, { nextRunAt: toEpochMs(2002 + n * 10) }))
    }
    const runs = await storage.listRuns(idAt(101), { limit: 1000 })
    expect(runs.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, at) => idAt(602 - at)))
    expect(await storage.listRuns(idAt(101), { limit: 2 })).toEqual(runs.slice(0, 2))
    expect(await storage.findRun(idAt(101), idAt(502))).toBeUndefined()
    expect(await storage.findRun(idAt(101), idAt(602))).toEqual(runs[0])
    expect([await storage.findRun(idAt(102), idAt(602)), await storage.listRuns(idAt(102), { limit: 9 })]).toEqual([
      undefined,
      []
    ])
  }
}

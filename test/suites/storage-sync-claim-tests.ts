import { expect } from 'vitest'
import { toEpochMs } from '../../src/contract/epoch-ms.ts'
import { newAttempt, ready } from './storage-connector-things.ts'
import { idAt, type StorageTests } from './storage-place.ts'
import { activeConnection, asked, claimOne, ended, numbersOf } from './storage-queue-things.ts'

/** Tests claims of connections and their leases. */
export const CLAIM_TESTS: StorageTests = {
  'returns the connection and a hold on it, and begins its run': async (open) => {
    const storage = await ready(open)
    const connection = await activeConnection(storage, 1)
    expect(await storage.claimDue(asked(500, { now: toEpochMs(999) }))).toEqual([])
    expect(await storage.claimDue(asked(500, { now: toEpochMs(1000) }))).toEqual([
      {
        hold: { connectionId: connection.id, owner: 'one', fence: 1, runId: idAt(500) },
        connection,
        trigger: 'schedule',
        progress: undefined,
        lastPass: 0,
        hasItems: false,
        failures: 0
      }
    ])
    expect(await storage.findSchedule(connection.id)).toEqual({
      pausedAt: undefined,
      requestedAt: undefined,
      nextRunAt: 1000,
      runId: idAt(500),
      leaseUntil: 1060
    })
    const counted = { seen: 0, created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0, skipped: 0, reasons: {} }
    const run = { id: idAt(500), trigger: 'schedule', startedAt: 1000, endedAt: undefined, outcome: undefined }
    expect(await storage.findRun(connection.id, idAt(500))).toEqual({ ...run, error: undefined, ...counted })
  },

  'refuses a connection that another server holds until its lease expires': async (open) => {
    const [one, two] = [await ready(open), await open()]
    await activeConnection(one, 1)
    const { hold } = await claimOne(one, 500)
    expect(await two.claimDue(asked(510, { owner: 'two', now: toEpochMs(2059) }))).toEqual([])
    const taken = await claimOne(two, 510, { owner: 'two', now: toEpochMs(2060) })
    expect(taken.hold).toEqual({ connectionId: idAt(101), owner: 'two', fence: 2, runId: idAt(510) })
    expect(await one.renewLease(hold, { now: toEpochMs(2061), until: toEpochMs(2200) })).toBe(false)
    expect(await one.endRun(hold, ended(2061))).toBe(false)
    expect(await one.findSchedule(idAt(101))).toMatchObject({ leaseUntil: 2120, runId: idAt(510) })
    expect(await one.listRuns(idAt(101), { limit: 9 })).toMatchObject([
      { id: idAt(510), endedAt: undefined },
      { id: idAt(500), endedAt: 2060, outcome: 'interrupted' }
    ])
  },

  'extends a renewed lease, and accepts an expired one until it is taken': async (open) => {
    const storage = await ready(open)
    await activeConnection(storage, 1)
    const { hold } = await claimOne(storage, 500)
    expect(await storage.renewLease(hold, { now: toEpochMs(2020), until: toEpochMs(2080) })).toBe(true)
    expect(await storage.claimDue(asked(510, { owner: 'two', now: toEpochMs(2079) }))).toEqual([])
    expect(await storage.renewLease(hold, { now: toEpochMs(2090), until: toEpochMs(2150) })).toBe(true)
    expect(await storage.claimDue(asked(510, { owner: 'two', now: toEpochMs(2149) }))).toEqual([])
    expect(await storage.renewLease({ ...hold, owner: 'two' }, { now: toEpochMs(2100), until: toEpochMs(2300) })).toBe(
      false
    )
    expect(await storage.renewLease({ ...hold, fence: 0 }, { now: toEpochMs(2100), until: toEpochMs(2300) })).toBe(
      false
    )
    expect(await storage.endRun(hold, ended(2200))).toBe(true)
  },

  'returns the same claim again to a caller that lost the answer': async (open) => {
    const storage = await ready(open)
    for (const n of [1, 2, 3]) await activeConnection(storage, n)
    const first = await storage.claimDue(asked(500, { limit: 2 }))
    expect(await storage.claimDue(asked(500, { limit: 2 }))).toEqual(first)
    expect(numbersOf(await storage.claimDue(asked(510, { limit: 2 })))).toEqual([3])
    expect(await storage.listRuns(idAt(101), { limit: 9 })).toHaveLength(1)
    for (const { hold } of first) expect(await storage.endRun(hold, ended(2001))).toBe(true)
    expect(await storage.claimDue(asked(500, { limit: 2 }))).toEqual([])
  },

  'does not claim pending, paused and revoked connections, nor those of other providers or deleted collections': async (
    open
  ) => {
    const storage = await ready(open)
    for (const n of [1, 2, 3, 4]) await activeConnection(storage, n)
    await activeConnection(storage, 5, { into: 2 })
    await storage.createAttempt(newAttempt('notes', { provider: 'notes' }))
    await storage.setPaused(idAt(102), { paused: true, now: toEpochMs(1500) })
    await storage.revokeConnection(idAt(103), toEpochMs(1500))
    await storage.deleteCollection(idAt(2))
    const wanted = { providers: ['mailbox'] }
    expect(await storage.claimDue(asked(500, wanted))).toEqual([])
    expect(await storage.claimDue(asked(500, { providers: [] }))).toEqual([])
    expect(await storage.claimDue(asked(500, { limit: 0 }))).toEqual([])
    expect(numbersOf(await storage.claimDue(asked(500)))).toEqual([1, 4])
  },

  'claims the longest due connections first': async (open) => {
    const storage = await ready(open)
    for (const [n, dueAt] of [300, 100, 200, 2001].entries()) await activeConnection(storage, n, { dueAt })
    expect(numbersOf(await storage.claimDue(asked(500, { limit: 2 })))).toEqual([1, 2])
    expect(numbersOf(await storage.claimDue(asked(510)))).toEqual([0])
  },

  'alternates between collections, and delays those with more held connections': async (open) => {
    const storage = await ready(open)
    for (const n of [1, 2, 3, 4, 5]) await activeConnection(storage, n, { into: 1, dueAt: n })
    for (const n of [6, 7]) await activeConnection(storage, n, { into: 2, dueAt: n })
    await activeConnection(storage, 8, { into: 3, dueAt: 8 })
    expect(numbersOf(await storage.claimDue(asked(500, { limit: 4 })))).toEqual([1, 6, 8, 2])
    await activeConnection(storage, 9, { into: 3, dueAt: 9 })
    expect(numbersOf(await storage.claimDue(asked(510, { limit: 3 })))).toEqual([7, 9, 3])
    expect(numbersOf(await storage.claimDue(asked(520)))).toEqual([4, 5])
  },

  'ignores expired leases of a collection': async (open) => {
    const storage = await ready(open)
    for (const n of [1, 2, 3]) await activeConnection(storage, n, { into: 1, dueAt: n })
    await activeConnection(storage, 4, { into: 2, dueAt: 4 })
    await storage.claimDue(asked(500, { now: toEpochMs(3), limit: 2 }))
    expect(numbersOf(await storage.claimDue(asked(510, { now: toEpochMs(100), limit: 1 })))).toEqual([1])
  },

  'gives a connection to one of twenty simultaneous claims on two servers': async (open) => {
    const [one, two] = [await ready(open), await open()]
    await activeConnection(one, 1)
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? one : two).claimDue(asked(500 + n, { owner: `${n}`, limit: 1 })))
    )
    const [claim, ...others] = claims.flat()
    expect(others).toEqual([])
    expect(await one.listRuns(idAt(101), { limit: 30 })).toMatchObject([{ id: claim?.hold.runId }])
  },

  'accepts one of twenty simultaneous requests for a sync on two servers': async (open) => {
    const [one, two] = [await ready(open), await open()]
    await activeConnection(one, 1, { dueAt: 9000 })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? one : two).requestSync(idAt(101), toEpochMs(2000 + n)))
    )
    expect(answers.toSorted()).toEqual(['requested', ...Array.from({ length: 19 }, () => 'running')])
  },

  'leaves no hold on a connection that is disconnected during a claim': async (open) => {
    const [one, two] = [await ready(open), await open()]
    for (let n = 1; n <= 10; n++) await activeConnection(one, n)
    const [claims] = await Promise.all([
      one.claimDue(asked(500)),
      ...Array.from({ length: 10 }, (_, n) => two.revokeConnection(idAt(101 + n), toEpochMs(2000)))
    ])
    for (const { hold } of claims) {
      expect(await one.endRun(hold, ended(2001))).toBe(false)
      expect(await one.findRun(hold.connectionId, hold.runId)).toMatchObject({ outcome: 'stopped' })
    }
    expect(await one.claimDue(asked(520, { now: toEpochMs(9000) }))).toEqual([])
  }
}

import { expect, test } from 'vitest'
import { nodeIds } from '../../../bin/node/node-ids.ts'
import { startReaper } from '../../../server/service/reaper.ts'
import { Fault } from '../../../src/contract/faults.ts'
import type { Clock } from '../../../src/ports.ts'

type Waiting = { ms: number; go(): void }

/** Creates a reaper over a list of expired ids, whose waits the test ends. */
function reaping(expired: string[]) {
  const waits: Waiting[] = []
  const dropped: string[] = []
  const log: string[] = []
  let failure: Error | undefined
  let sweeps = 0
  let sweepFailure: Error | undefined
  const clock: Clock = {
    now: () => 0,
    ticks: () => 0,
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        waits.push({ ms, go: resolve })
        signal?.addEventListener('abort', () => reject(new Error('aborted')))
      })
  }
  const note = (_: unknown, message: string): void => void log.push(message)
  const reaper = startReaper({
    storage: {
      listExpiredCollections: async (_, limit) => {
        if (failure !== undefined) throw failure
        return expired.slice(0, limit)
      },
      deleteCollection: async (id) => expired.splice(expired.indexOf(id), 1).length > 0
    },
    engine: { dropCollection: async (id) => void dropped.push(id) },
    async sweep() {
      sweeps++
      if (sweepFailure !== undefined) throw sweepFailure
    },
    world: { clock, ids: nodeIds, log: { error: note, info: note, debug: note } }
  })
  return {
    ...{ reaper, waits, dropped, log },
    sweeps: () => sweeps,
    fail: (error: Error | undefined) => (failure = error),
    failSweep: (error: Error | undefined) => (sweepFailure = error)
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('deletes everything expired at the start and then about once a minute', async () => {
  const expired = Array.from({ length: 250 }, (_, n) => `c${n}`)
  const { reaper, waits, dropped } = reaping(expired)
  await settled()
  expect([expired.length, dropped.length]).toEqual([0, 250])
  expect(waits).toHaveLength(1)
  expect(waits[0]?.ms).toBeGreaterThanOrEqual(45_000)
  expect(waits[0]?.ms).toBeLessThanOrEqual(75_000)
  expired.push('later')
  waits[0]?.go()
  await settled()
  expect(dropped.at(-1)).toBe('later')
  await reaper.stop()
})

test('logs an unavailable storage and retries', async () => {
  const expired = ['a']
  const { reaper, waits, dropped, log, fail } = reaping(expired)
  fail(new Fault('unavailable', 'the storage is away'))
  await settled()
  waits[0]?.go()
  await settled()
  fail(undefined)
  expect(log.some((line) => line.includes('could not delete expired collections'))).toBe(true)
  waits.at(-1)?.go()
  await settled()
  expect(dropped).toEqual(['a'])
  await reaper.stop()
})

test('stops during a wait', async () => {
  const { reaper, waits } = reaping([])
  await settled()
  expect(waits).toHaveLength(1)
  await reaper.stop()
  expect(waits).toHaveLength(1)
})

test('sweeps connectors each time, and immediately when woken', async () => {
  const { reaper, waits, sweeps } = reaping([])
  await settled()
  expect([sweeps(), waits.length]).toEqual([1, 1])
  reaper.wake()
  await settled()
  expect([sweeps(), waits.length]).toEqual([2, 2])
  waits[1]?.go()
  await settled()
  expect(sweeps()).toBe(3)
  await reaper.stop()
})

test('logs a failed sweep, and continues with other work and the next time', async () => {
  const expired: string[] = []
  const { reaper, waits, dropped, log, failSweep, sweeps } = reaping(expired)
  await settled()
  failSweep(new Fault('unavailable', 'the storage is away'))
  expired.push('a')
  waits[0]?.go()
  await settled()
  expect([dropped, sweeps()]).toEqual([['a'], 2])
  expect(log).toContain('could not clean up after connectors')
  await reaper.stop()
})

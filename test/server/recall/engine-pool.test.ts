import { expect, test } from 'vitest'
import type { CallName } from '../../../server/recall/engine/engine-calls.ts'
import { createEnginePool } from '../../../server/recall/pool/engine-pool.ts'
import type { Job } from '../../../server/recall/pool/job-queue.ts'
import { Fault } from '../../../src/contract/faults.ts'
import type { Thread } from '../../../src/ports.ts'

type Call = { thread: number; name: string; argument: unknown; answer: (value?: unknown) => void }

/** A pool over threads that answer when the test says so, but for their start. */
function poolBench(limits: { threads?: number; waitingMax?: number; waitingBytesMax?: number } = {}) {
  const calls: Call[] = []
  let threads = 0
  const startThread = (): Thread => {
    const thread = threads++
    return {
      call: (name, argument) =>
        name === 'start'
          ? Promise.resolve(undefined)
          : new Promise((resolve) => calls.push({ thread, name, argument, answer: resolve })),
      end: async () => undefined
    }
  }
  const pool = createEnginePool(startThread, { threads: 2, waitingMax: 100, waitingBytesMax: 100, ...limits })
  const run = (name: CallName, more: Partial<Job<CallName>> = {}) => {
    const done = pool.run({ name, send: () => ({ argument: name }) as never, ...more } as Job<CallName>)
    done.catch(() => undefined)
    return done
  }
  return { pool, run, calls, started: () => threads }
}

/** Lets all go on that can. */
async function settled(): Promise<void> {
  for (let i = 0; i < 50; i++) await Promise.resolve()
}

test('no thread starts before there is something to do, and no more than are needed', async () => {
  const { run, calls, started } = poolBench()
  expect(started()).toBe(0)
  const done = run('readBody')
  await settled()
  expect(started()).toBe(1)
  calls[0]?.answer('read')
  expect(await done).toBe('read')
})

test('calls that wait bring up more threads, up to as many as there may be', async () => {
  const { run, calls, started } = poolBench()
  for (let i = 0; i < 5; i++) void run('readBody')
  await settled()
  expect({ started: started(), threads: calls.map(({ thread }) => thread) }).toEqual({ started: 2, threads: [0, 1] })
})

test('calls are done in the order they came', async () => {
  const { run, calls } = poolBench({ threads: 1 })
  const [first, second] = [run('readBody'), run('readRecords')]
  await settled()
  calls[0]?.answer(1)
  await settled()
  calls[1]?.answer(2)
  expect([await first, await second, ...calls.map(({ name }) => name)]).toEqual([1, 2, 'readBody', 'readRecords'])
})

test('where too many wait the next one is refused, and told when to ask again', async () => {
  const { run } = poolBench({ threads: 1, waitingMax: 2 })
  void run('readBody')
  await settled()
  void run('readBody')
  void run('readBody')
  await expect(run('readBody')).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 })
})

test('bodies that wait are counted by their bytes, but one may always wait', async () => {
  const { run, pool } = poolBench({ threads: 1, waitingBytesMax: 10 })
  void run('readBody')
  await settled()
  void run('readBody', { bytes: 50 })
  await expect(run('readBody', { bytes: 1 })).rejects.toMatchObject({ code: 'unavailable' })
  expect(pool.waiting()).toBe(1)
})

test('a call that is called off while it waits is never begun', async () => {
  const { run, calls, pool } = poolBench({ threads: 1 })
  void run('readBody')
  await settled()
  const caller = new AbortController()
  const waiting = run('readRecords', { signal: caller.signal })
  caller.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
  calls[0]?.answer()
  await settled()
  expect({ waiting: pool.waiting(), calls: calls.length }).toEqual({ waiting: 0, calls: 1 })
  await expect(run('readBody', { signal: caller.signal })).rejects.toMatchObject({ code: 'cancelled' })
})

test('of two threads one is kept free of long calls', async () => {
  const { run, calls } = poolBench()
  void run('readRecords', { isLong: true })
  void run('readRecords', { isLong: true })
  void run('readBody')
  await settled()
  const done = calls.map(({ name, thread }) => ({ name, thread }))
  expect(done).toEqual([
    { name: 'readBody', thread: 0 },
    { name: 'readRecords', thread: 1 }
  ])
})

test('a thread with long work is the last that others wait for', async () => {
  const { run, pool } = poolBench()
  void run('readRecords', { isLong: true })
  await settled()
  const [first, second] = pool.slots()
  void run('searchIndex', { slot: first })
  void run('searchIndex', { slot: first })
  await settled()
  expect(pool.load(second as never)).toBeGreaterThan(pool.load(first as never))
})

test('texts go where the language was loaded, unless that thread is busy for long', async () => {
  const { run, calls, pool } = poolBench()
  void run('readBody')
  void run('readBody')
  await settled()
  for (const { answer } of calls) answer()
  void run('remember')
  await settled()
  void run('remember')
  await settled()
  expect(calls).toHaveLength(3)
  expect(pool.waiting()).toBe(1)
  calls[2]?.answer()
  await settled()
  expect(calls[3]?.thread).toBe(calls[2]?.thread)
})

test('a thread that cannot start fails what waits, and is tried again with the next call', async () => {
  let starts = 0
  const startThread = (): Thread => ({
    call: async (name) => {
      if (name === 'start' && starts++ === 0) throw new Fault('unavailable', 'no thread')
      return 'done'
    },
    end: async () => undefined
  })
  const pool = createEnginePool(startThread, { threads: 1, waitingMax: 9, waitingBytesMax: 9 })
  const job = { name: 'dropCollection' as const, send: () => ({ argument: '' }) }
  await expect(pool.run(job)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await pool.run(job)).toBe('done')
})

test('the end refuses what waits and what comes', async () => {
  const { run, pool } = poolBench({ threads: 1 })
  void run('readBody')
  await settled()
  const waiting = run('readBody')
  await pool.close()
  await expect(waiting).rejects.toMatchObject({ code: 'unavailable' })
  await expect(run('readBody')).rejects.toMatchObject({ code: 'unavailable' })
})

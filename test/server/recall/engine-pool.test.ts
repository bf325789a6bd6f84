import { expect, test } from 'vitest'
import type { CallName } from '../../../server/recall/engine/engine-calls.ts'
import { createEnginePool } from '../../../server/recall/pool/engine-pool.ts'
import type { Job } from '../../../server/recall/pool/job-queue.ts'
import { Fault } from '../../../src/contract/faults.ts'
import type { Thread } from '../../../src/ports.ts'

type Call = { thread: number; name: string; argument: unknown; answer: (value?: unknown) => void }

/** Creates a pool of threads that start at once and whose answers the test releases. */
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

/** Yields, so that pending work can proceed. */
async function settled(): Promise<void> {
  for (let i = 0; i < 50; i++) await Promise.resolve()
}

test('starts threads only when needed, and no more than needed', async () => {
  const { run, calls, started } = poolBench()
  expect(started()).toBe(0)
  const done = run('readBody')
  await settled()
  expect(started()).toBe(1)
  calls[0]?.answer('read')
  expect(await done).toBe('read')
})

test('starts more threads for waiting calls, up to the limit', async () => {
  const { run, calls, started } = poolBench()
  for (let i = 0; i < 5; i++) void run('readBody')
  await settled()
  expect({ started: started(), threads: calls.map(({ thread }) => thread) }).toEqual({ started: 2, threads: [0, 1] })
})

test('runs calls in their order', async () => {
  const { run, calls } = poolBench({ threads: 1 })
  const [first, second] = [run('readBody'), run('readRecords')]
  await settled()
  calls[0]?.answer(1)
  await settled()
  calls[1]?.answer(2)
  expect([await first, await second, ...calls.map(({ name }) => name)]).toEqual([1, 2, 'readBody', 'readRecords'])
})

test('refuses a call if too many wait, and says when to retry', async () => {
  const { run } = poolBench({ threads: 1, waitingMax: 2 })
  void run('readBody')
  await settled()
  void run('readBody')
  void run('readBody')
  await expect(run('readBody')).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 })
})

test('limits the bytes of waiting bodies, but always lets one wait', async () => {
  const { run, pool } = poolBench({ threads: 1, waitingBytesMax: 10 })
  void run('readBody')
  await settled()
  void run('readBody', { bytes: 50 })
  await expect(run('readBody', { bytes: 1 })).rejects.toMatchObject({ code: 'unavailable' })
  expect(pool.waiting()).toBe(1)
})

test('never begins a call that is aborted while it waits', async () => {
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

test('keeps one of two threads free of long calls', async () => {
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

test('prefers other threads to one with long work', async () => {
  const { run, pool } = poolBench()
  void run('readRecords', { isLong: true })
  await settled()
  const [first, second] = pool.slots()
  void run('searchIndex', { slot: first })
  void run('searchIndex', { slot: first })
  await settled()
  expect(pool.load(second as never)).toBeGreaterThan(pool.load(first as never))
})

test('sends texts to the thread that has loaded the language, unless it is busy for long', async () => {
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

test('rejects waiting calls if a thread cannot start, and tries again at the next call', async () => {
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

test('rejects waiting and later calls when it is closed', async () => {
  const { run, pool } = poolBench({ threads: 1 })
  void run('readBody')
  await settled()
  const waiting = run('readBody')
  await pool.close()
  await expect(waiting).rejects.toMatchObject({ code: 'unavailable' })
  await expect(run('readBody')).rejects.toMatchObject({ code: 'unavailable' })
})

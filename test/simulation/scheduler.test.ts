import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { makePlan } from './plan.ts'
import { createScheduler } from './scheduler.ts'
import { simulate } from './simulate.ts'

test('releases events in the order of their times, and does nothing for a life that has ended', async () => {
  const scheduler = createScheduler(1)
  const life = { isAlive: true, name: 'node' }
  const released: string[] = []
  scheduler.after({ name: 'late', ms: 20 }, () => void released.push('late'))
  scheduler.after({ name: 'dead', ms: 15, life }, () => void released.push('dead'))
  scheduler.after({ name: 'early', ms: 10 }, () => {
    released.push('early')
    life.isAlive = false
  })
  await scheduler.run(() => false, 1000)
  expect(released).toEqual(['early', 'late'])
})

test('releases late timers once after a leap', async () => {
  const scheduler = createScheduler(1)
  const times: number[] = []
  scheduler.after({ name: 'one', ms: 10 }, () => void times.push(scheduler.now()))
  scheduler.after({ name: 'other', ms: 5000 }, () => void times.push(scheduler.now()))
  scheduler.leap(1000)
  await scheduler.run(() => false, 10_000)
  expect(times).toEqual([1000, 5000])
})

test('waits neither for threads nor for timers of the platform', async () => {
  // The scheduler waits by `setImmediate`; the vault derives its keys by `hkdfSync`, which is synchronous.
  const allowed = new Set(['PROMISE', 'Microtask', 'TickObject', 'Immediate', 'DERIVEBITSREQUEST'])
  const callers: string[] = []
  // What earlier tests of this process left running does not count.
  const simulation = new AsyncLocalStorage<true>()
  const init = (_: number, kind: string): void => {
    if (simulation.getStore() && !allowed.has(kind)) callers.push(String(new Error(kind).stack))
  }
  await simulate(makePlan(8))
  const { stackTraceLimit } = Error
  const hook = createHook({ init }).enable()
  try {
    Error.stackTraceLimit = 50
    for (const seed of [8, 16, 37]) await simulation.run(true, () => simulate(makePlan(seed)))
  } finally {
    hook.disable()
    Error.stackTraceLimit = stackTraceLimit
  }
  // The test runner works in this process too, so only calls that the product begins count.
  expect(callers.filter((stack) => /\/(?:src|server|bin)\/[\w/-]+\.ts/.test(stack))).toEqual([])
})

test('repeats a simulation event by event for the same seed, and differs for other seeds', async () => {
  const seeds = [3, 8, 16, 37, 76]
  const hashes: string[] = []
  for (const seed of seeds) hashes.push((await simulate(makePlan(seed))).hash)
  for (const [at, seed] of [...seeds.entries()].reverse())
    expect((await simulate(makePlan(seed))).hash, `seed ${seed}`).toBe(hashes[at])
  expect(new Set(hashes).size).toBe(seeds.length)
})

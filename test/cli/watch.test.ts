import { expect, test } from 'vitest'
import { startWatch } from '../../src/cli/service/watch.ts'
import { Fault } from '../../src/contract/faults.ts'
import { fakeWorld } from './fake-world.ts'

function watchFor(waitMs: number) {
  const world = fakeWorld({ quickTime: true })
  return { watch: startWatch({ world }, waitMs), world }
}

/** Returns the pauses between a number of polls, in milliseconds. */
async function pauses(count: number, calls: number): Promise<number[]> {
  const { watch, world } = watchFor(3_600_000)
  const lengths: number[] = []
  for (let look = 0; look < count; look++) {
    const before = world.clock.ticks()
    await watch.pause(calls)
    lengths.push(world.clock.ticks() - before)
  }
  return lengths
}

test('polls quickly at first and more slowly later', async () => {
  const lengths = await pauses(60, 1)
  expect(lengths[0]).toBe(250)
  expect(lengths.at(-1)).toBe(2000)
  for (const [at, length] of lengths.entries()) expect(length).toBeGreaterThanOrEqual(lengths[at - 1] ?? 0)
})

test('polls many connections less often, to stay below the rate limit of a key', async () => {
  const calls = 100
  for (const length of await pauses(20, calls)) expect((calls / length) * 60_000).toBeLessThanOrEqual(600)
})

test('never pauses beyond the remaining time', async () => {
  const { watch, world } = watchFor(300)
  await watch.pause(1)
  await watch.pause(1)
  expect(world.clock.ticks()).toBe(300)
  expect(watch.remainingMs()).toBe(0)
})

test('tolerates an unavailable server for some seconds after its last response', async () => {
  const { watch, world } = watchFor(3_600_000)
  const away = async () => {
    throw new Fault('unreachable', 'nobody there')
  }
  expect(await watch.ask(away)).toBeUndefined()
  await world.clock.wait(14_000)
  expect(await watch.ask(away)).toBeUndefined()
  expect(await watch.ask(async () => 'here')).toBe('here')
  await world.clock.wait(14_000)
  expect(await watch.ask(away)).toBeUndefined()
  await world.clock.wait(1_000)
  await expect(watch.ask(away)).rejects.toThrow('nobody there')
})

test('reports other errors at once', async () => {
  const { watch } = watchFor(3_600_000)
  const refused = async () => {
    throw new Fault('forbidden', 'may not')
  }
  await expect(watch.ask(refused)).rejects.toThrow('may not')
})

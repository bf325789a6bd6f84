import { expect, test } from 'vitest'
import { createIndexHomes } from '../../../server/recall/collections/index-homes.ts'
import { type EnginePool, LONG_LOAD } from '../../../server/recall/pool/engine-pool.ts'
import type { EngineSlot } from '../../../server/recall/pool/engine-slot.ts'

/** Creates two threads with the given loads. */
function homesBench(loads: [number, number]) {
  const slots = ['first', 'second'].map((name) => ({ name }) as unknown as EngineSlot)
  let grown = 0
  const load = (slot: EngineSlot) => loads[slots.indexOf(slot)] ?? 0
  const pool = { slots: () => slots, load, grow: () => grown++ } as unknown as EnginePool
  const homes = createIndexHomes(pool)
  const choose = async (key: string) => slots.indexOf(await homes.choose(key))
  const spare = (key: string) => {
    const slot = homes.spare(key)
    return slot === undefined ? -1 : slots.indexOf(slot)
  }
  return { homes, choose, spare, loads, slots, grown: () => grown }
}

test('asks the thread that has an index, and distributes indexes over the threads', async () => {
  const { choose } = homesBench([0, 0])
  expect([await choose('a'), await choose('b'), await choose('a'), await choose('b')]).toEqual([0, 1, 0, 1])
})

test('asks the least busy of several threads that have an index', async () => {
  const { homes, choose, slots, loads } = homesBench([0, 0])
  await choose('a')
  homes.add('a', slots[1] as EngineSlot)
  loads[0] = 1
  expect(await choose('a')).toBe(1)
})

test('gives a second thread an index only if calls wait for the first', async () => {
  const { choose, spare, loads } = homesBench([0, 0])
  await choose('a')
  expect(spare('a')).toBe(-1)
  loads[0] = 2
  expect(spare('a')).toBe(1)
})

test('starts another thread if none is idle', async () => {
  const { choose, spare, loads, grown } = homesBench([0, 0])
  await choose('a')
  loads.fill(2)
  expect({ spare: spare('a'), grown: grown() }).toEqual({ spare: -1, grown: 1 })
})

test('avoids waiting for long work if another thread is idle', async () => {
  const { choose, loads } = homesBench([0, 0])
  await choose('a')
  loads[0] = LONG_LOAD
  expect([await choose('a'), await choose('a')]).toEqual([1, 1])
})

test('forgets the threads of a dropped collection', async () => {
  const { homes, choose, loads } = homesBench([0, 0])
  await choose('a b')
  loads[0] = 1
  homes.drop('b')
  expect(await choose('a b')).toBe(1)
})

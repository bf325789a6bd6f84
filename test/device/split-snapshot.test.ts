import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeSnapshots } from '../../src/device/merge-snapshots.ts'
import { openDevice } from '../../src/device/open-device.ts'
import { splitSnapshot } from '../../src/device/split-snapshot.ts'
import { batchOf, bench, streamOf, worldWith } from './device-kit.ts'

test('splits a snapshot into parts that are snapshots, and together the whole', async () => {
  const { device, folder, cache, path } = await bench()
  await device.storeBatch(streamOf(batchOf(...Array.from({ length: 30 }, (_, n) => ({ raw_text: `memory ${n}` })))))
  await device.forget([[...device.list().records][3]?.id ?? ''])
  const { root_hash } = await device.compact()
  const world = worldWith(cache)
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 20_000 }), async (bytesMax) => {
      const parts = [...splitSnapshot(world, path, bytesMax)]
      const into = join(folder, String(++run))
      mkdirSync(into)
      const inputs = parts.map(({ bytes }, n) => {
        const name = join(into, `${n}.mem.jsonl`)
        writeFileSync(name, bytes)
        return name
      })
      for (const { bytes, records } of parts) expect(records === 1 || bytes.length <= bytesMax).toBe(true)
      const whole = await mergeSnapshots(world, { inputs, output: join(into, 'whole'), force: true })
      expect(whole.root_hash).toBe(root_hash)
      expect(parts.reduce((sum, { records }) => sum + records, 0)).toBe(30)
    }),
    { numRuns: 15 }
  )
})

test('makes one part of a snapshot without records', async () => {
  const { device, cache, path } = await bench()
  const parts = [...splitSnapshot(worldWith(cache), path, 100)]
  expect(parts.map(({ records }) => records)).toEqual([0])
  expect(await openDevice(worldWith(cache), device.path).verify()).toMatchObject({ sound: true })
})

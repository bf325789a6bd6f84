import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { createRootHash } from '../../../server/http/handlers/root-hash.ts'
import { hashSorted } from '../../../src/snapshot/table/hash-sorted.ts'

const checks = fc.array(fc.uint8Array({ minLength: 32, maxLength: 32 }), { maxLength: 60 })

test('computes the same root hash as the device, in any order and split of the checks', async () => {
  await fc.assert(
    fc.asyncProperty(checks, fc.nat(60), async (all, cut) => {
      const hash = createRootHash(nodeClock)
      hash.add(Buffer.concat(all.slice(cut)))
      hash.add(Buffer.concat(all.slice(0, cut)))
      expect(await hash.digest()).toBe(hashSorted({ bytes: Buffer.concat(all), width: 32 }, all.length))
    })
  )
})

test('yields to other work while sorting takes long', async () => {
  let waits = 0
  let ticks = 0
  const clock = { ...nodeClock, ticks: () => (ticks += 1), wait: async () => void waits++ }
  const hash = createRootHash(clock)
  for (let n = 0; n < 1000; n++) hash.add(createHash('sha256').update(String(n)).digest())
  await hash.digest()
  expect(waits).toBeGreaterThan(10)
})

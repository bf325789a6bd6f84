import { expect, test } from 'vitest'
import { nodeIds } from '../../../bin/node/node-ids.ts'
import { uuidV7 } from '../../../server/http/handlers/uuid-v7.ts'

const at = (ms: number, hex = nodeIds.randomHex(10)) =>
  uuidV7({ clock: { now: () => ms }, ids: { randomHex: () => hex } })

test('the example of RFC 9562 comes out of its time and its random bits', () => {
  // Appendix A.6: rand_a CC3, rand_b 18C4DC0C0C07398F with the two bits of the variant before it.
  expect(at(0x017f22e279b0, 'cc398c4dc0c0c07398f0')).toBe('017f22e2-79b0-7cc3-98c4-dc0c0c07398f')
})

test('ids are of version 7 and of the variant of the RFC, whatever the random bytes', () => {
  for (const hex of ['00000000000000000000', 'ffffffffffffffffffff', nodeIds.randomHex(10)]) {
    expect(at(Date.UTC(2026, 0, 2), hex)).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    )
  }
})

test('ids of later milliseconds sort after those of earlier ones', () => {
  const times = [0, 1, 999, 2 ** 40, 2 ** 47, 2 ** 48 - 1]
  const ids = times.map((ms) => at(ms))
  expect(ids.toSorted()).toEqual(ids)
})

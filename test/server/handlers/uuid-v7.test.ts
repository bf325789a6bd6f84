import { expect, test } from 'vitest'
import { nodeIds } from '../../../bin/node/node-ids.ts'
import { uuidV7 } from '../../../server/http/handlers/uuid-v7.ts'

const at = (ms: number, hex = nodeIds.randomHex(10)) =>
  uuidV7({ clock: { now: () => ms }, ids: { randomHex: () => hex } })

test('builds the example of RFC 9562 from its time and random bits', () => {
  // Appendix A.6: rand_a CC3, rand_b 18C4DC0C0C07398F, preceded by the two variant bits.
  expect(at(0x017f22e279b0, 'cc398c4dc0c0c07398f0')).toBe('017f22e2-79b0-7cc3-98c4-dc0c0c07398f')
})

test("builds ids of version 7 and the RFC's variant from any random bytes", () => {
  for (const hex of ['00000000000000000000', 'ffffffffffffffffffff', nodeIds.randomHex(10)]) {
    expect(at(Date.UTC(2026, 0, 2), hex)).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    )
  }
})

test('orders ids by their milliseconds', () => {
  const times = [0, 1, 999, 2 ** 40, 2 ** 47, 2 ** 48 - 1]
  const ids = times.map((ms) => at(ms))
  expect(ids.toSorted()).toEqual(ids)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { trackKnownIds } from '../../../server/http/handlers/known-ids.ts'

// Few distinct bytes, so that first bytes are often equal.
const id = fc.array(fc.constantFrom(0, 1, 255), { minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes))
const key = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(16)])

test('returns each known id once, and no other', () => {
  fc.assert(
    fc.property(fc.array(id, { maxLength: 40 }), fc.array(id, { maxLength: 40 }), (some, others) => {
      const ids = [...new Map(some.map((one) => [one.toString('hex'), one])).values()].sort(Buffer.compare)
      const known = trackKnownIds(Buffer.concat(ids))
      const isKnown = (one: Buffer) => ids.some((each) => each.equals(one))
      for (const other of others.filter((one) => !isKnown(one))) expect(known.deliver(key(other))).toBe(false)
      expect(known.missing).toBe(ids.length)
      expect(ids.map((one) => known.deliver(key(one)))).toEqual(ids.map(() => true))
      expect(ids.map((one) => known.deliver(key(one)))).toEqual(ids.map(() => false))
      expect([known.count, known.missing]).toEqual([ids.length, 0])
    })
  )
})

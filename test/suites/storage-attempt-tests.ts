import { expect } from 'vitest'
import { toEpochMs } from '../../src/contract/epoch-ms.ts'
import { heldGrant, newAttempt, ready, sealed } from './storage-connector-things.ts'
import { idAt, type StorageTests } from './storage-place.ts'

/** Tests the storage of a consent from beginning to end. */
export const ATTEMPT_TESTS: StorageTests = {
  'finds an attempt as it was stored, waiting': async (open) => {
    const storage = await ready(open)
    const attempt = newAttempt('a', { config: { folder_ids: ['f1', 'f2'] } })
    expect(await storage.createAttempt(attempt)).toBe('created')
    expect(await storage.findAttempt('a')).toEqual({
      ...attempt,
      status: 'waiting',
      usedAt: undefined,
      endedAt: undefined,
      detail: undefined,
      connectionId: undefined,
      held: undefined
    })
  },

  'finds nothing for any text that is not the id of an attempt': async (open) => {
    const storage = await ready(open)
    await storage.createAttempt(newAttempt('a'))
    const found = ['', 'b', 'A', 'a\0', '\ud800', "' or 1=1 --", 'x'.repeat(5000)].map((id) => storage.findAttempt(id))
    expect((await Promise.all(found)).filter((one) => one !== undefined)).toEqual([])
  },

  'stores an attempt once per id': async (open) => {
    const storage = await ready(open)
    await storage.createAttempt(newAttempt('a'))
    await storage.useAttempt('a', toEpochMs(1500))
    await storage.createAttempt(newAttempt('a'))
    expect(await storage.findAttempt('a')).toMatchObject({ usedAt: 1500 })
  },

  'refuses an attempt for a deleted collection': async (open) => {
    const storage = await ready(open)
    await storage.deleteCollection(idAt(1))
    await expect(storage.createAttempt(newAttempt('a'))).rejects.toMatchObject({ code: 'not_found' })
    expect(await storage.findAttempt('a')).toBeUndefined()
  },

  'uses up a state once, before its expiry, while it waits': async (open) => {
    const storage = await ready(open)
    for (const id of ['a', 'late', 'ended']) await storage.createAttempt(newAttempt(id))
    await storage.endAttempt('ended', { status: 'denied', detail: 'no', now: toEpochMs(1400) })
    const used = [
      await storage.useAttempt('a', toEpochMs(1999)),
      await storage.useAttempt('a', toEpochMs(1999)),
      await storage.useAttempt('late', toEpochMs(2000)),
      await storage.useAttempt('ended', toEpochMs(1500)),
      await storage.useAttempt('unknown', toEpochMs(1500))
    ]
    expect(used).toEqual([true, false, false, false, false])
  },

  'uses up a state in one of 20 simultaneous callbacks on two servers': async (open) => {
    const [one, two] = [await ready(open), await open()]
    await one.createAttempt(newAttempt('a'))
    const used = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? one : two).useAttempt('a', toEpochMs(1500)))
    )
    expect(used.filter((mine) => mine)).toHaveLength(1)
  },

  'ends an attempt once, and deletes its verifier': async (open) => {
    const storage = await ready(open)
    await storage.createAttempt(newAttempt('a'))
    const end = { status: 'failed', detail: 'it said \0 no', now: toEpochMs(1600) } as const
    expect([await storage.endAttempt('a', end), await storage.endAttempt('a', end)]).toEqual([true, false])
    const found = await storage.findAttempt('a')
    expect(found).toMatchObject({ status: 'failed', detail: 'it said \0 no', endedAt: toEpochMs(1600) })
    expect(found?.verifier).toBeUndefined()
  },

  'stores a grant with a used attempt until it ends': async (open) => {
    const storage = await ready(open)
    await storage.createAttempt(newAttempt('a'))
    expect(await storage.holdGrant('a', heldGrant('ada'))).toBe('ended')
    await storage.useAttempt('a', toEpochMs(1500))
    expect(await storage.holdGrant('a', heldGrant('ada'))).toBe('held')
    expect(await storage.findAttempt('a')).toMatchObject({ status: 'waiting', held: heldGrant('ada') })
    await storage.endAttempt('a', { status: 'denied', detail: 'no', now: toEpochMs(1700) })
    expect((await storage.findAttempt('a'))?.held).toBeUndefined()
    expect(await storage.holdGrant('a', heldGrant('ada'))).toBe('ended')
  },

  'stores a grant whose token never expires': async (open) => {
    const storage = await ready(open)
    await storage.createAttempt(newAttempt('a', { verifier: undefined }))
    await storage.useAttempt('a', toEpochMs(1500))
    await storage.holdGrant('a', heldGrant('ada', { expiresAt: undefined }))
    expect((await storage.findAttempt('a'))?.held).toEqual(heldGrant('ada', { expiresAt: undefined }))
  },

  'refuses anything sealed with a key other than the current one': async (open) => {
    const storage = await ready(open)
    const stale = newAttempt('a', { verifier: sealed('v', 'key-0') })
    expect(await storage.createAttempt(stale)).toBe('stale_key')
    expect(await storage.findAttempt('a')).toBeUndefined()
    await storage.createAttempt(newAttempt('a'))
    await storage.useAttempt('a', toEpochMs(1500))
    expect(await storage.holdGrant('a', heldGrant('ada', { secret: sealed('t', 'key-0') }))).toBe('stale_key')
    expect((await storage.findAttempt('a'))?.held).toBeUndefined()
  },

  'returns unconfirmed grants once, and marks their attempts as expired': async (open) => {
    const [storage, other] = [await ready(open), await open()]
    for (const [id, expiresAt] of [
      ['a', 2000],
      ['b', 2001],
      ['c', 1900]
    ] as const) {
      await storage.createAttempt(newAttempt(id, { expiresAt: toEpochMs(expiresAt) }))
      await storage.useAttempt(id, toEpochMs(1500))
      if (id !== 'c') await storage.holdGrant(id, heldGrant(id))
    }
    const times = { now: toEpochMs(2000), endedBefore: toEpochMs(0), limit: 10 }
    const taken = (await Promise.all([storage.takeOldAttempts(times), other.takeOldAttempts(times)])).flat()
    expect(taken.map(({ id, held }) => [id, held])).toEqual([['a', heldGrant('a')]])
    expect(await storage.findAttempt('a')).toMatchObject({
      status: 'expired',
      endedAt: toEpochMs(2000),
      held: undefined
    })
    expect(await storage.findAttempt('b')).toMatchObject({ status: 'waiting', held: heldGrant('b') })
    expect(await storage.takeOldAttempts(times)).toEqual([])
  },

  'removes old attempts with their secrets, up to the limit': async (open) => {
    const storage = await ready(open)
    for (const [n, id] of ['a', 'b', 'c', 'd'].entries())
      await storage.createAttempt(newAttempt(id, { expiresAt: toEpochMs(2000 + n) }))
    await storage.useAttempt('a', toEpochMs(1500))
    await storage.holdGrant('a', heldGrant('ada'))
    await storage.endAttempt('b', { status: 'denied', detail: 'no', now: toEpochMs(1500) })
    const times = { now: toEpochMs(3000), endedBefore: toEpochMs(2003), limit: 2 }
    const first = await storage.takeOldAttempts(times)
    const second = await storage.takeOldAttempts(times)
    expect([first, second].map((list) => list.map(({ id, held }) => [id, held !== undefined]))).toEqual([
      [
        ['a', true],
        ['b', false]
      ],
      [['c', false]]
    ])
    expect(await storage.findAttempt('a')).toBeUndefined()
    expect(await storage.findAttempt('d')).toMatchObject({ status: 'waiting' })
  }
}

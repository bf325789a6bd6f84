import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FailureKind } from '../../../server/providers/port/provider-failure.ts'
import { chooseReaction, type FailureReaction } from '../../../server/sync/choose-reaction.ts'
import { cleanMessage, describeFailure, shortenReason } from '../../../server/sync/describe-failure.ts'
import { isMassDeletion } from '../../../server/sync/end-pass.ts'
import { scheduleItemRetry, scheduleRun, scheduleRunRetry } from '../../../server/sync/schedule-run.ts'
import { createSerialQueue } from '../../../server/sync/serial-queue.ts'
import { mapInOrder } from '../../../server/sync/store-page.ts'
import {
  NO_PROGRESS,
  newPass,
  readProgress,
  type SyncProgress,
  writeProgress
} from '../../../server/sync/sync-progress.ts'
import { toEpochMs, toMillis } from '../../../src/contract/epoch-ms.ts'
import { idAt } from '../../suites/storage-place.ts'
import { DAY, HOUR, MINUTE, SETTINGS } from './sync-kit.ts'

const ROWS: readonly [FailureKind, FailureReaction, FailureReaction][] = [
  ['auth_expired', 'fail', 'fail'],
  ['grant_dead', 'fail', 'fail'],
  ['scope_missing', 'fail', 'fail'],
  ['rate_limited', 'park', 'park'],
  ['transient', 'fail_soon', 'fail_item'],
  ['item_gone', 'fail', 'drop_item'],
  ['item_permanent', 'fail', 'fail_item'],
  ['cursor_invalid', 'start_over', 'fail_item'],
  ['contract_broken', 'fail', 'fail_item']
]

test.for(ROWS)('%s: a listing reacts with %s, an item with %s', ([kind, listing, reading]) => {
  expect(chooseReaction(kind, 'listing')).toBe(listing)
  expect(chooseReaction(kind, 'reading')).toBe(reading)
})

test.for([
  [0, 0, false],
  [20, 20, false],
  [21, 21, true],
  [21, 70, false],
  [22, 70, true],
  [300, 1000, false],
  [301, 1000, true],
  [30, 0, true]
] as const)('holds back %i unseen of %i synced items: %s', ([unseen, synced, isHeld]) => {
  expect(isMassDeletion({ unseen, synced })).toBe(isHeld)
})

test('never shortens the waits of an item, and limits them to a day', () => {
  const law = fc.property(fc.integer({ min: 1, max: 5000 }), fc.nat(2 ** 42), (tries, now) => {
    const wait = scheduleItemRetry(toEpochMs(now), tries, SETTINGS) - now
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(DAY)
    expect(scheduleItemRetry(toEpochMs(now), tries + 1, SETTINGS) - now).toBeGreaterThanOrEqual(wait)
  })
  fc.assert(law)
})

test('keeps a configured cooldown of more than a day', () => {
  expect(scheduleItemRetry(toEpochMs(0), 9, { retryBackoffMs: [], cooldownMs: 3 * DAY })).toBe(3 * DAY)
})

test('shifts the regular time of a connection by a constant share of the interval, at most 5 %', () => {
  const law = fc.property(fc.uuid(), fc.nat(2 ** 42), (id, now) => {
    const wait = scheduleRun(toEpochMs(now), id, 4 * HOUR) - now
    expect(wait).toBe(scheduleRun(toEpochMs(0), id, 4 * HOUR))
    expect(Math.abs(wait - 4 * HOUR)).toBeLessThanOrEqual(4 * HOUR * 0.05)
  })
  fc.assert(law)
  const waits = new Set(Array.from({ length: 100 }, (_, at) => scheduleRun(toEpochMs(0), idAt(at), 4 * HOUR)))
  expect(waits.size).toBeGreaterThan(95)
})

test('retries a failed run soon, not before the provider allows it, and otherwise no later than usual', () => {
  expect(scheduleRunRetry(toEpochMs(4 * HOUR), { now: toEpochMs(0), failures: 1 }, SETTINGS)).toBe(MINUTE / 2)
  expect(
    scheduleRunRetry(toEpochMs(4 * HOUR), { now: toEpochMs(0), failures: 1, waitMs: toMillis(HOUR) }, SETTINGS)
  ).toBe(HOUR)
  expect(scheduleRunRetry(toEpochMs(4 * HOUR), { now: toEpochMs(0), failures: 4 }, SETTINGS)).toBe(4 * HOUR)
  expect(scheduleRunRetry(toEpochMs(MINUTE), { now: toEpochMs(0), failures: 3 }, SETTINGS)).toBe(MINUTE)
})

const passes = fc
  .record({
    number: fc.nat(),
    beganAt: fc.nat(),
    full: fc.boolean(),
    braked: fc.boolean(),
    stretches: fc.boolean(),
    ended: fc.boolean()
  })
  .map((some) => ({ ...newPass(some), ...some }))

test('reads progress as it was written', () => {
  const progress: fc.Arbitrary<SyncProgress> = fc
    .record(
      {
        cursor: fc.string({ unit: 'binary', maxLength: 100 }),
        pass: passes,
        listing: passes,
        heldSince: fc.nat(),
        heldAt: fc.nat()
      },
      { requiredKeys: [] }
    )
    .map((some) => ({ ...NO_PROGRESS, ...some, fullAt: 5 }))
  const law = fc.property(progress, (one) => {
    expect(readProgress(writeProgress(one))).toEqual(one)
  })
  fc.assert(law)
})

test.for(['', 'x', 'null', '[]', '{}', '{"v":2,"fullAt":0}', '{"v":1,"fullAt":0,"more":1}', '{"v":1,"fullAt":-1}'])(
  'rejects %j as progress',
  (text) => {
    expect(readProgress(text)).toBeUndefined()
  }
)

test('stores a message as one line of at most 500 characters without control characters, escapes or tokens', () => {
  const law = fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
    const noted = cleanMessage(text)
    expect(noted.length).toBeLessThanOrEqual(500)
    expect(noted).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    expect(noted.isWellFormed()).toBe(true)
  })
  fc.assert(law)
  expect(cleanMessage('GET x: Bearer abcdefgh1234 refused')).toBe('GET x: Bearer [secret] refused')
  expect(cleanMessage('x?access_token=abcdefgh1234&b=1')).toBe('x?access_token=[secret]&b=1')
  expect(cleanMessage('{"client_secret":"abcdefgh"}')).toBe('{"client_secret":"[secret]"}')
  expect(cleanMessage('{"refresh_token": "abcdefgh", "secret": "abcdefgh"}')).toBe(
    '{"refresh_token": "[secret]", "secret": "[secret]"}'
  )
  expect(cleanMessage('token: 1//0abcdefgh, password: abcdefgh')).toBe('token: [secret] password: [secret]')
  for (const plain of [
    'the token is invalid',
    'no usable token: "response" is not a conform Token Endpoint response',
    'a bearer authentication, or a bearer token.'
  ])
    expect(cleanMessage(plain)).toBe(plain)
  expect(cleanMessage('\u001b[31mred\u202e')).toBe('[31mred')
})

test('keeps counted reasons short', () => {
  expect(shortenReason('x'.repeat(500)).length).toBe(120)
  expect(shortenReason('a video has no text')).toBe('a video has no text')
})

test('describes each kind of run failure, with a new consent where that fixes it', () => {
  const connection = { provider: 'mailbox', collectionId: 'ID' } as const
  const about = { service: 'Gmail', connection }
  const said = (kind: FailureKind) => describeFailure({ kind, message: 'so it is' }, about)
  const command = 'memctl connect mailbox -c ID'
  expect(said('grant_dead')).toBe(
    `Gmail no longer accepts the stored credentials, so it is: connect the account again with ${command}`
  )
  expect(said('auth_expired')).toBe(said('grant_dead'))
  expect(said('scope_missing')).toBe(
    `Gmail does not permit this sync, so it is: connect the account again with ${command}`
  )
  expect(said('transient')).toBe('so it is')
  for (const kind of ['contract_broken', 'item_gone', 'item_permanent', 'cursor_invalid'] as const)
    expect(said(kind)).toBe('contract broken: so it is')
})

test('yields results in the order of the inputs, a few at a time, and failures in their place', async () => {
  let under = 0
  let most = 0
  const work = async (input: number): Promise<number> => {
    most = Math.max(most, ++under)
    for (let turn = 0; turn < (input * 7) % 5; turn += 1) await Promise.resolve()
    under -= 1
    if (input === 8) throw new Error('eight')
    return input * 2
  }
  const found: number[] = []
  const all = async () => {
    for await (const one of mapInOrder([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 3, work)) found.push(one)
  }
  await expect(all()).rejects.toThrow('eight')
  expect(found).toEqual([2, 4, 6, 8, 10, 12, 14])
  expect(most).toBe(3)
})

test('runs queued tasks one after another, even after a failure', async () => {
  const turns = createSerialQueue()
  const said: string[] = []
  const work = (name: string, fails: boolean) => async () => {
    said.push(`${name} begins`)
    await new Promise((resolve) => setImmediate(resolve))
    said.push(`${name} ends`)
    if (fails) throw new Error(name)
    return name
  }
  const both = await Promise.allSettled([turns(work('a', true)), turns(work('b', false))])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(said).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
})

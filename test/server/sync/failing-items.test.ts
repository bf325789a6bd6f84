import { expect, test } from 'vitest'
import { epochNow } from '../../../src/contract/epoch-ms.ts'
import { type ScriptedKit, sayingOf, scriptedKit } from './scripted-kit.ts'
import { failure } from './scripted-source.ts'
import { DAY, HOUR, MINUTE, textsOf } from './sync-kit.ts'

async function brokenItem(kit: ScriptedKit) {
  const found = (await kit.items()).find(({ id }) => id === 'b')
  if (found === undefined) throw new Error('b is not known')
  return found
}

/** Makes every read of item b fail. */
function alwaysFailing(kit: ScriptedKit): void {
  kit.source.fail('read b', ...Array.from({ length: 100 }, () => failure('transient')))
}

test('continues after a failed item and ends the run as partial', async () => {
  const kit = await scriptedKit({ holds: ['a', 'b', 'c'] })
  alwaysFailing(kit)
  expect(await kit.sync()).toMatchObject({ outcome: 'partial', created: 2, failed: 1 })
  expect(textsOf(await kit.memories())).toEqual(['a', 'c'].map(sayingOf))
  expect(await brokenItem(kit)).toMatchObject({ status: 'failed', reason: 'it was transient', tries: 1 })
  expect((await kit.lastRun()).reasons).toEqual({ 'it was transient': 1 })
  expect((await kit.connection()).lastError).toBeUndefined()
})

test('retries a failed item up to three times, then waits for cooldowns that double', async () => {
  const kit = await scriptedKit({ holds: ['a', 'b', 'c'], settings: { intervalMs: 30 * DAY } })
  alwaysFailing(kit)
  await kit.sync()
  const waits = [MINUTE / 2, 2 * MINUTE, 8 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 16 * HOUR, DAY, DAY]
  for (const [at, wait] of waits.entries()) {
    const { tries, nextTryAt } = await brokenItem(kit)
    expect({ tries, wait: (nextTryAt ?? 0) - kit.clock.now() }).toEqual({ tries: at + 1, wait })
    expect((await kit.connection()).nextRunAt).toBe(nextTryAt)
    expect(await kit.syncAfter(wait - 1)).toBeUndefined()
    expect(await kit.syncAfter(1)).toMatchObject({ outcome: 'partial', failed: 1, seen: 0 })
  }
})

test('stores an item whose retry succeeds, and resets its attempts', async () => {
  const kit = await scriptedKit({ holds: ['a', 'b', 'c'] })
  kit.source.fail('read b', failure('transient'), failure('item_permanent'))
  await kit.sync()
  await kit.syncAfter(MINUTE / 2)
  expect(await kit.syncAfter(2 * MINUTE)).toMatchObject({ outcome: 'succeeded', created: 1 })
  expect(await brokenItem(kit)).toMatchObject({ status: 'synced', tries: 0, nextTryAt: undefined, reason: undefined })
  expect(textsOf(await kit.memories())).toEqual(['a', 'b', 'c'].map(sayingOf))
})

test('keeps items that were read again even if the next retry parks the run', async () => {
  const kit = await scriptedKit({ holds: ['a', 'b', 'c'] })
  kit.source.fail('read a', failure('transient'))
  kit.source.fail('read b', failure('transient'), failure('rate_limited', MINUTE))
  expect(await kit.sync()).toMatchObject({ outcome: 'partial', failed: 2 })
  expect(await kit.syncAfter(MINUTE / 2)).toMatchObject({ outcome: 'parked', created: 1, failed: 0 })
  expect(textsOf(await kit.memories())).toEqual(['a', 'c'].map(sayingOf))
})

test('leaves a failing item alone until it is due, even if a page names it', async () => {
  const kit = await scriptedKit({ holds: ['a', 'b', 'c'] })
  alwaysFailing(kit)
  await kit.sync()
  await kit.select(['A'])
  kit.source.calls.length = 0
  await kit.sync()
  expect(kit.source.calls).not.toContain('read b')
  expect(await brokenItem(kit)).toMatchObject({ status: 'failed', tries: 1 })
})

test('reads a changed version immediately, and resets its attempts', async () => {
  const kit = await scriptedKit({ holds: ['a', 'b', 'c'] })
  alwaysFailing(kit)
  await kit.sync()
  await kit.syncAfter(MINUTE / 2)
  expect((await brokenItem(kit)).tries).toBe(2)
  kit.source.put('b', 'another b')
  await kit.syncNow()
  expect((await brokenItem(kit)).tries).toBe(1)
})

test('keeps the memories of a failed item until it is read again', async () => {
  const kit = await scriptedKit({ holds: ['a', 'b', 'c'] })
  await kit.sync()
  kit.source.put('b', 'another b')
  kit.source.fail('read b', failure('contract_broken'))
  expect(await kit.syncNow()).toMatchObject({ outcome: 'partial' })
  expect(textsOf(await kit.memories())).toEqual(['a', 'b', 'c'].map(sayingOf))
  expect((await brokenItem(kit)).reason).toBe('contract broken: it was contract broken')
  await kit.syncAfter(MINUTE / 2)
  expect(textsOf(await kit.memories())).toEqual(['This is a.', 'This is c.', 'another b'])
})

test('reads an item immediately when a user retries it', async () => {
  const kit = await scriptedKit({ holds: ['a', 'b', 'c'] })
  kit.source.fail('read b', failure('item_permanent'))
  await kit.sync()
  expect(await kit.storage.retryItem(kit.connectionId, { itemId: 'b', now: epochNow(kit.clock) })).toBe('due')
  expect(await kit.sync()).toMatchObject({ outcome: 'succeeded', created: 1 })
})

test('deletes an item that is gone when it is read, and counts no failure', async () => {
  const kit = await scriptedKit({ holds: ['a', 'b', 'c'] })
  await kit.sync()
  kit.source.put('b', 'another b')
  kit.source.when('read b', () => kit.source.vanish('b'))
  expect(await kit.syncNow()).toMatchObject({ outcome: 'succeeded', failed: 0, deleted: 1 })
  expect(textsOf(await kit.memories())).toEqual(['a', 'c'].map(sayingOf))
})

test('fails only the item whose memory is too long for a line', async () => {
  const kit = await scriptedKit({ holds: ['a', 'b', 'c'] })
  const { makeMemories } = kit.parts
  kit.parts.makeMemories = async (inputs, signal) => {
    const made = await makeMemories(inputs, signal)
    return made.map((one, at) => (inputs[at]?.text === sayingOf('b') ? { tooLarge: 'a line is too long' } : one))
  }
  expect(await kit.sync()).toMatchObject({ outcome: 'partial', created: 2, failed: 1 })
  expect((await brokenItem(kit)).reason).toBe('a line is too long')
  expect(textsOf(await kit.memories())).toEqual(['a', 'c'].map(sayingOf))
})

test('waits as long as the provider demands for an item', async () => {
  const kit = await scriptedKit({ holds: ['a', 'b', 'c'] })
  kit.source.fail('read b', failure('transient', HOUR))
  await kit.sync()
  expect((await brokenItem(kit)).nextTryAt).toBe(kit.clock.now() + HOUR)
})

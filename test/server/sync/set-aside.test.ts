import { expect, test } from 'vitest'
import { epochNow } from '../../../src/contract/epoch-ms.ts'
import { killedWhileReading } from './killed-while-reading.ts'
import { idsOf, type ScriptedKit, sayingOf, scriptedKit } from './scripted-kit.ts'
import { MINUTE, textsOf } from './sync-kit.ts'

const reads = ({ source }: ScriptedKit) => source.calls.filter((call) => call.startsWith('read '))

test('sets aside an item that ended the server twice, names it in the run, and does not read it a third time', async () => {
  const kit = await scriptedKit({ holds: ['a', 'b', 'c'] })
  await killedWhileReading(kit, 'b')
  await killedWhileReading(kit, 'b')
  kit.source.calls.length = 0
  expect(await kit.sync()).toMatchObject({ outcome: 'partial', failed: 1 })
  expect(reads(kit)).not.toContain('read b')
  expect(textsOf(await kit.memories())).toEqual(['a', 'c'].map(sayingOf))
  const [, item] = await kit.items()
  const reason = 'reading it stopped the server twice, so it is skipped until it changes or is retried'
  expect(item).toMatchObject({ id: 'b', status: 'failed', reason })
  expect((await kit.lastRun()).reasons).toEqual({ [reason]: 1 })
  kit.source.calls.length = 0
  for (const wait of [MINUTE, 5 * MINUTE, 60 * MINUTE]) await kit.syncAfter(wait)
  expect(reads(kit)).toEqual([])
})

test('stores items that were only read at the same time', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 9) })
  await killedWhileReading(kit, 'p002')
  await killedWhileReading(kit, 'p002')
  await kit.sync()
  expect(textsOf(await kit.memories())).toEqual(
    idsOf('p', 9)
      .filter((id) => id !== 'p002')
      .map(sayingOf)
  )
})

test('rereads an item alone after it ended the server once, and stores it', async () => {
  const kit = await scriptedKit({ holds: ['a', 'b', 'c'] })
  await killedWhileReading(kit, 'b')
  kit.source.calls.length = 0
  expect(await kit.sync()).toMatchObject({ outcome: 'succeeded', created: 3 })
  expect(reads(kit)).toHaveLength(3)
})

test('reads an item that was set aside when it changes, and when a user retries it', async () => {
  const kit = await scriptedKit({ holds: ['a', 'b'] })
  await killedWhileReading(kit, 'b')
  await killedWhileReading(kit, 'b')
  await kit.sync()
  kit.source.put('b', 'another b')
  expect(await kit.syncNow()).toMatchObject({ created: 1 })
  kit.source.put('a', 'another a')
  await kit.storage.requestSync(kit.connectionId, epochNow(kit.clock))
  await killedWhileReading(kit, 'a')
  await killedWhileReading(kit, 'a')
  await kit.sync()
  expect(textsOf(await kit.memories())).toEqual([sayingOf('a'), 'another b'].sort())
  expect(await kit.storage.retryItem(kit.connectionId, { itemId: 'a', now: epochNow(kit.clock) })).toBe('due')
  expect(await kit.sync()).toMatchObject({ outcome: 'succeeded', updated: 1 })
})

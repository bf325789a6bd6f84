import { expect, test } from 'vitest'
import type { ItemContent, Provider, SeenItem } from '../../../server/providers/port/provider.ts'
import { sayingOf } from './scripted-kit.ts'
import { failure, scriptedSource } from './scripted-source.ts'
import { MINUTE, type SyncKit, syncKit, textsOf } from './sync-kit.ts'

/** A connection whose items `a` and `b` have the attached items that `attached` lists. */
async function attachingKit() {
  const source = scriptedSource()
  for (const id of ['a', 'b']) source.put(id, sayingOf(id))
  const failing = new Set<string>()
  const attached = new Map<string, SeenItem[]>([['a', [toAttached('a', '1'), toAttached('a', '2')]]])
  const provider: Provider = {
    ...source.provider,
    facts: { ...source.provider.facts, attaches: true },
    async read(call, id): Promise<ItemContent> {
      const [parent = '', name] = id.split('/')
      if (name === undefined) return { ...(await source.provider.read(call, id)), attached: attached.get(id) ?? [] }
      source.calls.push(`read ${id}`)
      if (failing.has(id)) throw failure('transient')
      await source.provider.read(call, parent)
      return { id, version: 'v1', parts: [{ text: sayingOf(id) }] }
    },
    async lookUp(call, { id }, selection) {
      const found = await source.provider.lookUp?.(call, { id: id.split('/')[0] ?? '' }, selection)
      return typeof found === 'object' && id.includes('/')
        ? toAttached(id.split('/')[0] ?? '', id.slice(2))
        : (found ?? 'unknown')
    }
  }
  const kit = await syncKit({ config: { folder_ids: ['A'] }, source: { provider, apiUrl: 'https://files.example' } })
  return { ...kit, source, attached, failing }
}

function toAttached(place: string, name: string): SeenItem {
  return { id: `${place}/${name}`, version: 'v1', place }
}

const idsOf = async (kit: SyncKit) => (await kit.items()).map(({ id, status }) => `${id} ${status}`)

test('stores attached items with their own memories, and reads them once', async () => {
  const kit = await attachingKit()
  expect(await kit.sync()).toMatchObject({ outcome: 'succeeded', created: 4 })
  expect(await idsOf(kit)).toEqual(['a synced', 'a/1 synced', 'a/2 synced', 'b synced'])
  expect(textsOf(await kit.memories())).toEqual(['a', 'a/1', 'a/2', 'b'].map(sayingOf))
  kit.source.calls.length = 0
  kit.source.put('a', 'This is new.')
  expect(await kit.syncNow()).toMatchObject({ updated: 1, unchanged: 2, deleted: 0 })
  expect(kit.source.calls.filter((call) => call.includes('/'))).toEqual([])
})

test('deletes an attached item with its item, or if a reading lacks it', async () => {
  const kit = await attachingKit()
  await kit.sync()
  kit.attached.set('a', [toAttached('a', '2')])
  kit.source.put('a', 'This is new.')
  expect(await kit.syncNow()).toMatchObject({ deleted: 1 })
  expect(textsOf(await kit.memories())).toEqual([sayingOf('a/2'), sayingOf('b'), 'This is new.'])
  kit.source.remove('a')
  expect(await kit.syncNow()).toMatchObject({ deleted: 2 })
  expect(textsOf(await kit.memories())).toEqual([sayingOf('b')])
})

test('keeps attached items of an item that a full listing reports as unchanged or that cannot be read', async () => {
  const kit = await attachingKit()
  await kit.sync()
  const resync = async () => {
    kit.source.fail('changes', failure('cursor_invalid'))
    await kit.clock.pass(2 * MINUTE)
    return await kit.syncNow()
  }
  expect(await resync()).toMatchObject({ outcome: 'succeeded', deleted: 0 })
  kit.source.put('a', 'This is new.')
  kit.source.fail('read a', failure('transient'))
  expect(await resync()).toMatchObject({ outcome: 'partial', failed: 1, deleted: 0 })
  expect(await idsOf(kit)).toEqual(['a failed', 'a/1 synced', 'a/2 synced', 'b synced'])
})

test('deletes the attached items of an item that a full listing lacks and that is gone', async () => {
  const kit = await attachingKit()
  await kit.sync()
  kit.source.vanish('a')
  kit.source.fail('changes', failure('cursor_invalid'))
  await kit.syncNow()
  expect(await idsOf(kit)).toEqual(['b synced'])
  expect(textsOf(await kit.memories())).toEqual([sayingOf('b')])
})

test('skips an attached item with its reason, and retries a failed one by itself', async () => {
  const kit = await attachingKit()
  kit.attached.set('a', [{ ...toAttached('a', '1'), skipped: 'it is an image' }, toAttached('a', '2')])
  kit.failing.add('a/2')
  expect(await kit.sync()).toMatchObject({ outcome: 'partial', created: 2, skipped: 1, failed: 1 })
  expect(await idsOf(kit)).toEqual(['a synced', 'a/1 skipped', 'a/2 failed', 'b synced'])
  kit.failing.clear()
  kit.source.calls.length = 0
  expect(await kit.syncAfter(MINUTE)).toMatchObject({ outcome: 'succeeded', created: 1 })
  expect(kit.source.calls).toContain('read a/2')
  expect((await kit.items()).find(({ id }) => id === 'a/1')).toMatchObject({ reason: 'it is an image' })
})

import { expect, test } from 'vitest'
import { ProviderFailure } from '../../../server/providers/port/provider-failure.ts'
import { sayingOf, scriptedKit } from './scripted-kit.ts'
import { HOUR, textsOf } from './sync-kit.ts'

const FIVE = ['a', 'b', 'c', 'd', 'e']

test('stores everything selected in the first sync, page by page', async () => {
  const kit = await scriptedKit({ holds: FIVE })
  kit.source.put('x', 'Not selected.', 'B')
  expect(await kit.sync()).toMatchObject({ outcome: 'succeeded', seen: 5, created: 5, memories: 5 })
  expect(textsOf(await kit.memories())).toEqual(FIVE.map(sayingOf))
  const { itemsSynced, lastSyncedAt, lastError } = await kit.connection()
  expect({ itemsSynced, lastSyncedAt, lastError }).toEqual({
    itemsSynced: 5,
    lastSyncedAt: kit.clock.now(),
    lastError: undefined
  })
})

test('fetches only new and changed items after the first sync', async () => {
  const kit = await scriptedKit({ holds: FIVE })
  await kit.sync()
  kit.source.calls.length = 0
  kit.source.put('b', 'This is another b.')
  kit.source.put('f', 'This is f.')
  expect(await kit.syncNow()).toMatchObject({ outcome: 'succeeded', seen: 2, created: 1, updated: 1 })
  expect(kit.source.calls).toEqual(['changes', 'read', 'read b', 'read', 'read f'])
  expect(textsOf(await kit.memories())).toContain('This is another b.')
  expect(textsOf(await kit.memories())).not.toContain('This is b.')
})

test('requests one page and reads nothing if nothing changed', async () => {
  const kit = await scriptedKit({ holds: FIVE })
  await kit.sync()
  kit.source.calls.length = 0
  expect(await kit.syncNow()).toMatchObject({ outcome: 'succeeded', seen: 0, created: 0, updated: 0, deleted: 0 })
  expect(kit.source.calls).toEqual(['changes'])
})

test('skips an item that is listed again in the same version without reading it', async () => {
  const kit = await scriptedKit({ holds: FIVE })
  await kit.sync()
  await kit.select(['A'])
  kit.source.calls.length = 0
  expect(await kit.sync()).toMatchObject({ unchanged: 5, created: 0, updated: 0 })
  expect(kit.source.calls).toEqual(['changes', 'changes'])
})

test('treats an item with the same content hash as unchanged, whatever its version', async () => {
  const kit = await scriptedKit({ holds: FIVE })
  await kit.sync()
  const before = await kit.memories()
  kit.source.put('c', sayingOf('c'))
  expect(await kit.syncNow()).toMatchObject({ seen: 1, unchanged: 1, memories: 0 })
  expect(await kit.memories()).toEqual(before)
  kit.source.calls.length = 0
  await kit.select(['A'])
  await kit.sync()
  expect(kit.source.calls).not.toContain('read c')
})

test('remakes an item whose title changed, even if its text is the same', async () => {
  const kit = await scriptedKit({ holds: FIVE })
  await kit.sync()
  const { provider } = kit.source
  const { read } = provider
  provider.read = async (call, id) => ({ ...(await read(call, id)), title: 'another name' })
  kit.source.put('c', sayingOf('c'))
  expect(await kit.syncNow()).toMatchObject({ seen: 1, updated: 1, memories: 1 })
  const titles = (await kit.memories()).map(({ metadata }) => metadata?.title)
  expect(titles.filter((title) => title === 'another name')).toHaveLength(1)
  expect(titles).toHaveLength(5)
})

test('lists titles without half surrogate pairs, even where a long title is cut', async () => {
  const kit = await scriptedKit({ holds: ['a', 'b'] })
  const { provider } = kit.source
  const { read } = provider
  const names: Record<string, string> = { a: 'half \ud83d of a pair', b: `${'x'.repeat(499)}😀` }
  provider.read = async (call, id) => ({
    ...(await read(call, id)),
    title: names[id] ?? '',
    url: 'https://a.example/\ud83d'
  })
  await kit.sync()
  expect(await kit.items()).toMatchObject([
    { title: 'half \ufffd of a pair', url: undefined },
    { title: `${'x'.repeat(499)}\ufffd`, url: undefined }
  ])
})

test('reads items without versions each time, and skips them by their content hash', async () => {
  const kit = await scriptedKit({ holds: FIVE, versions: false })
  const { provider, calls } = kit.source
  const { read } = provider
  provider.read = async (call, id) => {
    const { version: _, ...content } = await read(call, id)
    return content
  }
  await kit.sync()
  await kit.select(['A'])
  calls.length = 0
  expect(await kit.sync()).toMatchObject({ unchanged: 5, memories: 0 })
  expect(calls.filter((call) => call === 'read')).toHaveLength(5)
})

test('does not read contents that are included in the page', async () => {
  const kit = await scriptedKit({ holds: FIVE, inline: true })
  expect(await kit.sync()).toMatchObject({ created: 5 })
  expect(kit.source.calls).toEqual(['changes', 'changes'])
})

test('deletes the memories of items that were deleted or moved out of the selection', async () => {
  const kit = await scriptedKit({ holds: FIVE })
  await kit.sync()
  kit.source.remove('a')
  kit.source.put('b', sayingOf('b'), 'B')
  expect(await kit.syncNow()).toMatchObject({ outcome: 'succeeded', deleted: 2 })
  expect(textsOf(await kit.memories())).toEqual(['c', 'd', 'e'].map(sayingOf))
  expect((await kit.lastRun()).deleted).toBe(2)
  expect((await kit.connection()).itemsSynced).toBe(3)
})

test('restores the memories of an item that returns after its deletion', async () => {
  const kit = await scriptedKit({ holds: FIVE })
  await kit.sync()
  for (let time = 0; time < 3; time += 1) {
    kit.source.remove('a')
    await kit.syncNow()
    expect(textsOf(await kit.memories())).not.toContain(sayingOf('a'))
    kit.source.put('a', sayingOf('a'))
    await kit.syncNow()
    expect(textsOf(await kit.memories())).toEqual(FIVE.map(sayingOf))
  }
})

test('syncs all of the new selection after a config change, and deletes what left it', async () => {
  const kit = await scriptedKit({ holds: FIVE })
  for (const id of ['x', 'y']) kit.source.put(id, sayingOf(id), 'B')
  await kit.sync()
  await kit.select(['B'])
  expect(await kit.sync()).toMatchObject({ outcome: 'succeeded', created: 2, deleted: 5 })
  expect(textsOf(await kit.memories())).toEqual(['x', 'y'].map(sayingOf))
  await kit.select(['A', 'B'])
  await kit.sync()
  expect(textsOf(await kit.memories())).toEqual([...FIVE, 'x', 'y'].map(sayingOf))
})

test('uses the titles from the page for items that are skipped or cannot be read', async () => {
  const kit = await scriptedKit({ holds: ['a', 'b'] })
  kit.source.bend((page) => ({
    ...page,
    seen: page.seen.map((item) => ({
      ...item,
      title: `page ${item.id}`,
      ...(item.id === 'a' && { skipped: 'no text' })
    }))
  }))
  kit.source.provider.read = async () => {
    throw new ProviderFailure('item_permanent', 'it is broken')
  }
  await kit.sync()
  expect(await kit.items()).toMatchObject([
    { status: 'skipped', title: 'page a' },
    { status: 'failed', title: 'page b' }
  ])
})

test('gives a skipped item a reason, and deletes its memories', async () => {
  const kit = await scriptedKit({ holds: FIVE })
  await kit.sync()
  kit.source.put('a', 'now a video')
  kit.source.bend((page) => ({
    ...page,
    seen: page.seen.map((item) => (item.id === 'a' ? { ...item, skipped: 'a video has no text' } : item))
  }))
  expect(await kit.syncNow()).toMatchObject({ outcome: 'succeeded', skipped: 1 })
  expect(textsOf(await kit.memories())).toEqual(['b', 'c', 'd', 'e'].map(sayingOf))
  expect((await kit.items())[0]).toMatchObject({ status: 'skipped', reason: 'a video has no text', memories: 0 })
  expect((await kit.lastRun()).reasons).toEqual({ 'a video has no text': 1 })
})

test('reads an item that is not skipped any more, even if its version is known', async () => {
  const kit = await scriptedKit({ holds: ['a', 'b'] })
  kit.source.bend((page) => ({ ...page, seen: page.seen.map((item) => ({ ...item, skipped: 'it is too large' })) }))
  expect(await kit.sync()).toMatchObject({ skipped: 2, created: 0 })
  kit.source.bend((page) => page)
  await kit.select(['A'])
  expect(await kit.sync()).toMatchObject({ skipped: 0, created: 2 })
})

test('syncs an empty item without a memory', async () => {
  const kit = await scriptedKit()
  kit.source.put('a', ' \n\n ')
  expect(await kit.sync()).toMatchObject({ outcome: 'succeeded', created: 1, memories: 0 })
  expect((await kit.items())[0]).toMatchObject({ status: 'synced', memories: 0 })
})

test('stores an item that a page names twice once, in its last state', async () => {
  const kit = await scriptedKit({ holds: ['a'] })
  kit.source.bend((page) => ({ ...page, seen: page.seen.flatMap((item) => [{ ...item, skipped: 'no' }, item]) }))
  expect(await kit.sync()).toMatchObject({ seen: 1, created: 1, skipped: 0 })
})

test('schedules the next sync within 5 % of the interval', async () => {
  const kit = await scriptedKit({ holds: FIVE })
  await kit.sync()
  expect(await kit.syncAfter(HOUR * 4 * 0.94)).toBeUndefined()
  expect(await kit.syncAfter(HOUR * 4 * 0.11)).toMatchObject({ outcome: 'succeeded' })
  expect((await kit.lastRun()).trigger).toBe('schedule')
})

test('logs the connection, the outcome and the counts of a run, but no content', async () => {
  const kit = await scriptedKit({ holds: FIVE })
  await kit.sync()
  expect(kit.logged).toHaveLength(1)
  expect(kit.logged[0]).toMatchObject({
    message: 'sync ended',
    fields: { connectionId: kit.connectionId, provider: 'cloud_drive', outcome: 'succeeded', created: 5, ms: 0 }
  })
  expect(JSON.stringify(kit.logged)).not.toMatch(/This is|about a|files\.example/)
})

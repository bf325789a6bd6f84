import { expect, test } from 'vitest'
import type { PageChange } from '../../../server/storage/port/sync-storage.ts'

import { idsOf, type ScriptedKit, sayingOf, scriptedKit } from './scripted-kit.ts'
import { failure } from './scripted-source.ts'
import { MINUTE, textsOf } from './sync-kit.ts'

/** Collects all pages that are written from now on. */
function watched(kit: ScriptedKit): PageChange[] {
  const pages: PageChange[] = []
  const { commitPage } = kit.storage
  kit.storage.commitPage = (hold, page) => {
    pages.push({ ...page, memories: { ...page.memories } })
    return commitPage(hold, page)
  }
  return pages
}

test('writes a page with many items in parts, and its cursor with the last part', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 1200), pageSize: 2000 })
  kit.source.bend((page) => ({ ...page, gone: ['q'], ledger: [['key', 'value']] }))
  const pages = watched(kit)
  expect(await kit.sync()).toMatchObject({ outcome: 'succeeded', created: 1200 })
  const told = pages.slice(0, 3).map(({ items, gone, ledger, progress }) => ({
    ...{ items: items.length, gone: gone.length, ledger: ledger.length, isLast: progress !== undefined }
  }))
  expect(told).toEqual([
    { items: 500, gone: 1, ledger: 0, isLast: false },
    { items: 500, gone: 0, ledger: 0, isLast: false },
    { items: 200, gone: 0, ledger: 1, isLast: true }
  ])
  expect(await kit.storage.findLedgerValue(kit.connectionId, 'key')).toBe('value')
})

test('does not delete with the first part of a page what a later part contains', async () => {
  const ids = idsOf('p', 600)
  const kit = await scriptedKit({ holds: ids, pageSize: 1000 })
  await kit.sync()
  kit.source.bend((page) => (page.seen.length === 0 ? page : { ...page, gone: ['p600'] }))
  kit.source.fail('changes', failure('cursor_invalid'))
  expect(await kit.syncNow()).toMatchObject({ outcome: 'succeeded', unchanged: 600, deleted: 0 })
  expect(await kit.items()).toHaveLength(600)
})

test('deletes any number of deselected items in one run', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 1100), pageSize: 2000 })
  await kit.sync()
  await kit.select(['B'])
  expect(await kit.sync()).toMatchObject({ outcome: 'succeeded', deleted: 1100 })
  expect(await kit.items()).toEqual([])
})

test('writes a page with much text in parts', async () => {
  const kit = await scriptedKit({ pageSize: 100 })
  for (const id of idsOf('p', 12)) kit.source.put(id, `${id} ${'x'.repeat(75)} `.repeat(12_000))
  const pages = watched(kit)
  await kit.sync()
  expect(pages.length).toBeGreaterThan(2)
  for (const { memories } of pages) expect(memories.lines.length).toBeLessThan(8 * 1024 * 1024)
  expect((await kit.connection()).itemsSynced).toBe(12)
})

test('requests an interrupted page again, and does not reread what was written of it', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 9), pageSize: 100 })
  kit.source.fail('read p007', failure('rate_limited', MINUTE))
  expect(await kit.sync()).toMatchObject({ outcome: 'parked', created: 6 })
  kit.source.calls.length = 0
  expect(await kit.syncAfter(MINUTE)).toMatchObject({ outcome: 'succeeded', unchanged: 6, created: 3 })
  expect(kit.source.calls.filter((call) => call === 'read')).toHaveLength(3)
})

test('stores equal chunks of one item as separate memories that stay the same after the next sync', async () => {
  const kit = await scriptedKit()
  const lines = ['Bread.', 'Butter.', 'Bread.', 'Bread.']
  kit.source.put('a', lines.map((line) => `${line} ${'x'.repeat(1500)}`).join('\n\n'))
  await kit.sync()
  const before = await kit.memories()
  expect(before.map(({ copy = 1 }) => copy).sort()).toEqual([1, 1, 2, 3])
  kit.source.put('a', `${lines.map((line) => `${line} ${'x'.repeat(1500)}`).join('\n\n')}\n\nSalt. ${'y'.repeat(1500)}`)
  await kit.syncNow()
  const ids = (await kit.memories()).map(({ id }) => id)
  expect(ids).toHaveLength(5)
  expect(ids).toEqual(expect.arrayContaining(before.map(({ id }) => id)))
})

test('makes a further copy of a chunk that returns after its removal, even among equal chunks', async () => {
  const kit = await scriptedKit()
  const text = ['Bread.', 'Bread.'].map((line) => `${line} ${'x'.repeat(1500)}`).join('\n\n')
  const copies: number[][] = []
  for (let time = 0; time < 3; time += 1) {
    kit.source.put('a', text)
    await kit.syncNow()
    copies.push((await kit.memories()).map(({ copy = 1 }) => copy).sort())
    kit.source.put('a', 'Nothing.')
    await kit.syncNow()
  }
  expect(copies).toEqual([
    [1, 2],
    [3, 4],
    [5, 6]
  ])
})

test('keeps the memories of unchanged chunks when an item is edited', async () => {
  const kit = await scriptedKit()
  const piece = (name: string) => `${name} ${'word '.repeat(350)}`
  kit.source.put('a', ['One', 'Two', 'Three'].map(piece).join('\n\n'))
  await kit.sync()
  const before = new Set((await kit.memories()).map(({ id }) => id))
  kit.source.put('a', ['One', 'Deux', 'Three'].map(piece).join('\n\n'))
  expect(await kit.syncNow()).toMatchObject({ updated: 1 })
  const after = await kit.memories()
  expect(after).toHaveLength(3)
  expect(after.filter(({ id }) => before.has(id))).toHaveLength(2)
})

test('makes memories in one run of the server at a time', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 30), pageSize: 10 })
  await scriptedKit({ holds: idsOf('q', 30), pageSize: 10, storage: kit.storage, number: 2 })
  const { makeMemories } = kit.parts
  let under = 0
  let most = 0
  kit.parts.makeMemories = async (...given) => {
    most = Math.max(most, ++under)
    await new Promise((resolve) => setImmediate(resolve))
    under -= 1
    return await makeMemories(...given)
  }
  await Promise.all([kit.sync(), kit.sync()])
  expect(most).toBe(1)
  expect(textsOf(await kit.memories())).toEqual(idsOf('p', 30).map(sayingOf))
})

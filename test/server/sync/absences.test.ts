import { expect, test } from 'vitest'
import { epochNow } from '../../../src/contract/epoch-ms.ts'
import { idsOf, type ScriptedKit, sayingOf, scriptedKit } from './scripted-kit.ts'
import { failure } from './scripted-source.ts'
import { HOUR, MINUTE, textsOf } from './sync-kit.ts'

const FIVE = ['a', 'b', 'c', 'd', 'e']
const UNCONFIRMED = 'missing from a listing but not confirmed as deleted, so it is kept'

/** Syncs with a cursor that the provider refuses, so that everything is listed. */
async function resync(kit: ScriptedKit) {
  kit.source.fail('changes', failure('cursor_invalid'))
  kit.source.calls.length = 0
  return await kit.syncNow()
}

function countOf({ source }: ScriptedKit, call: string): number {
  return source.calls.filter((one) => one === call).length
}

async function reasonsOf(kit: ScriptedKit) {
  return (await kit.lastRun()).reasons
}

test('looks up the items that a lagging listing lacks instead of deleting them', async () => {
  const kit = await scriptedKit({ holds: FIVE })
  await kit.sync()
  kit.source.hide('b', 'e')
  kit.source.vanish('c')
  expect(await resync(kit)).toMatchObject({ outcome: 'succeeded', deleted: 1, unchanged: 4 })
  expect(countOf(kit, 'look up')).toBe(3)
  expect(textsOf(await kit.memories())).toEqual(['a', 'b', 'd', 'e'].map(sayingOf))
  expect(await reasonsOf(kit)).toEqual({})
})

test('stores an item that a listing lacks in its current state', async () => {
  const kit = await scriptedKit({ holds: FIVE })
  await kit.sync()
  kit.source.hide('b')
  kit.source.items.set('b', { id: 'b', text: 'This is another text.', version: 99, place: 'A' })
  expect(await resync(kit)).toMatchObject({ outcome: 'succeeded', updated: 1, deleted: 0 })
  expect(textsOf(await kit.memories())).toContain('This is another text.')
})

test('keeps an item whose look-up fails, and counts the failure among the reasons of the run', async () => {
  const kit = await scriptedKit({ holds: FIVE })
  await kit.sync()
  for (const id of ['b', 'c']) kit.source.vanish(id)
  kit.source.fail('look up b', failure('transient'))
  expect(await resync(kit)).toMatchObject({ outcome: 'succeeded', deleted: 1, failed: 0 })
  expect(await reasonsOf(kit)).toEqual({ [UNCONFIRMED]: 1 })
  expect(textsOf(await kit.memories())).toEqual(['a', 'b', 'd', 'e'].map(sayingOf))
})

test.for(['item_permanent', 'transient', 'item_gone', 'contract_broken'] as const)(
  'lets a second listing at least 60 s later decide if a look-up fails with %s',
  async (kind) => {
    const kit = await scriptedKit({ holds: FIVE })
    await kit.sync()
    kit.source.vanish('b')
    kit.source.fail('look up b', ...Array.from({ length: 9 }, () => failure(kind)))
    expect(await resync(kit)).toMatchObject({ deleted: 0 })
    await kit.clock.pass(59_000)
    expect(await resync(kit)).toMatchObject({ deleted: 0 })
    expect(await reasonsOf(kit)).toEqual({ [UNCONFIRMED]: 1 })
    await kit.clock.pass(1000)
    expect(await resync(kit)).toMatchObject({ outcome: 'succeeded', deleted: 1 })
    expect(textsOf(await kit.memories())).not.toContain(sayingOf('b'))
  }
)

test('makes the second listing a minute later, and only once', async () => {
  const kit = await scriptedKit({ holds: FIVE, looksUp: false })
  await kit.sync()
  kit.source.vanish('b')
  expect(await resync(kit)).toMatchObject({ deleted: 0 })
  kit.source.calls.length = 0
  expect(await kit.syncNow()).toMatchObject({ deleted: 0 })
  expect(kit.source.calls).toEqual(['changes'])
  expect(await kit.sync()).toBeUndefined()
  expect(await kit.syncAfter(MINUTE)).toMatchObject({ outcome: 'succeeded', deleted: 1 })
  expect(countOf(kit, 'list')).toBeGreaterThan(0)
  kit.source.calls.length = 0
  await kit.syncAfter(5 * HOUR)
  expect(countOf(kit, 'list')).toBe(0)
})

test('keeps an item that the second listing contains, and starts over when it is missing again', async () => {
  const kit = await scriptedKit({ holds: FIVE, looksUp: false })
  await kit.sync()
  kit.source.hide('b')
  expect(await resync(kit)).toMatchObject({ deleted: 0 })
  kit.source.hide()
  await kit.clock.pass(2 * MINUTE)
  expect(await resync(kit)).toMatchObject({ deleted: 0, unchanged: 5 })
  kit.source.hide('b')
  await kit.clock.pass(2 * MINUTE)
  expect(await resync(kit)).toMatchObject({ deleted: 0 })
  expect(await kit.memories()).toHaveLength(5)
})

test('tells the next node about an absence that was not confirmed', async () => {
  const kit = await scriptedKit({ holds: FIVE, looksUp: false })
  await kit.sync()
  kit.source.vanish('b')
  await resync(kit)
  await kit.clock.pass(MINUTE)
  kit.source.fail('changes', failure('cursor_invalid'))
  await kit.storage.requestSync(kit.connectionId, epochNow(kit.clock))
  expect(await kit.sync('two')).toMatchObject({ outcome: 'succeeded', deleted: 1 })
})

test('parks the look-ups at a rate limit, and continues after the completed ones in the next run', async () => {
  const ids = idsOf('p', 40)
  const kit = await scriptedKit({ holds: ids, pageSize: 100 })
  await kit.sync()
  for (const id of ids.slice(0, 6)) kit.source.vanish(id)
  kit.source.hide(...ids.slice(6, 12))
  kit.source.fail('look up p001', failure('transient'))
  kit.source.fail('look up p010', failure('rate_limited', MINUTE))
  expect(await resync(kit)).toMatchObject({ outcome: 'parked', deleted: 5 })
  const asked = new Set(kit.source.calls.filter((call) => call.startsWith('look up p')))
  kit.source.calls.length = 0
  expect(await kit.syncAfter(MINUTE)).toMatchObject({ outcome: 'succeeded', deleted: 0 })
  expect(asked).toContain('look up p001')
  expect(kit.source.calls).not.toContain('look up p001')
  expect(kit.source.calls).toContain('look up p010')
  expect(kit.source.calls.filter((call) => call === 'changes')).toHaveLength(1)
  expect(await kit.memories()).toHaveLength(35)
})

test('stops looking items up when the provider fails each time', async () => {
  const ids = idsOf('p', 60)
  const kit = await scriptedKit({ holds: ids, pageSize: 100 })
  await kit.sync()
  for (const id of ids.slice(0, 18)) {
    kit.source.vanish(id)
    kit.source.fail(`look up ${id}`, failure('transient'))
  }
  expect(await resync(kit)).toMatchObject({ outcome: 'succeeded', deleted: 0 })
  expect(countOf(kit, 'look up')).toBeLessThan(10)
  expect(await reasonsOf(kit)).toEqual({ [UNCONFIRMED]: 18 })
})

test('looks up some of very many absent items, and lets a second listing decide on the rest', async () => {
  const ids = Array.from({ length: 9000 }, (_, at) => `p${String(at).padStart(4, '0')}`)
  const kit = await scriptedKit({ holds: ids, pageSize: 3000, inline: true })
  await kit.sync()
  for (const id of ids.slice(0, 2500)) kit.source.vanish(id)
  kit.source.hide(...ids.slice(2500, 2600))
  expect(await resync(kit)).toMatchObject({ outcome: 'succeeded', deleted: 2000 })
  expect(countOf(kit, 'look up')).toBe(2000)
  expect(await reasonsOf(kit)).toEqual({ [UNCONFIRMED]: 600 })
  kit.source.calls.length = 0
  expect(await kit.syncAfter(5 * HOUR)).toMatchObject({ outcome: 'succeeded', deleted: 500 })
  expect(countOf(kit, 'look up')).toBe(600)
})

test('gives up look-ups that park run after run, so that changes are followed', async () => {
  const ids = idsOf('p', 40)
  const kit = await scriptedKit({ holds: ids, pageSize: 100 })
  await kit.sync()
  for (const id of ids.slice(0, 12)) {
    kit.source.vanish(id)
    kit.source.fail(`look up ${id}`, ...Array.from({ length: 20 }, () => failure('rate_limited', MINUTE)))
  }
  expect(await resync(kit)).toMatchObject({ outcome: 'parked' })
  for (let parked = 1; parked < 10; parked += 1)
    expect(await kit.syncAfter(MINUTE)).toMatchObject({ outcome: 'parked' })
  expect(await kit.syncAfter(MINUTE)).toMatchObject({ outcome: 'succeeded', deleted: 0 })
  expect(await reasonsOf(kit)).toEqual({ [UNCONFIRMED]: 12 })
})

test('looks up a known item that seems to have left the selection', async () => {
  const kit = await scriptedKit({ holds: FIVE })
  await kit.sync()
  kit.source.vanish('b')
  kit.source.items.set('c', { id: 'c', text: 'This is another text.', version: 99, place: 'A' })
  kit.source.fail('look up d', failure('transient'))
  kit.source.bend((page) => ({ ...page, left: ['b', 'c', 'd', 'nobody'] }))
  kit.source.calls.length = 0
  expect(await kit.syncNow()).toMatchObject({ outcome: 'succeeded', deleted: 1, updated: 1 })
  expect(kit.source.calls).not.toContain('look up nobody')
  expect(textsOf(await kit.memories())).toEqual(['This is another text.', ...['a', 'd', 'e'].map(sayingOf)].sort())
  expect(await reasonsOf(kit)).toEqual({ [UNCONFIRMED]: 1 })
})

test('deletes an item missing from a section only if the look-up confirms it', async () => {
  const kit = await scriptedKit({ holds: FIVE, listsAll: false })
  await kit.sync()
  kit.source.vanish('b')
  kit.source.bend((page) => ({ ...page, covered: [{ from: 'a', to: 'd' }] }))
  kit.source.calls.length = 0
  expect(await kit.syncNow()).toMatchObject({ outcome: 'succeeded', deleted: 1, unchanged: 3 })
  expect(countOf(kit, 'look up')).toBe(4)
  expect(await kit.memories()).toHaveLength(4)
})

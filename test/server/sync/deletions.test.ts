import { expect, test } from 'vitest'
import { idsOf, type ScriptedKit, sayingOf, scriptedKit } from './scripted-kit.ts'
import { failure } from './scripted-source.ts'
import { DAY, HOUR, MINUTE, textsOf } from './sync-kit.ts'

const FIVE = ['a', 'b', 'c', 'd', 'e']
const WEEK = 7 * DAY

/** Makes the provider refuse the cursor of the next page of changes. */
async function loseCursor(kit: ScriptedKit) {
  kit.source.fail('changes', failure('cursor_invalid'))
  return await kit.syncNow()
}

async function waitAndSync(kit: ScriptedKit) {
  await kit.clock.pass(MINUTE)
  return await kit.syncNow()
}

async function waitAndLoseCursor(kit: ScriptedKit) {
  await kit.clock.pass(MINUTE)
  return await loseCursor(kit)
}

function countOf(kit: ScriptedKit, call: string): number {
  return kit.source.calls.filter((one) => one === call).length
}

test('lists everything immediately after a lost cursor, and deletes what the listing lacks', async () => {
  const kit = await scriptedKit({ holds: FIVE })
  await kit.sync()
  kit.source.vanish('b')
  expect(await kit.syncNow()).toMatchObject({ deleted: 0 })
  expect(await loseCursor(kit)).toMatchObject({ outcome: 'succeeded', deleted: 1, unchanged: 4 })
  expect(textsOf(await kit.memories())).toEqual(['a', 'c', 'd', 'e'].map(sayingOf))
})

test('ends the run when the cursor is refused repeatedly', async () => {
  const kit = await scriptedKit({ holds: FIVE })
  kit.source.fail('changes', ...Array.from({ length: 10 }, () => failure('cursor_invalid')))
  expect(await kit.sync()).toMatchObject({ outcome: 'failed' })
  expect(countOf(kit, 'changes')).toBe(4)
  expect((await kit.connection()).lastError).toMatch(/^contract broken: .* rejects the cursor of the last page$/)
})

test('never deletes items of a provider that does not list everything', async () => {
  const kit = await scriptedKit({ holds: FIVE, listsAll: false })
  await kit.sync()
  kit.source.vanish('b')
  expect(await loseCursor(kit)).toMatchObject({ outcome: 'succeeded', deleted: 0 })
  expect(textsOf(await kit.memories())).toEqual(FIVE.map(sayingOf))
})

test('deletes unlisted items only if a look-up reports them as gone', async () => {
  const kit = await scriptedKit({ holds: FIVE, listsAll: false, asksUnlisted: true })
  await kit.sync()
  const { changes } = kit.source.provider
  kit.source.provider.changes = async (...given) => {
    const page = await changes(...given)
    return { ...page, seen: page.seen.filter(({ id }) => id !== 'a' && id !== 'c') }
  }
  kit.source.vanish('b')
  kit.source.vanish('c')
  kit.source.fail('look up a', failure('rate_limited', MINUTE))
  expect(await loseCursor(kit)).toMatchObject({ outcome: 'parked', deleted: 0 })
  expect(await kit.syncAfter(MINUTE)).toMatchObject({ outcome: 'succeeded', deleted: 2, unchanged: 1 })
  expect(textsOf(await kit.memories())).toEqual(['a', 'd', 'e'].map(sayingOf))
  kit.source.calls.length = 0
  await kit.syncNow()
  expect(kit.source.calls).toEqual(['changes'])
})

test('lists everything a week after the last full pass, and finds what the changes missed', async () => {
  const kit = await scriptedKit({ holds: FIVE })
  await kit.sync()
  kit.source.vanish('b')
  kit.source.items.set('f', { id: 'f', text: sayingOf('f'), version: 99, place: 'A' })
  await kit.syncAfter(WEEK - HOUR)
  expect(countOf(kit, 'list')).toBe(0)
  expect(await kit.syncAfter(5 * HOUR)).toMatchObject({ outcome: 'succeeded', deleted: 1, created: 1 })
  expect(textsOf(await kit.memories())).toEqual(['a', 'c', 'd', 'e', 'f'].map(sayingOf))
  const listed = countOf(kit, 'list')
  await kit.syncAfter(5 * HOUR)
  expect(countOf(kit, 'list')).toBe(listed)
})

test('counts the week from the beginning of the full pass, because the pass may have missed later changes', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 9) })
  kit.source.when('changes', () => kit.source.when('changes', () => kit.clock.pass(10 * MINUTE)))
  await kit.sync()
  await kit.syncAfter(WEEK - 5 * MINUTE)
  expect(countOf(kit, 'list')).toBeGreaterThan(0)
})

test('resumes an interrupted listing, and keeps items created meanwhile', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 9) })
  await kit.sync()
  kit.source.when('list', () => kit.source.when('list', () => kit.source.fail('list', failure('rate_limited', MINUTE))))
  expect(await kit.syncAfter(WEEK)).toMatchObject({ outcome: 'parked', seen: 3 })
  kit.source.put('o', sayingOf('o'))
  expect(await kit.syncAfter(MINUTE)).toMatchObject({ outcome: 'succeeded', seen: 7, deleted: 0 })
  expect(countOf(kit, 'list')).toBe(4)
  expect(textsOf(await kit.memories())).toEqual([...idsOf('p', 9), 'o'].map(sayingOf).sort())
})

test('makes another listing after one resumed a week later, which missed changes in the pages already read', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 9) })
  await kit.sync()
  kit.source.when('list', () => kit.source.when('list', () => kit.source.fail('list', failure('rate_limited', MINUTE))))
  expect(await kit.syncAfter(WEEK)).toMatchObject({ outcome: 'parked', seen: 3 })
  kit.source.items.set('p001', { id: 'p001', text: 'Something else.', version: 99, place: 'A' })
  expect(await kit.syncAfter(WEEK)).toMatchObject({ outcome: 'succeeded', updated: 1 })
  expect(textsOf(await kit.memories())).toContain('Something else.')
  expect(countOf(kit, 'list')).toBe(7)
})

test('deletes nothing if a listing fails', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 9) })
  await kit.sync()
  for (const kind of ['transient', 'contract_broken', 'cursor_invalid', 'grant_dead'] as const) {
    kit.source.fail('list', failure(kind))
    expect(await kit.syncAfter(WEEK)).toMatchObject({ deleted: 0 })
  }
  expect(await kit.memories()).toHaveLength(9)
})

test('holds back more than 20 deletions over 30 % until a second pass a minute later', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 60), pageSize: 25 })
  await kit.sync()
  for (const id of idsOf('p', 21)) kit.source.vanish(id)
  expect(await loseCursor(kit)).toMatchObject({ outcome: 'succeeded', deleted: 0 })
  expect(await kit.memories()).toHaveLength(60)
  expect(await kit.syncNow()).toMatchObject({ outcome: 'succeeded', deleted: 0 })
  expect(countOf(kit, 'list')).toBe(0)
  expect(await waitAndSync(kit)).toMatchObject({ outcome: 'succeeded', deleted: 21 })
  expect(await kit.memories()).toHaveLength(39)
  const listed = countOf(kit, 'list')
  await kit.syncNow()
  expect(countOf(kit, 'list')).toBe(listed)
})

test('accepts the listing after another lost cursor as the second pass', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 60), pageSize: 25 })
  await kit.sync()
  for (const id of idsOf('p', 21)) kit.source.vanish(id)
  expect(await loseCursor(kit)).toMatchObject({ deleted: 0 })
  expect(await loseCursor(kit)).toMatchObject({ deleted: 0 })
  expect(await waitAndLoseCursor(kit)).toMatchObject({ outcome: 'succeeded', deleted: 21 })
  expect(countOf(kit, 'list')).toBe(0)
})

test.for([
  ['20 of 60', 60, 20],
  ['21 of 70, which are 30 %', 70, 21]
] as const)('lets %s pass the mass-deletion guard', async ([, all, gone]) => {
  const kit = await scriptedKit({ holds: idsOf('p', all), pageSize: 25 })
  await kit.sync()
  for (const id of idsOf('p', gone)) kit.source.vanish(id)
  expect(await loseCursor(kit)).toMatchObject({ deleted: gone })
})

test('keeps what the second pass sees, and holds back what only the second pass lacks until a third', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 100), pageSize: 25 })
  await kit.sync()
  const away = [...kit.source.items.values()]
  const hide = (from: number, to: number) => {
    for (const item of away) kit.source.items.set(item.id, item)
    for (const { id } of away.slice(from, to)) kit.source.vanish(id)
  }
  hide(0, 40)
  expect(await loseCursor(kit)).toMatchObject({ deleted: 0 })
  hide(30, 90)
  expect(await waitAndSync(kit)).toMatchObject({ deleted: 10 })
  hide(50, 60)
  expect(await waitAndSync(kit)).toMatchObject({ deleted: 10, created: 10 })
  expect(await kit.memories()).toHaveLength(90)
})

test('does not confirm in one run what only the second listing lacks, even if its cursor was lost', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 100), pageSize: 25 })
  await kit.sync()
  const away = [...kit.source.items.values()]
  for (const { id } of away.slice(0, 40)) kit.source.vanish(id)
  expect(await loseCursor(kit)).toMatchObject({ deleted: 0 })
  for (const item of away.slice(0, 30)) kit.source.items.set(item.id, item)
  for (const { id } of away.slice(40, 90)) kit.source.vanish(id)
  expect(await waitAndLoseCursor(kit)).toMatchObject({ deleted: 10 })
  expect(countOf(kit, 'list')).toBe(0)
  expect(await waitAndSync(kit)).toMatchObject({ deleted: 50 })
})

test('deletes items that the provider reports as gone without the guard', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 60), pageSize: 25 })
  await kit.sync()
  for (const id of idsOf('p', 50)) kit.source.remove(id)
  expect(await kit.syncNow()).toMatchObject({ outcome: 'succeeded', deleted: 50 })
})

test('turns the guard off after a user changes the config', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 60), pageSize: 25 })
  kit.source.put('x', 'Another folder.', 'B')
  await kit.sync()
  await kit.select(['B'])
  expect(await kit.sync()).toMatchObject({ deleted: 60, created: 1 })
  expect(countOf(kit, 'list')).toBe(0)
})

test('deletes deselected items after a config change during a full pass and a failure there', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 60), pageSize: 25 })
  for (const id of idsOf('x', 60)) kit.source.put(id, sayingOf(id), 'B')
  await kit.sync()
  await kit.select(['B'])
  kit.source.when('changes', () => kit.source.when('changes', () => kit.source.fail('changes', failure('transient'))))
  expect(await kit.sync()).toMatchObject({ outcome: 'failed', created: 25, deleted: 0 })
  expect(await kit.syncAfter(MINUTE)).toMatchObject({ outcome: 'succeeded', created: 35, deleted: 60 })
})

test('deletes items missing from a section of a page at the end of the pass', async () => {
  const kit = await scriptedKit({ holds: FIVE, listsAll: false })
  await kit.sync()
  kit.source.vanish('b')
  kit.source.bend((page) => ({
    ...page,
    seen: [{ id: 'c', version: 'v3', place: 'A' }],
    covered: [{ from: 'b', to: 'c' }]
  }))
  expect(await kit.syncNow()).toMatchObject({ outcome: 'succeeded', deleted: 1 })
  expect(textsOf(await kit.memories())).toEqual(['a', 'c', 'd', 'e'].map(sayingOf))
})

test('holds back items missing from sections until a listing lacks them too', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 60), pageSize: 100, listsAll: false })
  await kit.sync()
  for (const id of idsOf('p', 30)) kit.source.vanish(id)
  kit.source.bend((page) => ({ ...page, covered: [{ from: 'p000', to: 'p999' }] }))
  kit.source.fail('changes', failure('cursor_invalid'))
  expect(await kit.syncNow()).toMatchObject({ deleted: 0 })
  kit.source.items.set('p001', { id: 'p001', text: sayingOf('p001'), version: 1, place: 'A' })
  kit.source.bend((page) => (page.seen.length === 0 ? page : { ...page, covered: [{ from: 'p000', to: 'p999' }] }))
  expect(await waitAndSync(kit)).toMatchObject({ deleted: 29 })
  expect(await kit.memories()).toHaveLength(31)
})

test('does not let another pass through the changes confirm what the guard holds back', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 60), pageSize: 100, listsAll: false })
  await kit.sync()
  kit.source.bend((page) =>
    kit.source.calls.at(-1) === 'changes' ? { ...page, covered: [{ from: 'p001', to: 'p030' }] } : page
  )
  expect(await kit.syncNow()).toMatchObject({ outcome: 'succeeded', deleted: 0 })
  expect(await kit.syncNow()).toMatchObject({ outcome: 'succeeded', deleted: 0 })
  expect(await kit.memories()).toHaveLength(60)
})

test('deletes deselected places with everything in them', async () => {
  const kit = await scriptedKit({ holds: FIVE })
  await kit.sync()
  kit.source.bend((page) => ({ ...page, emptied: ['A'] }))
  expect(await kit.syncNow()).toMatchObject({ deleted: 5 })
  expect(await kit.memories()).toEqual([])
})

test('treats unreadable progress as a lost cursor', async () => {
  const kit = await scriptedKit({ holds: FIVE })
  await kit.sync()
  kit.source.vanish('b')
  withUnreadableProgress(kit)
  expect(await kit.syncNow()).toMatchObject({ outcome: 'succeeded', deleted: 1, unchanged: 4 })
})

test('keeps the guard on if the progress is unreadable', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 60), pageSize: 100 })
  await kit.sync()
  for (const id of idsOf('p', 30)) kit.source.vanish(id)
  withUnreadableProgress(kit)
  expect(await kit.syncNow()).toMatchObject({ outcome: 'succeeded', deleted: 0 })
})

/** Gives the next runs progress that a different version wrote. */
function withUnreadableProgress(kit: ScriptedKit): void {
  const { claimDue } = kit.storage
  kit.storage.claimDue = async (asked) => (await claimDue(asked)).map((claim) => ({ ...claim, progress: '{"v":99}' }))
}

import { expect } from 'vitest'
import type { Storage } from '../../server/storage/port/storage.ts'
import type { ItemChange } from '../../server/storage/port/sync-storage.ts'

import { toEpochMs } from '../../src/contract/epoch-ms.ts'
import { batchOf, memory } from '../server/storage/record-lines.ts'
import { ready } from './storage-connector-things.ts'
import { idAt, type Open, type StorageTests } from './storage-place.ts'
import { activeConnection, asked, claimOne, ended, itemWith, pageOf } from './storage-queue-things.ts'

const CONNECTION = idAt(101)
const HASH = new Uint8Array(32).fill(7)

/** Tests the state of items, when they are due, and the adapter's values. */
export const ITEM_TESTS: StorageTests = {
  'returns the known ones of the requested items with all their values': async (open) => {
    const { storage } = await withItems(open, [
      {
        ...{ id: 'a', place: 'place \0', version: 'v1', title: 'A \udca9', url: 'https://a' },
        state: { kind: 'synced', contentHash: HASH, from: 0, to: 2 }
      },
      itemWith('b', { kind: 'skipped', reason: 'a video has no text' }),
      itemWith('c', { kind: 'failed', error: 'too \0 large', tries: 2, nextTryAt: toEpochMs(2500) })
    ])
    const common = { place: undefined, version: undefined, contentHash: undefined, tries: 0, nextTryAt: undefined }
    const a = { ...common, id: 'a', place: 'place \0', version: 'v1', status: 'synced', contentHash: HASH }
    const b = { ...common, id: 'b', status: 'skipped' }
    const c = { ...common, id: 'c', status: 'failed', tries: 2, nextTryAt: 2500 }
    expect(await storage.findKnownItems(CONNECTION, ['c', 'x', 'a'])).toEqual(expect.arrayContaining([a, c]))
    expect(await storage.findKnownItems(CONNECTION, [])).toEqual([])
    expect(await storage.findKnownItems(idAt(102), ['a'])).toEqual([])
    const more = { title: undefined, url: undefined, reason: undefined, memories: 0, changedAt: 2000 }
    expect(await storage.listItems(CONNECTION, { status: undefined, after: undefined, limit: 9 })).toEqual([
      { ...a, ...more, title: 'A \udca9', url: 'https://a', memories: 2 },
      { ...b, ...more, reason: 'a video has no text' },
      { ...c, ...more, reason: 'too \0 large' }
    ])
    expect(await storage.findItem(CONNECTION, 'b')).toEqual({ ...b, ...more, reason: 'a video has no text' })
    expect([await storage.findItem(CONNECTION, 'x'), await storage.findItem(idAt(102), 'b')]).toEqual([
      undefined,
      undefined
    ])
  },

  'finds a thousand items at once': async (open) => {
    const ids = Array.from({ length: 1000 }, (_, n) => `item ${n}`)
    const { storage } = await withItems(open, ids.map(skipped))
    const known = await storage.findKnownItems(CONNECTION, [...ids.slice(1), 'unknown'])
    expect(known.map(({ id }) => id).sort()).toEqual(ids.slice(1).sort())
  },

  'lists items by the bytes of their ids in pages, all or by status': async (open) => {
    const ids = ['\0', 'A', 'a', 'a\0', 'a b', 'aa', 'é', '\ufeffx', '\uffff', '😀']
    const failed = itemWith('aa', { kind: 'failed', error: 'no', tries: 1, nextTryAt: toEpochMs(1) })
    const { storage } = await withItems(open, [...ids.toReversed().map(skipped), failed])
    const listed: string[] = []
    for (;;) {
      const page = await storage.listItems(CONNECTION, { status: undefined, after: listed.at(-1), limit: 3 })
      if (page.length === 0) break
      listed.push(...page.map(({ id }) => id))
    }
    expect(listed).toEqual(ids)
    const some = (status: 'failed' | 'skipped', after: string | undefined) =>
      storage.listItems(CONNECTION, { status, after, limit: 100 })
    expect((await some('failed', undefined)).map(({ id }) => id)).toEqual(['aa'])
    expect(await some('failed', 'aa')).toEqual([])
    expect((await some('skipped', 'a b')).map(({ id }) => id)).toEqual(ids.slice(6))
  },

  'lists failed items that are due, the longest waiting first': async (open) => {
    const { storage } = await withItems(
      open,
      [2300, 2100, 2200, 2201].map((nextTryAt, n) =>
        itemWith(`item ${n}`, { kind: 'failed', error: 'no', tries: 1, nextTryAt: toEpochMs(nextTryAt) })
      )
    )
    const due = async (now: number, limit = 9) =>
      (await storage.listDueItems(CONNECTION, { now: toEpochMs(now), limit })).map(({ id }) => id)
    expect(await due(2099)).toEqual([])
    expect(await due(2200)).toEqual(['item 1', 'item 2'])
    expect(await due(9000, 3)).toEqual(['item 1', 'item 2', 'item 3'])
    expect(await storage.findNextTry(CONNECTION)).toBe(2100)
    expect([
      await storage.findNextTry(idAt(102)),
      await storage.listDueItems(idAt(102), { now: toEpochMs(9000), limit: 9 })
    ]).toEqual([undefined, []])
  },

  'makes a failed item due with its connection, even if that is paused': async (open) => {
    const failed = itemWith('bad', { kind: 'failed', error: 'no', tries: 4, nextTryAt: toEpochMs(9000) })
    const { storage, hold } = await withItems(open, [failed, skipped('good')])
    await storage.endRun(hold, ended(2010))
    await storage.setPaused(CONNECTION, { paused: true, now: toEpochMs(2020) })
    expect(await storage.retryItem(CONNECTION, { itemId: 'good', now: toEpochMs(2030) })).toBe('not_failed')
    expect(await storage.retryItem(CONNECTION, { itemId: 'none', now: toEpochMs(2030) })).toBe('unknown')
    expect(await storage.retryItem(idAt(102), { itemId: 'bad', now: toEpochMs(2030) })).toBe('unknown')
    expect(await storage.claimDue(asked(510, { now: toEpochMs(2030) }))).toEqual([])
    expect(await storage.retryItem(CONNECTION, { itemId: 'bad', now: toEpochMs(2030) })).toBe('due')
    expect(await storage.findItem(CONNECTION, 'bad')).toMatchObject({ status: 'failed', tries: 0, nextTryAt: 2030 })
    expect(await claimOne(storage, 510, { now: toEpochMs(2030) })).toMatchObject({ trigger: 'manual', hasItems: true })
  },

  'tries an item that becomes due during a run right after it at the latest': async (open) => {
    const failed = itemWith('bad', { kind: 'failed', error: 'no', tries: 4, nextTryAt: toEpochMs(9000) })
    const { storage, hold } = await withItems(open, [failed])
    expect(await storage.retryItem(CONNECTION, { itemId: 'bad', now: toEpochMs(2005) })).toBe('due')
    await storage.endRun(hold, ended(2010))
    const again = await claimOne(storage, 510, { now: toEpochMs(2011) })
    expect(again.trigger).toBe('manual')
    await storage.endRun(again.hold, ended(2020))
    expect(await storage.findSchedule(CONNECTION)).toMatchObject({ nextRunAt: 3020, requestedAt: undefined })
  },

  "returns an adapter's values by key or by prefix": async (open) => {
    const storage = await ready(open)
    for (const n of [1, 2]) await activeConnection(storage, n)
    const [one, two] = await storage.claimDue(asked(500))
    const kept = ['a', 'a/', 'a/1', 'a/2', 'a0', 'b%', 'b_', 'é', 'éa', 'ê', '\u{10ffff}', '\u{10ffff}z', '\0']
    const ledger = kept.map((key) => [key, `value \0 of ${key}`] as const)
    if (one === undefined || two === undefined) throw new Error('two connections were to be due')
    await storage.commitPage(one.hold, pageOf({ ledger }))
    await storage.commitPage(two.hold, pageOf({ ledger: [['a/9', 'of another']] }))
    const entries = async (prefix: string) => [...(await storage.listLedgerEntries(CONNECTION, prefix)).keys()].sort()
    const beginning = (prefix: string) => kept.filter((key) => key.startsWith(prefix)).sort()
    for (const prefix of ['', 'a', 'a/', 'b%', 'b', 'é', '\u{10ffff}', '\0', 'none'])
      expect([prefix, await entries(prefix)]).toEqual([prefix, beginning(prefix)])
    expect(await storage.listLedgerEntries(CONNECTION, 'éa')).toEqual(new Map([['éa', 'value \0 of éa']]))
    expect(await storage.findLedgerValue(CONNECTION, 'a/1')).toBe('value \0 of a/1')
    expect([await storage.findLedgerValue(CONNECTION, 'a/9'), await storage.findLedgerValue(idAt(102), 'a/9')]).toEqual(
      [undefined, 'of another']
    )
  },

  'keeps the time of an item that is skipped again, unless the reason changes': async (open) => {
    const { storage, hold } = await withItems(open, [skipped('a')])
    const changedAt = async () => (await storage.findItem(hold.connectionId, 'a'))?.changedAt
    const before = await changedAt()
    await storage.commitPage(hold, pageOf({ now: toEpochMs(2500), items: [skipped('a')] }))
    expect(await changedAt()).toBe(before)
    await storage.commitPage(
      hold,
      pageOf({ now: toEpochMs(2600), items: [itemWith('a', { kind: 'skipped', reason: 'now it is locked' })] })
    )
    expect(await changedAt()).toBe(2600)
  }
}

/** Creates connection 1 with these items and two memories that some of them may have, during a run. */
async function withItems(open: Open, items: readonly ItemChange[]) {
  const storage: Storage = await ready(open)
  await activeConnection(storage, 1)
  const { hold } = await claimOne(storage, 500)
  const isSynced = items.some(({ state }) => state.kind === 'synced')
  const memories = batchOf(isSynced ? [memory('one'), memory('two')] : [])
  const outcome = await storage.commitPage(hold, pageOf({ items, memories }))
  if (outcome.outcome !== 'committed') throw new Error(`the page came to nothing: ${outcome.outcome}`)
  return { storage, hold }
}

function skipped(id: string): ItemChange {
  return itemWith(id, { kind: 'skipped', reason: 'not wanted' })
}

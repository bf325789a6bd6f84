import { expect } from 'vitest'
import type { Hold, PageChange } from '../../server/storage/port/sync-storage.ts'

import { toEpochMs } from '../../src/contract/epoch-ms.ts'
import { parseLine } from '../../src/snapshot/record/parse-line.ts'
import { allTexts, batchOf, keyOf, memory } from '../server/storage/record-lines.ts'
import { ready } from './storage-connector-things.ts'
import { held, itemsOf, memoriesOf, pageOf, taken } from './storage-page-things.ts'
import { idAt, type StorageTests } from './storage-place.ts'
import { asked } from './storage-queue-things.ts'

const COMMITTED = { outcome: 'committed', deleted: 0 }

/** Tests what a page of a run writes. */
export const SYNC_PAGE_TESTS: StorageTests = {
  'stores memories of items under the next numbers, and counts them': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    expect(await storage.commitPage(hold, pageOf({ a: ['m1', 'm2'], b: ['m3'] }))).toEqual(COMMITTED)
    expect(await memoriesOf(storage)).toBe('m1 m2 m3')
    expect(await storage.findCollection(idAt(1))).toMatchObject({ memories: 3, seq: 3 })
    expect(await itemsOf(storage, hold)).toEqual(['a synced 2', 'b synced 1'])
    expect(await storage.findConnection(hold.connectionId)).toMatchObject({ itemsSynced: 2 })
  },

  'changes nothing when a page is repeated': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    const page = () => pageOf({ a: ['m1', memory('m2', 'first')], b: ['m2'], c: { skipped: 'a video' } })
    await storage.commitPage(hold, page())
    const before = [await memoriesOf(storage), await storage.findCollection(idAt(1)), await itemsOf(storage, hold)]
    expect(await storage.commitPage(hold, page())).toEqual(COMMITTED)
    expect([await memoriesOf(storage), await storage.findCollection(idAt(1)), await itemsOf(storage, hold)]).toEqual(
      before
    )
  },

  'releases what a changed item no longer has, and keeps the rest': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    await storage.commitPage(hold, pageOf({ a: ['m1', 'm2', 'm3'] }))
    await storage.commitPage(hold, pageOf({ a: ['m3', 'm4', 'm1'] }))
    expect(await memoriesOf(storage)).toBe('m1 m3 m4 -')
    expect(await storage.findCollection(idAt(1))).toMatchObject({ memories: 3, seq: 5 })
  },

  'releases the memories of deleted, skipped and emptied items, and keeps those of failed ones': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    const inPlace = (page: PageChange, place: string) => ({
      ...page,
      items: page.items.map((item) => ({ ...item, place }))
    })
    await storage.commitPage(hold, pageOf({ a: ['m1'], b: ['m2'], c: ['m3'] }))
    await storage.commitPage(hold, inPlace(pageOf({ d: ['m4'], e: ['m5'], f: { skipped: 'a video' } }), 'folder'))
    const page = pageOf({ b: { skipped: 'too old' }, c: { failed: 'broken' }, e: 'unchanged' })
    const news = { ...page, gone: ['a', 'c', 'unknown'], emptied: ['folder', 'unknown'] }
    expect(await storage.commitPage(hold, news)).toEqual({ outcome: 'committed', deleted: 3 })
    expect(await memoriesOf(storage)).toBe('m3 m5 - - -')
    expect(await itemsOf(storage, hold)).toEqual(['b skipped 0', 'c failed 1', 'e synced 1'])
    expect(await storage.findConnection(hold.connectionId)).toMatchObject({ itemsSynced: 2 })
    expect(await storage.findRun(hold.connectionId, hold.runId)).toMatchObject({ deleted: 3 })
  },

  'notes the items of a place as seen in a pass without changing them': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    const { items, ...page } = pageOf({ a: ['m1'], b: { failed: 'broken' }, c: ['m2'] }, { pass: 1 })
    const placed = items.map((item) => ({ ...item, place: item.id === 'c' ? 'another' : 'mail' }))
    await storage.commitPage(hold, { ...page, items: placed })
    await storage.commitPage(hold, { ...pageOf({}, { pass: 2 }), seenIn: ['mail', 'unknown'] })
    const query = { unseen: { before: 2 }, notNotedIn: 2, limit: 9 }
    expect((await storage.listUnseenItems(hold.connectionId, query)).map(({ id }) => id)).toEqual(['c'])
    expect(await itemsOf(storage, hold)).toEqual(['a synced 1', 'b failed 0', 'c synced 1'])
    expect(await memoriesOf(storage)).toBe('m1 m2')
  },

  'keeps everything of an unchanged item, updates its place and version, and ignores an unknown one': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    const { items, ...page } = pageOf({ a: ['m1'], b: { failed: 'broken' } })
    const titled = items.map((item) => ({ ...item, version: 'v1', title: `title of ${item.id}` }))
    await storage.commitPage(hold, { ...page, items: titled })
    await storage.commitPage(hold, pageOf({ a: 'unchanged', b: 'unchanged', c: 'unchanged' }))
    const [a, b, c] = await storage.listItems(hold.connectionId, { status: undefined, after: undefined, limit: 9 })
    expect(a).toMatchObject({ status: 'synced', memories: 1, title: 'title of a', version: undefined })
    expect(b).toMatchObject({ status: 'failed', reason: 'broken', tries: 1, nextTryAt: toEpochMs(4000) })
    expect(c).toBeUndefined()
    expect(await memoriesOf(storage)).toBe('m1')
  },

  'keeps the hold, and stores where the next run begins': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    await storage.commitPage(hold, pageOf({}, { pass: 7, progress: 'page \0 2', until: toEpochMs(9100) }))
    await storage.commitPage(hold, pageOf({ a: ['m1'] }, { pass: 3, until: toEpochMs(9200) }))
    expect(await storage.findSchedule(hold.connectionId)).toMatchObject({ leaseUntil: 9200 })
    const [claim] = await storage.claimDue({ ...asked(500), now: toEpochMs(9200) })
    expect(claim).toMatchObject({ progress: 'page \0 2', lastPass: 7, hasItems: true })
  },

  'adds the counters of pages to the run, with at most twenty kinds of reasons': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    const reasons = (from: number) =>
      Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`reason ${from + n}`, 2]))
    const counts = { seen: 1, created: 2, updated: 3, unchanged: 4, failed: 5, skipped: 6 }
    await storage.commitPage(hold, pageOf({}, { counts: { ...counts, reasons: { ...reasons(0), ['__proto__']: 1 } } }))
    await storage.commitPage(hold, pageOf({}, { counts: { ...counts, reasons: reasons(10) } }))
    const run = await storage.findRun(hold.connectionId, hold.runId)
    expect(run).toMatchObject({ seen: 2, created: 4, updated: 6, unchanged: 8, failed: 10, skipped: 12 })
    const all = Object.entries(run?.reasons ?? {})
    expect(all).toHaveLength(20)
    expect(all.reduce((sum, [, count]) => sum + count, 0)).toBe(61)
    expect(run?.reasons).toMatchObject({ 'reason 0': 2, 'reason 10': 4 })
  },

  'changes nothing for a lost hold': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    await storage.commitPage(hold, pageOf({ a: ['m1'] }))
    const lost = async (by: Hold) => {
      expect(await storage.commitPage(by, pageOf({ a: ['m2'] }, { ledger: [['k', 'v']] }))).toEqual({ outcome: 'lost' })
      expect(await storage.commitPage(by, pageOf({}, { gone: ['a'] }))).toEqual({ outcome: 'lost' })
    }
    await lost({ ...hold, fence: hold.fence - 1 })
    await lost({ ...hold, owner: 'two' })
    await storage.updateConnection(hold.connectionId, {
      config: {},
      status: 'active',
      version: 1,
      now: toEpochMs(3000)
    })
    await lost(hold)
    const next = await taken(storage, 3, hold.connectionId)
    await lost(hold)
    await storage.revokeConnection(hold.connectionId, toEpochMs(3000))
    await lost(next)
    expect(await memoriesOf(storage)).toBe('m1')
    expect(await storage.findLedgerValue(hold.connectionId, 'k')).toBeUndefined()
  },

  'writes nothing into a collection that is being deleted': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    const outcomes = await Promise.all([
      storage.deleteCollection(idAt(1)),
      ...[1, 2, 3, 4].map((n) => storage.commitPage(hold, pageOf({ [`a${n}`]: [`m${n}`] })))
    ])
    expect(await storage.commitPage(hold, pageOf({ a: ['m1'] }))).toEqual({ outcome: 'lost' })
    expect(outcomes[0]).toBe(true)
  },

  'numbers pages of two connections and simultaneous appends in order, without losing any': async (open) => {
    const storage = await ready(open)
    const holds = [await held(storage, 1), await held(storage, 2)]
    const others = await ready(open)
    await Promise.all([
      ...holds.map(async (hold, n) => {
        for (let page = 0; page < 8; page++)
          await [storage, others][page % 2]?.commitPage(
            hold,
            pageOf({ [`item ${page % 3}`]: [`m${n} ${page}`, `n${n} ${page}`] }, { pass: page })
          )
      }),
      ...Array.from({ length: 8 }, (_, n) => others.append(idAt(1), batchOf([memory(`h${n}`)])))
    ])
    const lines = await allTexts(storage, idAt(1))
    const live = lines.filter(([, text]) => !text.includes('deleted at the source')).map(([, text]) => text)
    const kept = [5, 6, 7].flatMap((page) => [0, 1].flatMap((n) => [`m${n} ${page}`, `n${n} ${page}`]))
    expect(live.toSorted()).toEqual([...kept, ...Array.from({ length: 8 }, (_, n) => `h${n}`)].toSorted())
    const seqs = lines.map(([seq]) => seq)
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
    expect(await storage.findCollection(idAt(1))).toMatchObject({ memories: live.length, seq: seqs.at(-1) })
  },

  'removes the note of a damaged line with the line when its source deletes the memory': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    await storage.commitPage(hold, pageOf({ a: ['m1'], b: ['m2'] }))
    const damaged = [1, 2].map((seq) => ({ seq, id: '', knownId: '', reason: 'odd' }))
    await storage.noteDamage(idAt(1), { after: 0, upTo: 2, damaged })
    await storage.commitPage(hold, pageOf({}, { gone: ['a'] }))
    expect(await storage.findCollection(idAt(1))).toMatchObject({ memories: 1, damaged: 1 })
  },

  'numbers memories that one page deletes by their ids': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    await storage.commitPage(hold, pageOf({ a: ['m1', 'm2', 'm3', 'm4'] }))
    await storage.commitPage(hold, pageOf({}, { gone: ['a'] }))
    const { keys } = await storage.readPage(idAt(1), { after: 0, upTo: 99, maxBytes: 9999 })
    expect(Buffer.from(keys).toString('hex').match(/.{64}/g)).toEqual(
      ['m1', 'm2', 'm3', 'm4'].map((about) => Buffer.from(keyOf(memory(about))).toString('hex')).toSorted()
    )
  },

  'writes a valid forget line for a memory that its source deleted': async (open) => {
    const storage = await ready(open)
    const hold = await held(storage, 1)
    await storage.commitPage(hold, pageOf({ a: ['m1'] }))
    await storage.commitPage(hold, pageOf({}, { gone: ['a'], now: toEpochMs(1_700_000_000_123) }))
    const page = await storage.readPage(idAt(1), { after: 0, upTo: 99, maxBytes: 9999 })
    const judged = parseLine(Buffer.from(page.lines), 0, page.lines.byteLength)
    expect(judged).toMatchObject({ kind: 'forget', check: Buffer.from(page.checks).toString('hex') })
    expect(page.times[0]).toBe(1_700_000_000_123)
    expect(Buffer.from(page.lines).toString()).toContain('"at":"2023-11-14T22:13:20.123Z"')
    expect(Buffer.from(page.keys).toString('hex')).toContain(
      Buffer.from(page.lines)
        .toString()
        .match(/mem_(\w+)/)?.[1]
    )
  }
}

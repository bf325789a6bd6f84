import { expect } from 'vitest'
import type { ScrubProgress } from '../../../server/storage/port/check-storage.ts'
import { toEpochMs } from '../../../src/contract/epoch-ms.ts'
import { itemsOf, memoriesOf } from '../../suites/storage-page-things.ts'
import { idAt } from '../../suites/storage-place.ts'
import { asked } from '../../suites/storage-queue-things.ts'
import { filled, onBothEngines, passOver, said } from './check-kit.ts'
import { allTexts, batchOf, forget, keyOf, memory } from './record-lines.ts'

onBothEngines('finds nothing in an undamaged database', async (damageable) => {
  await filled(damageable.storage)
  for (const mode of ['look', 'note', 'repair'] as const) {
    const { findings, lines, rows } = await passOver(damageable, mode)
    expect(findings).toEqual([])
    expect(lines).toBe(6)
    expect(rows).toBeGreaterThan(8)
  }
  expect(await damageable.storage.listAsideEntries({ offset: 0, limit: 10 })).toEqual([])
})

onBothEngines('sets a damaged line aside, corrects the count, and finds nothing afterwards', async (damageable) => {
  const { storage, run } = damageable
  const { connectionId } = await filled(storage)
  const [before] = await run(
    'select line from records where collection_id = ? and key = ?',
    idAt(1),
    keyOf(memory('x'))
  )
  const line = Buffer.from(before?.line as Uint8Array)
  line[20] = (line[20] ?? 0) ^ 1
  await run('update records set line = ? where key = ?', line, keyOf(memory('x')))

  expect(said((await passOver(damageable)).findings)).toEqual([expect.stringMatching(/^records: .*: found$/)])
  expect((await passOver(damageable)).findings).toHaveLength(1)
  expect((await storage.findCollection(idAt(1)))?.damaged).toBe(0)
  await passOver(damageable, 'note')
  expect(await storage.findCollection(idAt(1))).toMatchObject({ damaged: 1, memories: 5 })

  const { findings } = await passOver(damageable, 'repair')
  expect(said(findings)).toEqual([expect.stringMatching(/^records: .*: set_aside$/)])
  expect(await storage.findCollection(idAt(1))).toMatchObject({ damaged: 0, memories: 4 })
  const [aside, ...others] = await storage.listAsideEntries({ offset: 0, limit: 10 })
  expect(others).toEqual([])
  expect(aside).toMatchObject({ table: 'records', collectionId: idAt(1), setAsideAt: 50_000 })
  expect(Buffer.from(JSON.parse(aside?.contents ?? '').line.base64, 'base64').equals(line)).toBe(true)
  // The item that it came from is scheduled again.
  expect(await storage.listDueItems(connectionId, { now: toEpochMs(50_000), limit: 10 })).toMatchObject([{ id: 'doc' }])
  expect(await storage.findNextDue(['cloud_drive'])).toBeLessThanOrEqual(50_000)
  for (const mode of ['look', 'repair'] as const) expect((await passOver(damageable, mode)).findings).toEqual([])
})

onBothEngines('keeps a memory forgotten whose forget line is damaged', async (damageable) => {
  const { storage, run } = damageable
  await storage.createCollection({ ...COLLECTION, id: idAt(9) })
  await storage.append(idAt(9), batchOf([memory('a'), memory('b')]))
  await storage.append(idAt(9), batchOf([forget('a')]))
  await run(`update records set line = ? where collection_id = ? and kind = 1`, Buffer.from('{"type":"forg'), idAt(9))
  expect(said((await passOver(damageable, 'repair')).findings)).toEqual([
    expect.stringMatching(/^records: .*: set_aside$/)
  ])
  expect((await passOver(damageable)).findings).toEqual([])
  await storage.append(idAt(9), batchOf([memory('a')]))
  const texts = (await allTexts(storage, idAt(9))).map(([, text]) => text)
  expect(texts.filter((text) => !text.includes('deleted at the source'))).toEqual(['b'])
})

onBothEngines('rewrites the columns of an intact line from the line', async (damageable) => {
  const { storage, run } = damageable
  await filled(storage)
  const before = await memoriesOf(storage)
  for (const [column, value] of COLUMNS) {
    await run(`update records set ${column} = ? where key = ?`, value, keyOf(memory('by hand')))
    const { findings } = await passOver(damageable, 'repair')
    expect([column, ...said(findings)].join(' ')).toMatch(/ records: .*: corrected/)
    expect((await passOver(damageable)).findings).toEqual([])
  }
  expect(await memoriesOf(storage)).toBe(before)
})

const COLUMNS: readonly (readonly [string, unknown])[] = [
  ['kind', 1],
  ['time', 77],
  ['extractor', 9],
  ['check_hash', Buffer.alloc(32, 7)],
  ['line_bytes', 3],
  ['taken_back', 1]
]

onBothEngines('corrects counters', async (damageable) => {
  const { storage, run } = damageable
  const { connectionId } = await filled(storage)
  await run('update collections set memories = 77, damaged = 3, seq = 1 where id = ?', idAt(1))
  await run('update connections set items_synced = 5 where id = ?', connectionId)
  const found = [
    'collections: counts 77 memories but has 5',
    'collections: has a sequence counter of 1 but a line with number 5',
    'collections: counts 3 damaged lines but has notes of 0',
    'connections: its count of synced items is wrong'
  ]
  expect(said((await passOver(damageable)).findings)).toEqual(found.map((text) => `${text}: found`))
  expect(said((await passOver(damageable, 'repair')).findings)).toEqual(found.map((text) => `${text}: corrected`))
  expect(await storage.findCollection(idAt(1))).toMatchObject({ memories: 5, damaged: 0, seq: 5 })
  expect((await storage.findConnection(connectionId))?.itemsSynced).toBe(2)
  expect((await passOver(damageable, 'repair')).findings).toEqual([])
})

onBothEngines('finds a memory without a line, and schedules its item again', async (damageable) => {
  const { storage, run } = damageable
  const { connectionId } = await filled(storage)
  await run('delete from records where key = ?', keyOf(memory('x')))
  expect(said((await passOver(damageable, 'repair')).findings)).toEqual([
    'collections: counts 5 memories but has 4: corrected',
    'holdings: its memory is missing: set_aside'
  ])
  expect(await storage.listDueItems(connectionId, { now: toEpochMs(50_000), limit: 10 })).toMatchObject([{ id: 'doc' }])
  expect((await passOver(damageable, 'repair')).findings).toEqual([])
})

onBothEngines('sets aside rows with dangling references', async (damageable) => {
  const { storage, run } = damageable
  const { connectionId } = await filled(storage)
  const gone = idAt(999)
  await run('update items set connection_id = ? where item_id = ?', gone, Buffer.from('page'))
  await run('update runs set connection_id = ?', gone)
  await run('insert into ledger (connection_id, entry_key, value) values (?, ?, ?)', gone, Buffer.from('k'), '"v"')
  await run('insert into grants (key_id, collection_id, permission) values (?, ?, ?)', idAt(1), gone, 'read')
  const repaired = said((await passOver(damageable, 'repair')).findings)
  expect(repaired.sort()).toEqual([
    'connections: its count of synced items is wrong: corrected',
    'grants: its collection is missing: set_aside',
    'holdings: its item is missing: set_aside',
    'items: its connection is missing: set_aside',
    'ledger: its connection is missing: set_aside',
    'runs: its connection is missing: set_aside'
  ])
  expect(await itemsOf(storage, { connectionId })).toEqual(['doc synced 2'])
  expect((await passOver(damageable, 'repair')).findings).toEqual([])
  const aside = await storage.listAsideEntries({ offset: 0, limit: 100 })
  expect(aside.map(({ table }) => table)).toEqual(['connections', 'grants', 'holdings', 'items', 'ledger', 'runs'])
  expect(await storage.listAsideEntries({ offset: 4, limit: 1 })).toEqual([aside[4]])
  expect(aside.find(({ table }) => table === 'items')).toMatchObject({ place: `${gone} "page"` })
})

onBothEngines('repairs rows that do not parse, and reports what cannot be repaired', async (damageable) => {
  const { storage, run } = damageable
  const { connectionId } = await filled(storage)
  await run(`update connections set progress = '{"cur' where id = ?`, connectionId)
  await run(`update connections set account = 'no json' where id = ?`, connectionId)
  await run(`update items set title = '"half' where item_id = ?`, Buffer.from('doc'))
  await run(`update runs set reasons = '{'`)
  await run(`update grants set permission = 'all'`)
  const { findings } = await passOver(damageable, 'repair')
  expect(said(findings).sort()).toEqual([
    'connections: `account` is not JSON: found',
    'connections: `progress` is not JSON: corrected',
    'grants: `permission` is not one of read, edit: set_aside',
    'items: `title` is not JSON: corrected',
    'runs: `reasons` is not JSON: corrected'
  ])
  expect(findings.find(({ outcome }) => outcome === 'found')?.hint).toContain('connect the account again')
  expect(said((await passOver(damageable, 'repair')).findings)).toEqual(['connections: `account` is not JSON: found'])
  await run(`update connections set account = '{"id":"a","name":"A"}' where id = ?`, connectionId)
  const [claim] = await storage.claimDue(asked(9000, { now: toEpochMs(90_000) }))
  expect(claim).toMatchObject({ progress: undefined })
})

onBothEngines('keeps a credential that a connection uses, and returns an unused one', async (damageable) => {
  const { storage, run } = damageable
  const { connectionId } = await filled(storage)
  await run('update credentials set unused_since = 5')
  expect(said((await passOver(damageable, 'repair')).findings)).toEqual([
    'credentials: it is marked as unused, but a connection uses it: corrected'
  ])
  expect(await storage.takeUnusedCredentials(10)).toEqual([])
  await run('update connections set credential_id = null, last_error = ? where id = ?', '"lost"', connectionId)
  expect(said((await passOver(damageable, 'repair')).findings)).toEqual([
    'credentials: it is marked as used, but no connection uses it: corrected'
  ])
  expect(await storage.takeUnusedCredentials(10)).toHaveLength(1)
})

onBothEngines('reports a lost credential of a connection', async (damageable) => {
  const { storage, run } = damageable
  const { connectionId } = await filled(storage)
  await run('delete from credentials')
  expect(said((await passOver(damageable, 'repair')).findings)).toEqual([
    'connections: its credential is missing: corrected',
    'connections: it has neither a credential nor an error that says why: corrected'
  ])
  expect(await storage.findConnection(connectionId)).toMatchObject({
    credentialId: undefined,
    lastError: expect.stringContaining('connect again')
  })
  expect((await passOver(damageable, 'repair')).findings).toEqual([])
})

onBothEngines('lets one server scrub at a time, and another continue where it stopped', async ({ storage }) => {
  const times = (now: number) => ({ now: toEpochMs(now), until: toEpochMs(now + 100) })
  const claim = (owner: string, now: number) =>
    storage.claimScrub({ owner, ...times(now), endedBy: toEpochMs(now - 500) })
  const keep = (owner: string, now: number, more: Pick<ScrubProgress, 'position' | 'found' | 'ended'>) =>
    storage.keepScrub(owner, { ...times(now), ...more })
  expect(await claim('one', 1000)).toEqual({ ...NEVER, isOwn: true })
  expect(await claim('two', 1050)).toEqual({ ...NEVER, isOwn: false })
  expect(await keep('one', 1060, { position: '{"at":"x"}', found: 2, ended: false })).toBe(true)
  expect(await claim('two', 1161)).toEqual({ ...NEVER, isOwn: true, position: '{"at":"x"}', found: 2 })
  expect(await keep('one', 1170, { position: '{"at":"y"}', found: 9, ended: false })).toBe(false)
  expect(await keep('two', 1200, { position: undefined, found: 3, ended: true })).toBe(true)
  const ended = { ...NEVER, endedAt: 1200, damage: 3 }
  expect(await claim('two', 1699)).toEqual(ended)
  expect(await claim('two', 1700)).toEqual({ ...ended, isOwn: true })
  expect(await claim('one', 1801)).toEqual({ ...ended, isOwn: true })
  // From a clock that was ahead.
  expect(await claim('one', 1100)).toEqual({ ...ended, isOwn: true })
})

onBothEngines('replaces the current scrub by the result of a repair', async ({ storage }) => {
  const times = { now: toEpochMs(1000), until: toEpochMs(2000) }
  await storage.claimScrub({ owner: 'one', ...times, endedBy: toEpochMs(0) })
  await storage.keepScrub('one', { ...times, position: '{"at":"x"}', found: 2, ended: false })
  await storage.replaceScrub({ now: toEpochMs(1100), damage: 1 })
  const late = { ...times, position: '{"at":"y"}', found: 3, ended: false }
  expect(await storage.keepScrub('one', late)).toBe(false)
  const asked = { owner: 'two', now: toEpochMs(1200), until: toEpochMs(1300), endedBy: toEpochMs(0) }
  expect(await storage.claimScrub(asked)).toEqual({ ...NEVER, endedAt: 1100, damage: 1 })
})

const NEVER = { isOwn: false, position: undefined, found: 0, endedAt: undefined, damage: 0 }

const COLLECTION = {
  name: 'n',
  createdAt: toEpochMs(1),
  expiresAt: undefined,
  ownerKeyId: undefined,
  snapshotId: 'snp_9'
}

import { expect, test } from 'vitest'
import type { Claim, RunEnd } from '../../../server/storage/port/sync-storage.ts'
import { epochNow, toEpochMs } from '../../../src/contract/epoch-ms.ts'
import type { Fault } from '../../../src/contract/faults.ts'
import { SyncItem, SyncRun, SyncSchedule } from '../../../src/contract/sync-run.ts'
import { pageOf } from '../../suites/storage-page-things.ts'
import { idAt } from '../../suites/storage-place.ts'
import { START } from '../http/manual-clock.ts'
import { type ConnectionsKit, connectionsKit } from './connections-kit.ts'

const NOWHERE = idAt(999)
const MINUTE_MS = 60_000

const coded = (code: string, message = /./) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) }) as Fault

const timeOf = (ms: number): string => new Date(ms).toISOString()

/** Claims the due connection as a server does, with a lease of one minute. */
async function claimed({ storage, clock }: ConnectionsKit, run = 1): Promise<Claim> {
  const now = epochNow(clock)
  const providers = ['cloud_drive', 'team_chat', 'mailbox', 'notes']
  const asked = {
    owner: 'a server',
    now,
    until: toEpochMs(now + MINUTE_MS),
    limit: 1,
    providers,
    runIds: [idAt(500 + run)]
  }
  const [claim] = await storage.claimDue(asked)
  if (claim === undefined) throw new Error('nothing is due')
  return claim
}

async function ended({ storage, clock }: ConnectionsKit, { hold }: Claim, more: Partial<RunEnd> = {}): Promise<void> {
  const now = epochNow(clock)
  const end = {
    now,
    nextRunAt: toEpochMs(now + 100 * MINUTE_MS),
    complete: true,
    failures: 0,
    error: undefined,
    ...more
  }
  await storage.endRun(hold, { outcome: 'succeeded', ...end })
}

test('makes a requested sync due immediately, and refuses another until it has ended', async () => {
  const kit = await connectionsKit()
  const { id } = await kit.connect(1, 'mailbox', 'active')
  await ended(kit, await claimed(kit))
  expect(await kit.syncs.request(id)).toEqual({ message: 'Sync triggered' })
  await expect(kit.syncs.request(id)).rejects.toThrow(coded('conflict', /in progress/))
  const claim = await claimed(kit, 2)
  expect(claim.trigger).toBe('manual')
  await expect(kit.syncs.request(id)).rejects.toThrow(coded('conflict', /in progress/))
  await ended(kit, claim)
  expect(await kit.syncs.request(id)).toEqual({ message: 'Sync triggered' })
})

test('treats a sync of a lost server as in progress until its lease expires', async () => {
  const kit = await connectionsKit()
  const { id } = await kit.connect(1, 'mailbox', 'active')
  await claimed(kit)
  await kit.clock.pass(MINUTE_MS - 1)
  await expect(kit.syncs.request(id)).rejects.toThrow(coded('conflict'))
  await kit.clock.pass(1)
  expect(await kit.syncs.request(id)).toEqual({ message: 'Sync triggered' })
})

test('refuses to sync a pending or revoked connection, and rejects an unknown or disabled one', async () => {
  const kit = await connectionsKit({ enabled: ['cloud_drive'] })
  const [pending, mailbox] = [await kit.connect(1, 'cloud_drive'), await kit.connect(2, 'mailbox', 'active')]
  await expect(kit.syncs.request(pending.id)).rejects.toThrow(coded('usage', /pending/))
  await expect(kit.syncs.request(mailbox.id)).rejects.toThrow(coded('not_found', /"mailbox"/))
  await expect(kit.syncs.request(NOWHERE)).rejects.toThrow(coded('not_found'))
  await kit.connections.disconnect(mailbox.id, { byQuery: undefined, byBody: undefined })
  await expect(kit.syncs.request(mailbox.id)).rejects.toThrow(coded('usage', /revoked/))
})

test('shows in the schedule what a connection does now', async () => {
  const kit = await connectionsKit()
  const pending = await kit.connect(1, 'team_chat')
  const { id } = await kit.connect(2, 'mailbox', 'active')
  const state = async (of = id) => SyncSchedule.parse(await kit.syncs.schedule(of)).state
  const states = [await state(pending.id), await state()]
  const claim = await claimed(kit)
  states.push(await state())
  await ended(kit, claim)
  states.push(await state())
  await kit.syncs.setPaused(id, true)
  states.push(await state())
  await kit.syncs.request(id)
  states.push(await state())
  const asked = await claimed(kit, 2)
  states.push(await state())
  await ended(kit, asked)
  states.push(await state())
  await kit.connections.disconnect(id, { byQuery: undefined, byBody: undefined })
  states.push(await state())
  expect(states).toEqual([
    ...['pending', 'queued', 'running', 'idle', 'paused', 'queued', 'running', 'paused'],
    'revoked'
  ])
})

test('shows in the schedule the current run and the last one that ended', async () => {
  const kit = await connectionsKit()
  const { id } = await kit.connect(1, 'mailbox', 'active')
  const never = await kit.syncs.schedule(id)
  expect(never).toMatchObject({ running: null, last_run: null, paused: false, interval_seconds: 4 * 3600 })
  await ended(kit, await claimed(kit), { nextRunAt: toEpochMs(START + 5 * MINUTE_MS) })
  const idle = await kit.syncs.schedule(id)
  expect(idle).toMatchObject({ running: null, last_run: { id: idAt(501), outcome: 'succeeded' } })
  expect(idle.next_sync_at).toBe(timeOf(START + 5 * MINUTE_MS))
  await kit.clock.pass(5 * MINUTE_MS)
  await claimed(kit, 2)
  const running = await kit.syncs.schedule(id)
  expect(running).toMatchObject({ running: { id: idAt(502), ended_at: null }, last_run: { id: idAt(501) } })
  await kit.clock.pass(MINUTE_MS)
  expect(await kit.syncs.schedule(id)).toMatchObject({ state: 'queued', running: null, last_run: { id: idAt(501) } })
})

test('accepts repeated pause and resume requests, and keeps the date of the next sync', async () => {
  const kit = await connectionsKit()
  const { id } = await kit.connect(1, 'mailbox', 'active')
  await ended(kit, await claimed(kit))
  const { next_sync_at } = await kit.connections.get(id)
  for (const paused of [true, true, false, false]) {
    expect(await kit.syncs.setPaused(id, paused)).toMatchObject({ paused, state: paused ? 'paused' : 'idle' })
    expect((await kit.connections.get(id)).next_sync_at).toBe(next_sync_at)
  }
  const pending = await kit.connect(2, 'cloud_drive')
  expect(await kit.syncs.setPaused(pending.id, true)).toMatchObject({ paused: true, state: 'pending' })
  await kit.connections.disconnect(id, { byQuery: undefined, byBody: undefined })
  for (const paused of [true, false])
    await expect(kit.syncs.setPaused(id, paused)).rejects.toThrow(coded('conflict', /revoked/))
  await expect(kit.syncs.setPaused(NOWHERE, true)).rejects.toThrow(coded('not_found'))
})

test('shows a connection as due since its creation until its first sync has ended', async () => {
  const kit = await connectionsKit()
  const { id } = await kit.connect(1, 'mailbox', 'active')
  const told = async () => {
    const { next_sync_at, last_synced_at, created_at } = await kit.connections.get(id)
    return [next_sync_at === created_at ? 'created' : next_sync_at, last_synced_at]
  }
  expect(await told()).toEqual(['created', null])
  const claim = await claimed(kit)
  expect(await told()).toEqual(['created', null])
  await ended(kit, claim, { outcome: 'parked', complete: false })
  expect(await told()).toEqual(['created', null])
  expect((await kit.syncs.schedule(id)).next_sync_at).toBe(timeOf(START + 100 * MINUTE_MS))
  await kit.clock.pass(100 * MINUTE_MS)
  await ended(kit, await claimed(kit, 2), { nextRunAt: toEpochMs(START + 500 * MINUTE_MS) })
  expect(await told()).toEqual([timeOf(START + 500 * MINUTE_MS), timeOf(START + 100 * MINUTE_MS)])
})

test('lists runs newest first, each with its counters and the reasons of failed items', async () => {
  const kit = await connectionsKit()
  const { id } = await kit.connect(1, 'mailbox', 'active')
  const first = await claimed(kit)
  const reasons = { rare: 1, often: 5, also: 1 }
  const counts = { seen: 9, created: 2, updated: 0, unchanged: 0, failed: 5, skipped: 2, reasons }
  await kit.storage.commitPage(first.hold, pageOf({ a: ['m1'], b: ['m2'] }, { now: toEpochMs(START), counts }))
  const error = 'no: memctl connect mailbox -c <collection>'
  await ended(kit, first, { outcome: 'failed', error, nextRunAt: toEpochMs(START), complete: false })
  await kit.clock.pass(1000)
  await claimed(kit, 2)
  const runs = SyncRun.array().parse(await kit.syncs.runs(id, { limit: 10 }))
  expect(runs.map((run) => [run.id, run.outcome])).toEqual([
    [idAt(502), null],
    [idAt(501), 'failed']
  ])
  const { reasons: _, ...counters } = counts
  expect(runs[1]).toEqual({
    ...{ id: idAt(501), connection_id: id, trigger: 'schedule', outcome: 'failed', deleted: 0, ...counters },
    ...{ started_at: timeOf(START), ended_at: timeOf(START) },
    error: `no: memctl connect mailbox -c ${idAt(1)}`,
    reasons: [
      { reason: 'often', count: 5 },
      { reason: 'also', count: 1 },
      { reason: 'rare', count: 1 }
    ]
  })
  expect(await kit.syncs.run(id, idAt(501))).toEqual(runs[1])
  expect(await kit.syncs.runs(id, { limit: 1 })).toEqual(runs.slice(0, 1))
  await expect(kit.syncs.run(id, NOWHERE)).rejects.toThrow(coded('not_found', /no run/))
  const other = await kit.connect(2, 'notes', 'active')
  await expect(kit.syncs.run(other.id, idAt(501))).rejects.toThrow(coded('not_found', /no run/))
})

test('pages through items in the order of their ids, all or those with one status', async () => {
  const kit = await connectionsKit()
  const { id } = await kit.connect(1, 'mailbox', 'active')
  const { hold } = await claimed(kit)
  const said = { b: ['m1', 'm2'], a: { failed: 'it is broken' }, c: { skipped: 'a video has no text' } } as const
  await kit.storage.commitPage(hold, pageOf(said, { now: toEpochMs(START) }))
  const page = { status: undefined, after: undefined, limit: 2 }
  const first = SyncItem.array().parse(await kit.syncs.items(id, page))
  const rest = SyncItem.array().parse(await kit.syncs.items(id, { ...page, after: first[1]?.id }))
  expect([...first, ...rest].map((item) => [item.id, item.status, item.memories, item.error])).toEqual([
    ['a', 'failed', 0, 'it is broken'],
    ['b', 'synced', 2, null],
    ['c', 'skipped', 0, 'a video has no text']
  ])
  expect(await kit.syncs.items(id, { ...page, status: 'failed' })).toEqual(first.slice(0, 1))
})

test('cools an item down after its retries, and resets them when a user retries it', async () => {
  const kit = await connectionsKit()
  const { id } = await kit.connect(1, 'mailbox', 'active')
  const claim = await claimed(kit)
  const failed = async (tries: number) => {
    const state = { kind: 'failed' as const, error: 'it is broken', tries, nextTryAt: toEpochMs(START + MINUTE_MS) }
    const page = pageOf({ a: { failed: '' }, b: ['m1'] }, { now: toEpochMs(START) })
    await kit.storage.commitPage(claim.hold, {
      ...page,
      items: page.items.map((it) => (it.id === 'a' ? { ...it, state } : it))
    })
    return (await kit.syncs.items(id, { status: 'failed', after: undefined, limit: 1 }))[0]
  }
  expect(await failed(3)).toMatchObject({ tries: 3, cooling_down: false, next_try_at: timeOf(START + MINUTE_MS) })
  expect(await failed(4)).toMatchObject({ tries: 4, cooling_down: true })
  await ended(kit, claim)
  expect(await kit.syncs.retry(id, 'a')).toMatchObject({
    ...{ id: 'a', status: 'failed', tries: 0, cooling_down: false },
    next_try_at: timeOf(START)
  })
  expect(await kit.syncs.schedule(id)).toMatchObject({ state: 'queued' })
  await expect(kit.syncs.retry(id, 'b')).rejects.toThrow(coded('conflict', /"b" is synced/))
  await expect(kit.syncs.retry(id, 'c')).rejects.toThrow(coded('not_found', /no item "c"/))
  await kit.connections.disconnect(id, { byQuery: undefined, byBody: undefined })
  await expect(kit.syncs.retry(id, 'a')).rejects.toThrow(coded('conflict', /revoked/))
})

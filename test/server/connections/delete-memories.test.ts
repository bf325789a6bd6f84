import { expect, test } from 'vitest'
import { clearRevoked } from '../../../server/service/open-connectors.ts'
import type { Storage } from '../../../server/storage/port/storage.ts'
import type { Disconnected } from '../../../src/contract/connection.ts'
import { epochNow, toEpochMs } from '../../../src/contract/epoch-ms.ts'
import { Fault } from '../../../src/contract/faults.ts'
import { until } from '../../setup/until.ts'
import { held, memoriesOf, pageOf } from '../../suites/storage-page-things.ts'
import { idAt } from '../../suites/storage-place.ts'
import { batchOf, memory } from '../storage/record-lines.ts'
import { type ConnectionsKit, connectionsKit } from './connections-kit.ts'

const DELETE = { byQuery: true, byBody: undefined }
const NEVER = new AbortController().signal
const KEEP = { byQuery: undefined, byBody: undefined }

/** Builds items with one memory each, whose text is the id. */
const items = (...ids: string[]) => pageOf(Object.fromEntries(ids.map((id) => [id, [id]])))

/** Creates a connection that has synced items. */
async function synced({ storage }: ConnectionsKit, n: number, ...ids: string[]): Promise<string> {
  const hold = await held(storage, n)
  await storage.commitPage(hold, items(...ids))
  return hold.connectionId
}

const partial = (...parts: string[]): Disconnected['warnings'] => [
  {
    code: 'cleanup_partial',
    message: expect.toSatisfy((message: string) => parts.every((part) => message.includes(part)))
  }
]

const ONLY_GUARANTEE = 'Deleting the collection is the only guaranteed cleanup.'

/** Advances the time until a promise settles. */
async function passUntil<T>({ clock }: ConnectionsKit, work: Promise<T>): Promise<T> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    if (clock.waiting() > 0) await clock.pass(250)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return await done
}

test('keeps memories unless their deletion is requested', async () => {
  const kit = await connectionsKit()
  const id = await synced(kit, 1, 'a', 'b')
  expect((await kit.connections.disconnect(id, KEEP)).warnings).toEqual([])
  expect(await memoriesOf(kit.storage)).toBe('a b')
  expect((await kit.connections.disconnect(id, DELETE)).warnings).toEqual([])
  expect(await memoriesOf(kit.storage)).toBe('- -')
})

test('deletes memories with their connection, in any number of pages', async () => {
  const kit = await connectionsKit()
  const ids = Array.from({ length: 1200 }, (_, n) => `item-${n}`)
  const id = await synced(kit, 1, ...ids)
  expect(await kit.connections.disconnect(id, DELETE)).toEqual({
    message: `Connection ${id} disconnected`,
    warnings: []
  })
  expect(await kit.storage.findCollection(idAt(1))).toMatchObject({ memories: 0 })
  expect(await kit.storage.listOpenCleanups({ now: toEpochMs(1e15), limit: 9 })).toEqual([])
})

test('keeps memories that another live connection or a person owns, without a warning', async () => {
  const kit = await connectionsKit()
  await kit.storage.append(idAt(1), batchOf([memory('by hand')]))
  const id = await synced(kit, 1, 'shared', 'own', 'by hand')
  await synced(kit, 2, 'shared', 'other')
  expect((await kit.connections.disconnect(id, DELETE)).warnings).toEqual([])
  expect((await memoriesOf(kit.storage)).split(' ').sort()).toEqual(['-', 'by', 'hand', 'other', 'shared'])
})

test('deletes memories that only ended connections own with the last of them', async () => {
  const kit = await connectionsKit()
  const ids = [await synced(kit, 1, 'shared', 'one'), await synced(kit, 2, 'shared', 'two')]
  await kit.connections.disconnect(ids[0] ?? '', KEEP)
  await kit.connections.disconnect(ids[1] ?? '', DELETE)
  expect(await memoriesOf(kit.storage)).toBe('one - -')
})

test('waits at most 10 s for the cleanup of another node', async () => {
  const kit = await connectionsKit()
  const id = await synced(kit, 1, 'a', 'b')
  await kit.connections.disconnect(id, KEEP)
  await kit.storage.requestCleanup(id)
  const now = kit.clock.now()
  const hold = await kit.storage.claimCleanup(id, {
    owner: 'another',
    now: toEpochMs(now),
    until: toEpochMs(now + 60_000)
  })
  const { warnings } = await passUntil(kit, kit.connections.disconnect(id, DELETE))
  expect(warnings).toEqual(partial('up to 2 synced memories', 'within 10 s', 'in the background', ONLY_GUARANTEE))
  const waiting = kit.connections.disconnect(id, DELETE)
  while (kit.clock.waiting() < 2) await new Promise((resolve) => setImmediate(resolve))
  if (typeof hold === 'string') throw new Error(hold)
  await kit.storage.releaseMemories(hold, { limit: 9, now: toEpochMs(now), until: toEpochMs(now) })
  expect((await passUntil(kit, waiting)).warnings).toEqual([])
})

/** Creates the kit with a storage whose methods first run the given functions. */
async function kitWith(before: Partial<Record<'requestCleanup' | 'releaseMemories', () => Promise<void>>>) {
  return await connectionsKit({
    wrap: (storage): Storage => ({
      ...storage,
      async requestCleanup(...given) {
        await before.requestCleanup?.()
        return await storage.requestCleanup(...given)
      },
      async releaseMemories(...given) {
        await before.releaseMemories?.()
        return await storage.releaseMemories(...given)
      }
    })
  })
}

test('stops a deletion that takes too long between pages, and releases it at once', async () => {
  let pages = 0
  const kit = await kitWith({
    releaseMemories: async () => {
      if (++pages === 2) await kit.clock.pass(10_000)
    }
  })
  const id = await synced(kit, 1, ...Array.from({ length: 1200 }, (_, n) => `item-${n}`))
  const { warnings } = await kit.connections.disconnect(id, DELETE)
  expect(warnings).toEqual(partial('up to 700 synced memories', 'within 10 s', 'in the background', ONLY_GUARANTEE))
  while (pages < 3) await new Promise((resolve) => setImmediate(resolve))
  const open = () => kit.storage.listOpenCleanups({ now: epochNow(kit.clock), limit: 9 })
  await until(async () => (await open()).length > 0)
  expect(await open()).toEqual([id])
  expect(await kit.storage.findCollection(idAt(1))).toMatchObject({ memories: 200 })
})

test('returns a warning if the storage fails during the deletion, and still ends the connection', async () => {
  const away = async () => {
    throw new Fault('unavailable', 'the disk is full')
  }
  const inPages = await kitWith({ releaseMemories: away })
  const id = await synced(inPages, 1, 'a', 'b', 'c')
  const { warnings } = await inPages.connections.disconnect(id, DELETE)
  expect(warnings).toEqual(partial('up to 3 synced memories', 'the storage failed', 'in the background'))
  expect(inPages.log.map(({ message }) => message)).toContain('memories could not be deleted')
  const atOnce = await kitWith({ requestCleanup: away })
  const other = await synced(atOnce, 1, 'a')
  const ended = await atOnce.connections.disconnect(other, DELETE)
  expect(ended.warnings).toEqual(partial('the synced memories remain', 'to delete the rest, run', ONLY_GUARANTEE))
  expect((await atOnce.connections.get(other)).status).toBe('revoked')
})

test('finishes open cleanups in the background', async () => {
  const kit = await connectionsKit()
  const id = await synced(kit, 1, 'a', 'b')
  await kit.connections.disconnect(id, KEEP)
  await kit.storage.requestCleanup(id)
  await clearRevoked({ storage: kit.storage, world: { clock: kit.clock }, newId: () => 'me' }, NEVER)
  expect(await memoriesOf(kit.storage)).toBe('- -')
  expect(await kit.storage.listItems(id, { status: undefined, after: undefined, limit: 9 })).toEqual([])
})

import { expect } from 'vitest'
import { toEpochMs } from '../../../src/contract/epoch-ms.ts'
import { connect } from './consent-kit.ts'
import type { Start } from './server-test.ts'
import {
  at,
  change,
  connectionOf,
  inProgress,
  itemsOf,
  MINUTE_MS,
  orderFault,
  passed,
  remembered,
  rested,
  runsOf,
  type SyncServer,
  synced,
  syncedDrive,
  syncTest
} from './sync-kit.ts'

/** How long the server waits for a cleanup before it replies. */
const CLEANUP_MS_MAX = 10_000

/** Tests the interface's section "Disconnect with memory deletion", and other owners of the deleted memories. */
export function syncDisconnectSuite(start: Start): void {
  keepTests(start)
  deleteTests(start)
  holderTests(start)
  partialTests(start)
  collectionTests(start)
}

const FERRY = 'The ferry leaves at nine.'
const COAT = 'Bring a coat.'

const disconnect = async (server: SyncServer, id: string, more = '?delete_memories=true') =>
  (await server.call('DELETE', `${at(id)}${more}`)).json

const done = (id: string) => ({ message: `Connection ${id} disconnected`, warnings: [] })

/** Links the same account and folder to another collection. */
async function linkedElsewhere(server: SyncServer, folder: string): Promise<string> {
  const collection = (await server.call('POST', '/v1/collections', { body: { name: 'other' } })).json.id
  const id = await connect(server, 'cloud_drive', { config: { folder_ids: [folder] }, collectionId: collection })
  await rested(server, id)
  return id
}

function keepTests(start: Start): void {
  syncTest(start, 'disconnect: synced memories kept unless delete_memories is true', async (server) => {
    const { id } = await syncedDrive(server, { 'a.txt': FERRY, 'b.txt': COAT })
    expect(await disconnect(server, id, '')).toEqual(done(id))
    expect(await remembered(server)).toEqual({ texts: [COAT, FERRY], forgotten: 0 })
    expect(await connectionOf(server, id)).toMatchObject({ status: 'revoked', health: null, next_sync_at: null })
    expect(await disconnect(server, id, '?delete_memories=false')).toEqual(done(id))
    expect((await remembered(server)).texts).toHaveLength(2)
    expect(await disconnect(server, id)).toEqual(done(id))
    expect(await remembered(server)).toEqual({ texts: [], forgotten: 2 })
    expect(await disconnect(server, id)).toEqual(done(id))
  })

  syncTest(start, 'finds the kept memories after reconnecting', async (server) => {
    const { id, folder } = await syncedDrive(server, { 'a.txt': FERRY })
    await disconnect(server, id, '')
    const again = await connect(server, 'cloud_drive', { config: { folder_ids: [folder] } })
    expect(again).not.toBe(id)
    expect(await rested(server, again)).toMatchObject({ outcome: 'succeeded', created: 1 })
    expect(await remembered(server)).toEqual({ texts: [FERRY], forgotten: 0 })
    expect(await disconnect(server, again)).toEqual(done(again))
    expect(await remembered(server)).toEqual({ texts: [], forgotten: 1 })
  })
}

function deleteTests(start: Start): void {
  syncTest(start, 'delete_memories: deletes synced memories and their other traces', async (server) => {
    const { id } = await syncedDrive(server, { 'a.txt': FERRY, 'b.txt': COAT })
    const body = { collection_ids: [server.collectionId], query: 'ferry' }
    const found = async () => (await server.call('POST', '/v1/memories/search', { body })).json.sources.length
    expect(await found()).toBe(1)
    expect(await disconnect(server, id)).toEqual(done(id))
    expect(await found()).toBe(0)
    await server.clock.pass(2 * MINUTE_MS)
    while ((await itemsOf(server, id)).length > 0) await new Promise((resolve) => setImmediate(resolve))
    expect(await runsOf(server, id)).toHaveLength(1)
    expect((await server.call('GET', '/v1/collections')).json).toMatchObject([{ memories: 0 }])
  })

  syncTest(start, 'lets a disconnect during a sync win: nothing is written after it', async (server) => {
    const { id, folder } = await syncedDrive(server, { 'a.txt': FERRY })
    await change(server, 'cloud_drive.add_file', { parent: folder, name: 'b.txt', text: COAT })
    await orderFault(server, { provider: 'cloud_drive', kind: 'slow', ms: MINUTE_MS / 2 })
    await server.call('POST', at(id, 'sync'))
    await inProgress(server, id)
    expect(await disconnect(server, id)).toEqual(done(id))
    await server.clock.pass(MINUTE_MS)
    await passed(server, id, MINUTE_MS)
    expect(await remembered(server)).toEqual({ texts: [], forgotten: 1 })
    expect(await connectionOf(server, id)).toMatchObject({ status: 'revoked', last_error: null })
  })
}

function holderTests(start: Start): void {
  syncTest(start, 'keeps memories with manually crafted metadata, or stored by hand', async (server) => {
    const store = (raw_text: string, metadata = {}) =>
      server.call('POST', '/v1/memories', { body: { collection_id: server.collectionId, raw_text, metadata } })
    await store('I wrote this myself.', { source: 'cloud_drive', item: 'a.txt' })
    const { id } = await syncedDrive(server, { 'a.txt': FERRY })
    await store('And this.')
    expect(await disconnect(server, id)).toEqual(done(id))
    expect((await remembered(server)).texts).toEqual(['And this.', 'I wrote this myself.'])
  })

  syncTest(start, 'keeps the memories of the same account in another collection', async (server) => {
    const { id, folder } = await syncedDrive(server, { 'a.txt': FERRY })
    const elsewhere = await linkedElsewhere(server, folder)
    const { collection_id } = await connectionOf(server, elsewhere)
    expect(await disconnect(server, id)).toEqual(done(id))
    expect([(await remembered(server)).texts, (await remembered(server, collection_id)).texts]).toEqual([[], [FERRY]])
    expect(await synced(server, elsewhere)).toMatchObject({ outcome: 'succeeded', deleted: 0 })
  })
}

function partialTests(start: Start): void {
  syncTest(
    start,
    'reports kept memories in cleanup_partial while a lock is held, and finishes in the background',
    async (server) => {
      const { id } = await syncedDrive(server, { 'a.txt': FERRY, 'b.txt': COAT })
      const { storage, clock } = server
      await disconnect(server, id, '')
      await storage.requestCleanup(id)
      const now = clock.now()
      await storage.claimCleanup(id, { owner: 'another node', now: toEpochMs(now), until: toEpochMs(now + MINUTE_MS) })
      const asked = disconnect(server, id)
      // Time passes only once the server waits for its cleanup, however long the storage takes.
      while (clock.waiting(CLEANUP_MS_MAX) === 0) await new Promise((resolve) => setImmediate(resolve))
      await clock.pass(CLEANUP_MS_MAX)
      const reply = await asked
      expect(reply.message).toBe(done(id).message)
      const message = expect.stringMatching(/up to 2 synced memories.*background.*only guaranteed cleanup/)
      expect(reply.warnings).toEqual([{ code: 'cleanup_partial', message }])
      expect((await remembered(server)).texts).toHaveLength(2)
      while ((await remembered(server)).texts.length > 0) await clock.pass(MINUTE_MS)
      expect(await disconnect(server, id)).toEqual(done(id))
    }
  )
}

function collectionTests(start: Start): void {
  syncTest(start, 'ends the syncs of a deleted collection and removes its data', async (server) => {
    const { id } = await syncedDrive(server, { 'a.txt': FERRY })
    await orderFault(server, { provider: 'cloud_drive', kind: 'slow', ms: MINUTE_MS / 2 })
    await server.call('POST', at(id, 'sync'))
    await inProgress(server, id)
    expect((await server.call('DELETE', `/v1/collections/${server.collectionId}`)).status).toBe(200)
    for (const path of [at(id), at(id, 'runs'), at(id, 'items'), at(id, 'schedule')])
      expect((await server.call('GET', path)).status).toBe(404)
    expect((await server.call('POST', at(id, 'sync'))).status).toBe(404)
    await server.clock.pass(MINUTE_MS)
    expect(server.log.filter(({ level }) => level === 'error')).toEqual([])
  })
}

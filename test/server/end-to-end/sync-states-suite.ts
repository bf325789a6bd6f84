import { expect } from 'vitest'
import { connect } from './consent-kit.ts'
import type { TestServer } from './server-kit.ts'
import type { Start } from './server-test.ts'
import {
  at,
  change,
  connectionOf,
  folderWith,
  HOUR_MS,
  inProgress,
  MINUTE_MS,
  orderFault,
  passed,
  remembered,
  rested,
  runsOf,
  scheduleOf,
  synced,
  syncedDrive,
  syncTest
} from './sync-kit.ts'

/** Tests section 3 of the interface, its fields of a connection, and its errors of a manual sync. */
export function syncStatesSuite(start: Start): void {
  callbackTests(start)
  configTests(start)
  manualTests(start)
  fieldTests(start)
  healthTests(start)
}

const configure = (server: TestServer, id: string, folder_ids: string[]) =>
  server.call('PATCH', at(id, 'config'), { body: { config: { folder_ids } } })

function callbackTests(start: Start): void {
  for (const provider of ['mailbox', 'notes'] as const)
    syncTest(start, `callback of ${provider} completes: active, syncing starts immediately`, async (server) => {
      const id = await connect(server, provider, { account: 1 })
      expect(await rested(server, id)).toMatchObject({ trigger: 'schedule', outcome: 'succeeded', failed: 0 })
      const { status, items_synced, last_synced_at, created_at } = await connectionOf(server, id)
      expect([status, items_synced > 3, last_synced_at]).toEqual(['active', true, created_at])
      expect((await remembered(server)).texts.length).toBeGreaterThanOrEqual(items_synced)
    })

  syncTest(start, 'callback of cloud_drive or team_chat completes: pending, waits for a selection', async (server) => {
    const ids = [await connect(server, 'cloud_drive'), await connect(server, 'team_chat')]
    for (const id of ids) {
      await server.clock.pass(5 * HOUR_MS)
      expect([await runsOf(server, id), (await scheduleOf(server, id)).state]).toEqual([[], 'pending'])
    }
  })

  syncTest(start, 'activates a connection with a config chosen in advance, and syncs immediately', async (server) => {
    const { id } = await syncedDrive(server, { 'a.txt': 'The ferry leaves at nine.' })
    expect(await connectionOf(server, id)).toMatchObject({ status: 'active', items_synced: 1 })
    expect((await remembered(server)).texts).toEqual(['The ferry leaves at nine.'])
  })
}

function configTests(start: Start): void {
  syncTest(start, 'pending, config update with a selection: active, initial sync triggered', async (server) => {
    const { folder } = await folderWith(server, { 'a.txt': 'The ferry leaves at nine.' })
    const id = await connect(server, 'cloud_drive')
    const { json } = await configure(server, id, [folder])
    expect([json.status, json.next_sync_at]).toEqual(['active', json.created_at])
    expect(await rested(server, id)).toMatchObject({ trigger: 'schedule', outcome: 'succeeded', created: 1 })
  })

  syncTest(start, 'active, config update: cursor reset, fresh full sync of the new selection', async (server) => {
    const { id, folder } = await syncedDrive(server, { 'a.txt': 'The ferry leaves at nine.', 'b.txt': 'Bring a coat.' })
    const other = await folderWith(server, { 'c.txt': 'The tent is blue.' })
    await configure(server, id, [other.folder])
    expect(await rested(server, id)).toMatchObject({ created: 1, deleted: 2 })
    expect(await remembered(server)).toEqual({ texts: ['The tent is blue.'], forgotten: 2 })
    await configure(server, id, [folder, other.folder])
    expect(await rested(server, id)).toMatchObject({ created: 2, unchanged: 1, deleted: 0 })
    const { texts } = await remembered(server)
    expect(texts).toEqual(['Bring a coat.', 'The ferry leaves at nine.', 'The tent is blue.'])
  })

  syncTest(start, 'does not wait for a sync on a config update: the running one is fenced off', async (server) => {
    const { id } = await syncedDrive(server, { 'a.txt': 'The ferry leaves at nine.' })
    const other = await folderWith(server, { 'b.txt': 'The tent is blue.' })
    await orderFault(server, { provider: 'cloud_drive', kind: 'slow', ms: MINUTE_MS })
    await server.call('POST', at(id, 'sync'))
    await inProgress(server, id)
    await server.clock.pass(1)
    expect((await configure(server, id, [other.folder])).status).toBe(200)
    expect(await passed(server, id, 2 * MINUTE_MS)).toMatchObject({ outcome: 'succeeded', created: 1 })
    expect((await remembered(server)).texts).toEqual(['The tent is blue.'])
    const [, fenced] = await runsOf(server, id)
    expect(fenced).toMatchObject({ outcome: 'stopped', created: 0 })
  })
}

function manualTests(start: Start): void {
  syncTest(
    start,
    'POST sync: replies immediately, runs asynchronously, and leaves the state unchanged',
    async (server) => {
      const { id, folder } = await syncedDrive(server, {})
      await change(server, 'cloud_drive.add_file', {
        parent: folder,
        name: 'a.txt',
        text: 'The ferry leaves at nine.'
      })
      const { status, json } = await server.call('POST', at(id, 'sync'))
      expect([status, json]).toEqual([200, { message: 'Sync triggered' }])
      expect(await rested(server, id)).toMatchObject({ trigger: 'manual', outcome: 'succeeded', created: 1 })
      expect(await connectionOf(server, id)).toMatchObject({ status: 'active', items_synced: 1 })
    }
  )

  syncTest(start, 'POST sync 400: connection is not active (pending or revoked)', async (server) => {
    const [pending, revoked] = [await connect(server, 'team_chat'), await connect(server, 'cloud_drive')]
    await server.call('DELETE', at(revoked))
    for (const id of [pending, revoked]) {
      const { status, json } = await server.call('POST', at(id, 'sync'))
      expect([status, json.code, json.detail]).toEqual([
        400,
        'invalid_request',
        expect.stringMatching(/pending|revoked/)
      ])
    }
  })

  syncTest(start, 'POST sync 403: caller lacks EDIT permission on the collection', async (server) => {
    const { id } = await syncedDrive(server, {})
    const grants = [{ collection_id: server.collectionId, permission: 'read' }]
    const { key } = (await server.call('POST', '/v1/keys', { body: { name: 'reader', grants } })).json
    expect((await server.call('POST', at(id, 'sync'), { key })).status).toBe(403)
    expect(await runsOf(server, id)).toHaveLength(1)
  })

  syncTest(start, 'POST sync 409: a sync is already in progress for this connection', async (server) => {
    const { id } = await syncedDrive(server, {})
    await orderFault(server, { provider: 'cloud_drive', kind: 'slow', ms: MINUTE_MS / 2 })
    expect((await server.call('POST', at(id, 'sync'))).status).toBe(200)
    expect((await server.call('POST', at(id, 'sync'))).status).toBe(409)
    await inProgress(server, id)
    const { status, json } = await server.call('POST', at(id, 'sync'))
    expect([status, json.code]).toEqual([409, 'conflict'])
    await passed(server, id, MINUTE_MS)
    expect((await server.call('POST', at(id, 'sync'))).status).toBe(200)
    await rested(server, id)
  })
}

function fieldTests(start: Start): void {
  syncTest(
    start,
    'items_synced counts the items live now, last_synced_at is the end of the last sync',
    async (server) => {
      const { id, files } = await syncedDrive(server, { 'a.txt': 'one', 'b.txt': 'two', 'c.txt': 'three' })
      const first = await connectionOf(server, id)
      await change(server, 'cloud_drive.delete', { id: files['b.txt'] })
      await server.clock.pass(HOUR_MS)
      await synced(server, id)
      const second = await connectionOf(server, id)
      expect([first.items_synced, second.items_synced]).toEqual([3, 2])
      const apartMs = Date.parse(second.last_synced_at) - Date.parse(first.last_synced_at)
      expect(Math.round(apartMs / MINUTE_MS)).toBe(60)
    }
  )

  syncTest(
    start,
    'next_sync_at: equals created_at if never synced, null for non-active connections',
    async (server) => {
      await orderFault(server, { provider: 'notes', operation: 'post-search', kind: 'slow', ms: MINUTE_MS / 2 })
      const id = await connect(server, 'notes', { account: 1 })
      await inProgress(server, id)
      const begun = await connectionOf(server, id)
      expect([begun.last_synced_at, begun.next_sync_at]).toEqual([null, begun.created_at])
      await passed(server, id, 2 * MINUTE_MS)
      const { last_synced_at, next_sync_at } = await connectionOf(server, id)
      const waitMs = Date.parse(next_sync_at) - Date.parse(last_synced_at)
      expect(Math.abs(waitMs - 4 * HOUR_MS)).toBeLessThanOrEqual(0.05 * 4 * HOUR_MS)
      await server.call('DELETE', at(id))
      const pending = await connect(server, 'cloud_drive')
      for (const other of [id, pending]) expect((await connectionOf(server, other)).next_sync_at).toBeNull()
    }
  )
}

function healthTests(start: Start): void {
  syncTest(start, 'health: error if active with a last_error, ok with the next success', async (server) => {
    const { id } = await syncedDrive(server, { 'a.txt': 'The ferry leaves at nine.' })
    const before = await connectionOf(server, id)
    expect([before.health, before.last_error, before.error_detail]).toEqual(['ok', null, null])
    await orderFault(server, { provider: 'cloud_drive', kind: 'server_error', times: 99 })
    expect(await synced(server, id)).toMatchObject({ outcome: 'failed', error: expect.any(String) })
    const failed = await connectionOf(server, id)
    const { last_error } = failed
    expect(failed).toMatchObject({ status: 'active', health: 'error', last_synced_at: before.last_synced_at })
    expect(failed.error_detail).toEqual({ message: last_error, retryable: true })
    await server.call('DELETE', '/sandbox/control/faults')
    await synced(server, id)
    expect(await connectionOf(server, id)).toMatchObject({ health: 'ok', last_error: null, error_detail: null })
  })
}

import { expect } from 'vitest'
import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import { connect } from './consent-kit.ts'
import type { Start } from './server-test.ts'
import {
  at,
  change,
  connectionOf,
  folderWith,
  HOUR_MS,
  inProgress,
  itemsOf,
  MINUTE_MS,
  orderFault,
  passed,
  remembered,
  requests,
  rested,
  runsOf,
  SECOND_MS,
  type SyncServer,
  scheduleOf,
  synced,
  syncedDrive,
  syncTest
} from './sync-kit.ts'

/** Tests refusals by providers, and the endpoints that report them. */
export function syncFailuresSuite(start: Start): void {
  paceTests(start)
  grantTests(start)
  betweenTests(start)
  contractTests(start)
  pauseTests(start)
  runTests(start)
  stopTests(start)
}

const FERRY = 'The ferry leaves at nine.'

function paceTests(start: Start): void {
  syncTest(start, 'parks a rate-limited run until the provider allows it, and counts no retry', async (server) => {
    const { id, folder } = await syncedDrive(server, {})
    await change(server, 'cloud_drive.add_file', { parent: folder, name: 'a.txt', text: FERRY })
    const order = { provider: 'cloud_drive', operation: 'drive.files.get', kind: 'rate_limited', retry_after: 600 }
    await orderFault(server, order)
    const asked = server.clock.now()
    expect(await synced(server, id)).toMatchObject({ outcome: 'parked', failed: 0, error: null })
    const { next_sync_at, health, last_error } = await connectionOf(server, id)
    expect([Date.parse(next_sync_at) - asked, health, last_error]).toEqual([600 * SECOND_MS, 'ok', null])
    expect((await scheduleOf(server, id)).next_sync_at).toBe(next_sync_at)
    await requests(server, 'cloud_drive')
    await passed(server, id, 590 * SECOND_MS)
    expect(await requests(server, 'cloud_drive')).toEqual([])
    expect(await passed(server, id, 20 * SECOND_MS)).toMatchObject({ outcome: 'succeeded', created: 1 })
    expect(await itemsOf(server, id)).toMatchObject([{ status: 'synced', tries: 0 }])
  })

  const limited = {
    cloud_drive: 'drive.changes.list',
    team_chat: 'conversations.history',
    mailbox: 'gmail.users.history.list',
    notes: 'post-search'
  }
  for (const [provider, operation] of Object.entries(limited))
    syncTest(start, `parks syncs of ${provider} within its Retry-After, and continues after it`, async (server) => {
      const id = await linked(server, provider as ProviderId)
      await rested(server, id)
      await orderFault(server, { provider, operation, kind: 'rate_limited', retry_after: 120 })
      const asked = server.clock.now()
      for (let again = 0; again < 3; again += 1) {
        expect(await synced(server, id)).toMatchObject({ outcome: 'parked', error: null })
        const { nextRunAt } = (await server.storage.findSchedule(id)) ?? {}
        expect(nextRunAt).toBe(Math.round(nextRunAt ?? Number.NaN))
        expect((nextRunAt ?? 0) - asked).toBeGreaterThanOrEqual(120 * SECOND_MS)
        await server.clock.pass(20 * SECOND_MS)
      }
      expect(await passed(server, id, 120 * SECOND_MS)).toMatchObject({ outcome: 'succeeded' })
      const outcomes = (await runsOf(server, id)).map(({ outcome }) => outcome)
      expect(outcomes).toEqual(['succeeded', 'parked', 'parked', 'parked', 'succeeded'])
      expect(server.log.filter(({ level }) => level === 'error')).toEqual([])
    })

  syncTest(
    start,
    'shows a parked first sync as due since its creation, with the time in its schedule',
    async (server) => {
      await orderFault(server, { provider: 'notes', operation: 'post-search', kind: 'rate_limited', retry_after: 120 })
      const id = await connect(server, 'notes', { account: 1 })
      expect(await rested(server, id)).toMatchObject({ outcome: 'parked' })
      const { next_sync_at, created_at } = await connectionOf(server, id)
      const { next_sync_at: honest } = await scheduleOf(server, id)
      expect([next_sync_at, Date.parse(honest ?? '') - Date.parse(created_at)]).toEqual([created_at, 120 * SECOND_MS])
    }
  )
}

/** Creates a connection of a provider with something to sync. */
async function linked(server: SyncServer, provider: ProviderId): Promise<string> {
  if (provider === 'cloud_drive') return (await syncedDrive(server, { 'a.txt': FERRY })).id
  const id = await connect(server, provider, { account: 0 })
  if (provider !== 'team_chat') return id
  const { json } = await server.call('GET', at(id, 'channels'))
  const channel_ids = json.slice(0, 1).map((channel: { id: string }) => channel.id)
  await server.call('PATCH', at(id, 'config'), { body: { config: { channel_ids } } })
  return id
}

function grantTests(start: Start): void {
  syncTest(
    start,
    'keeps refused credentials active with a health error and the reconnect command, without repeated requests',
    async (server) => {
      const { id, folder } = await syncedDrive(server, {})
      await orderFault(server, { provider: 'cloud_drive', kind: 'dead_grant' })
      expect(await synced(server, id)).toMatchObject({
        outcome: 'failed',
        error: expect.stringContaining('memctl connect')
      })
      const broken = await connectionOf(server, id)
      expect(broken).toMatchObject({ status: 'active', health: 'error', error_detail: { retryable: true } })
      expect(broken.last_error).toContain(`memctl connect cloud_drive -c ${server.collectionId}`)
      await requests(server, 'cloud_drive')
      await passed(server, id, 3 * HOUR_MS)
      expect([await requests(server, 'cloud_drive'), (await runsOf(server, id)).length]).toEqual([[], 2])
      await change(server, 'cloud_drive.add_file', { parent: folder, name: 'a.txt', text: FERRY })
      expect(await connect(server, 'cloud_drive')).toBe(id)
      expect(await rested(server, id)).toMatchObject({ outcome: 'succeeded', created: 1 })
      expect(await connectionOf(server, id)).toMatchObject({ health: 'ok', last_error: null })
    }
  )
}

/** Tests refusals by an intermediary, or by an endpoint that is out of order. */
function betweenTests(start: Start): void {
  syncTest(
    start,
    'deletes nothing after a 404 of a proxy at any call, and recovers at the next sync',
    async (server) => {
      const { id, folder, files } = await syncedDrive(server, { 'a.txt': FERRY, 'b.txt': 'The quay is wet.' })
      const before = await remembered(server)
      const { folder: other } = await folderWith(server, {})
      let more = 0
      await server.call('POST', at(id, 'pause'))
      for (const operation of ['drive.files.get', 'drive.files.list', 'drive.changes.list']) {
        // Another selection makes the sync look the folder up and list it again.
        const folder_ids = more++ % 2 === 0 ? [folder, other] : [folder]
        await server.call('PATCH', at(id, 'config'), { body: { config: { folder_ids } } })
        await orderFault(server, { provider: 'cloud_drive', operation, kind: 'html', status: 404 })
        expect(await synced(server, id)).toMatchObject({
          outcome: 'failed',
          error: expect.stringContaining('a web page that is not from Google Drive'),
          deleted: 0
        })
        expect(await remembered(server)).toEqual(before)
        expect(await synced(server, id)).toMatchObject({ outcome: 'succeeded', deleted: 0, created: 0 })
        expect(await remembered(server)).toEqual(before)
      }
      await server.call('POST', at(id, 'resume'))
      await rested(server, id)
      await change(server, 'cloud_drive.edit_file', { id: files['a.txt'], text: 'The ferry leaves at ten.' })
      await orderFault(server, { provider: 'cloud_drive', operation: 'drive.files.get', kind: 'html', status: 404 })
      expect(await synced(server, id)).toMatchObject({ outcome: 'partial', failed: 1, deleted: 0 })
      expect(await remembered(server)).toEqual(before)
      expect(await passed(server, id, MINUTE_MS)).toMatchObject({ outcome: 'succeeded', updated: 1 })
      expect((await remembered(server)).texts).toEqual(['The ferry leaves at ten.', 'The quay is wet.'])
    }
  )

  syncTest(start, 'retries an overloaded token endpoint soon, without asking the user to reconnect', async (server) => {
    const { id, folder } = await syncedDrive(server, {})
    await change(server, 'cloud_drive.add_file', { parent: folder, name: 'a.txt', text: FERRY })
    await orderFault(server, { provider: 'cloud_drive', kind: 'expired_token' })
    await orderFault(server, { provider: 'cloud_drive', operation: 'oauth.token', kind: 'overloaded' })
    const { outcome, error } = await synced(server, id)
    expect([outcome, error]).toEqual([
      'failed',
      expect.stringMatching(/^the token endpoint of Google Drive .* status 503$/)
    ])
    expect(await passed(server, id, MINUTE_MS)).toMatchObject({ outcome: 'succeeded', created: 1 })
    expect(await connectionOf(server, id)).toMatchObject({ health: 'ok', last_error: null })
  })
}

function contractTests(start: Start): void {
  syncTest(start, 'reports malformed replies as a broken contract of the run, without crashing', async (server) => {
    for (const provider of ['mailbox', 'notes'] as const) {
      const id = await connect(server, provider, { account: 1 })
      await rested(server, id)
      await orderFault(server, { provider, kind: 'wrong_shape', times: 99 })
      expect(await synced(server, id)).toMatchObject({
        outcome: 'failed',
        error: expect.stringMatching(/^contract broken/)
      })
      expect((await connectionOf(server, id)).last_error).toMatch(/^contract broken/)
      await server.call('DELETE', '/sandbox/control/faults')
      expect(await synced(server, id)).toMatchObject({ outcome: 'succeeded', deleted: 0 })
    }
    expect(server.log.filter(({ level }) => level === 'error')).toEqual([])
  })
}

function pauseTests(start: Start): void {
  syncTest(start, 'paused: skips regular syncs, allows a manual one, and keeps next_sync_at', async (server) => {
    const { id, folder } = await syncedDrive(server, {})
    const { next_sync_at } = await connectionOf(server, id)
    const { status, json } = await server.call('POST', at(id, 'pause'))
    expect([status, json.state, json.paused, json.next_sync_at]).toEqual([200, 'paused', true, next_sync_at])
    await passed(server, id, 9 * HOUR_MS)
    expect(await runsOf(server, id)).toHaveLength(1)
    expect(await connectionOf(server, id)).toMatchObject({ status: 'active', health: 'ok', next_sync_at })
    await change(server, 'cloud_drive.add_file', { parent: folder, name: 'a.txt', text: FERRY })
    expect(await synced(server, id)).toMatchObject({ trigger: 'manual', created: 1 })
    expect((await scheduleOf(server, id)).state).toBe('paused')
    await passed(server, id, 9 * HOUR_MS)
    expect(await runsOf(server, id)).toHaveLength(2)
    expect((await server.call('POST', at(id, 'resume'))).json.paused).toBe(false)
    expect(await rested(server, id)).toMatchObject({ trigger: 'schedule', outcome: 'succeeded' })
    expect(await runsOf(server, id)).toHaveLength(3)
  })
}

function runTests(start: Start): void {
  syncTest(start, 'runs: lists the newest first, with counters and reasons, each by its id', async (server) => {
    const { id, folder, files } = await syncedDrive(server, { 'a.txt': FERRY, 'b.txt': 'Bring a coat.' })
    await change(server, 'cloud_drive.delete', { id: files['b.txt'] })
    const video = { parent: folder, name: 'c.mp4', mimeType: 'video/mp4', text: 'moving' }
    const broken = { parent: folder, name: 'd.pdf', mimeType: 'application/pdf', text: 'none' }
    await change(server, 'cloud_drive.add_file', { ...video, count: 2 })
    await change(server, 'cloud_drive.add_file', broken)
    const run = await synced(server, id)
    expect(run).toMatchObject({ outcome: 'partial', seen: 3, created: 0, deleted: 1, failed: 1, skipped: 2 })
    expect(run.reasons.map(({ count }) => count)).toEqual([2, 1])
    const runs = await runsOf(server, id)
    expect(runs.map(({ created }) => created)).toEqual([0, 2])
    const one = await server.call('GET', at(id, 'runs', run.id))
    expect([one.status, one.json]).toEqual([200, run])
    expect((await server.call('GET', at(id, 'runs', server.collectionId))).status).toBe(404)
    expect((await server.call('GET', `${at(id, 'runs')}?limit=1`)).json).toEqual([run])
    const skipped = await itemsOf(server, id, '&status=skipped')
    expect(skipped).toMatchObject(Array(2).fill({ status: 'skipped', memories: 0, error: expect.any(String) }))
  })

  syncTest(
    start,
    'shows the counters of a run in progress, and keeps its results when it is interrupted',
    async (server) => {
      const { id } = await syncedDrive(server, { 'a.txt': FERRY })
      await orderFault(server, { provider: 'cloud_drive', kind: 'slow', ms: MINUTE_MS / 2 })
      await server.call('POST', at(id, 'sync'))
      await inProgress(server, id)
      const { running, last_run } = await scheduleOf(server, id)
      expect([running?.ended_at, running?.outcome, last_run?.outcome]).toEqual([null, null, 'succeeded'])
      expect((await server.call('GET', at(id, 'runs', running?.id ?? ''))).json).toEqual(running)
      await server.call('DELETE', at(id))
      await server.clock.pass(MINUTE_MS)
      const runs = await runsOf(server, id)
      expect(runs.map(({ outcome }) => outcome)).toEqual(['stopped', 'succeeded'])
      expect((await remembered(server)).texts).toEqual([FERRY])
    }
  )
}

function stopTests(start: Start): void {
  syncTest(
    start,
    'releases its connections when it stops, so that another server continues immediately',
    async (server) => {
      const { id } = await syncedDrive(server, { 'a.txt': FERRY })
      await orderFault(server, { provider: 'cloud_drive', kind: 'slow', ms: HOUR_MS })
      await server.call('POST', at(id, 'sync'))
      await inProgress(server, id)
      await server.service.drain()
      const now = server.clock.now()
      const [stopped] = await server.storage.listRuns(id, { limit: 1 })
      expect(stopped).toMatchObject({ outcome: 'stopped', endedAt: now })
      expect(await server.storage.findSchedule(id)).toMatchObject({ leaseUntil: undefined, nextRunAt: now })
    }
  )
}

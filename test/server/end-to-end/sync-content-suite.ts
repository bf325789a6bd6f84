import { expect } from 'vitest'
import { connect } from './consent-kit.ts'
import type { Start } from './server-test.ts'
import {
  at,
  change,
  connectionOf,
  HOUR_MS,
  itemsOf,
  MINUTE_MS,
  orderFault,
  passed,
  remembered,
  requests,
  rested,
  runsOf,
  SECOND_MS,
  synced,
  syncedDrive,
  syncTest,
  syncTestWith
} from './sync-kit.ts'

/** Tests the interface's section "Sync behavior" and upstream deletions. */
export function syncContentSuite(start: Start): void {
  scheduleTests(start)
  changeTests(start)
  retryTests(start)
  deletionTests(start)
  findTests(start)
  cutTests(start)
}

const FERRY = 'The ferry leaves at nine.'
const COAT = 'Bring a coat.'

function scheduleTests(start: Start): void {
  syncTest(start, 'active connections sync automatically every 4 hours', async (server) => {
    const { id, folder } = await syncedDrive(server, { 'a.txt': FERRY })
    await change(server, 'cloud_drive.add_file', { parent: folder, name: 'b.txt', text: COAT })
    await passed(server, id, 0.94 * 4 * HOUR_MS)
    expect(await runsOf(server, id)).toHaveLength(1)
    expect(await passed(server, id, 0.12 * 4 * HOUR_MS)).toMatchObject({ trigger: 'schedule', created: 1 })
    expect(await runsOf(server, id)).toHaveLength(2)
    expect((await remembered(server)).texts).toEqual([COAT, FERRY])
  })

  syncTestWith(start, 'the instance admin can configure the interval', {
    variables: { MEMCTL_SYNC_INTERVAL: '10m' },
    async body(server) {
      const { id } = await syncedDrive(server, { 'a.txt': FERRY })
      await passed(server, id, 33 * MINUTE_MS)
      expect((await runsOf(server, id)).map(({ outcome }) => outcome)).toEqual(Array(4).fill('succeeded'))
      expect((await server.call('GET', at(id, 'schedule'))).json.interval_seconds).toBe(600)
    }
  })
}

function changeTests(start: Start): void {
  syncTest(start, 'after the initial full sync, only new or changed items are fetched', async (server) => {
    const texts = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`${n}.txt`, `This is text ${n}.`]))
    const { id, folder, files } = await syncedDrive(server, texts)
    await synced(server, id)
    const idle = await requests(server, 'cloud_drive')
    expect(idle.filter((operation) => operation === 'drive.files.get')).toEqual([])
    await change(server, 'cloud_drive.edit_file', { id: files['7.txt'], text: 'This is another text.' })
    await change(server, 'cloud_drive.add_file', { parent: folder, name: 'new.txt', text: 'This is new.' })
    expect(await synced(server, id)).toMatchObject({ seen: 2, created: 1, updated: 1, unchanged: 0 })
    const fetched = (await requests(server, 'cloud_drive')).filter((operation) => operation === 'drive.files.get')
    expect(fetched.length).toBeLessThanOrEqual(4)
    const { texts: now, forgotten } = await remembered(server)
    expect([now.length, now.includes('This is another text.'), now.includes('This is text 7.')]).toEqual([
      21,
      true,
      false
    ])
    expect(forgotten).toBe(1)
  })

  syncTest(start, 'items are tracked by id and content hash; unchanged items are skipped', async (server) => {
    const { id, files } = await syncedDrive(server, { 'a.txt': FERRY })
    const { seq } = (await server.storage.findCollection(server.collectionId)) ?? {}
    await change(server, 'cloud_drive.edit_file', { id: files['a.txt'], text: FERRY })
    expect(await synced(server, id)).toMatchObject({ outcome: 'succeeded', created: 0, updated: 0, unchanged: 1 })
    expect((await server.storage.findCollection(server.collectionId))?.seq).toBe(seq)
    await change(server, 'cloud_drive.rename', { id: files['a.txt'], name: 'b.txt' })
    expect(await synced(server, id)).toMatchObject({ updated: 1 })
    expect((await itemsOf(server, id)).map(({ title }: { title: string }) => title)).toEqual(['b.txt'])
    expect(await remembered(server)).toEqual({ texts: [FERRY], forgotten: 0 })
  })
}

function retryTests(start: Start): void {
  syncTest(start, 'a failed item is retried up to 3 times, then enters a cooldown period', async (server) => {
    const { id, folder } = await syncedDrive(server, { 'a.txt': FERRY })
    const broken = { parent: folder, name: 'b.pdf', mimeType: 'application/pdf', text: 'no PDF at all' }
    const { id: item } = await change(server, 'cloud_drive.add_file', broken)
    expect(await synced(server, id)).toMatchObject({ outcome: 'partial', created: 0, failed: 1 })
    const told: [string, number, boolean, number][] = []
    for (let tries = 1; tries <= 6; tries++) {
      const [failed] = await itemsOf(server, id, '&status=failed')
      const nextTry = Date.parse(failed.next_try_at)
      const waitSeconds = (nextTry - Date.parse(failed.changed_at)) / SECOND_MS
      told.push([failed.id, failed.tries, failed.cooling_down, waitSeconds])
      await passed(server, id, nextTry + SECOND_MS - server.clock.now())
    }
    expect(told).toEqual([
      [item, 1, false, 30],
      [item, 2, false, 120],
      [item, 3, false, 480],
      [item, 4, true, 3600],
      [item, 5, true, 7200],
      [item, 6, true, 14_400]
    ])
    expect(await connectionOf(server, id)).toMatchObject({ health: 'ok', items_synced: 1 })
    await change(server, 'cloud_drive.edit_file', { id: item, text: 'still none' })
    await synced(server, id)
    expect(await itemsOf(server, id, '&status=failed')).toMatchObject([{ tries: 1, cooling_down: false }])
  })

  syncTest(start, 'retries a failed item immediately on request, with all its retries', async (server) => {
    const { id, folder } = await syncedDrive(server, {})
    const { id: item } = await change(server, 'cloud_drive.add_file', { parent: folder, name: 'a.txt', text: FERRY })
    await orderFault(server, { provider: 'cloud_drive', operation: 'drive.files.get', kind: 'server_error', times: 9 })
    await synced(server, id)
    const [failed] = await itemsOf(server, id, '&status=failed')
    expect(failed).toMatchObject({ id: item, tries: 1, status: 'failed', error: expect.any(String) })
    await server.call('DELETE', '/sandbox/control/faults')
    const { status, json } = await server.call('POST', at(id, 'items', item, 'retry'))
    expect([status, json.id, json.tries]).toEqual([200, item, 0])
    expect(await rested(server, id)).toMatchObject({ trigger: 'manual', outcome: 'succeeded', created: 1 })
    expect((await itemsOf(server, id))[0]).toMatchObject({ status: 'synced', error: null, tries: 0 })
    expect((await server.call('POST', at(id, 'items', item, 'retry'))).status).toBe(409)
    expect((await server.call('POST', at(id, 'items', 'nothing', 'retry'))).status).toBe(404)
  })
}

function deletionTests(start: Start): void {
  syncTest(start, 'an item gone at the provider loses its memories; exports list them as forgotten', async (server) => {
    const { id, files } = await syncedDrive(server, { 'a.txt': FERRY, 'b.txt': COAT })
    await change(server, 'cloud_drive.trash', { id: files['a.txt'] })
    expect(await synced(server, id)).toMatchObject({ deleted: 1 })
    expect(await remembered(server)).toEqual({ texts: [COAT], forgotten: 1 })
    await change(server, 'cloud_drive.trash', { id: files['a.txt'], trashed: false })
    expect(await synced(server, id)).toMatchObject({ created: 1 })
    expect(await remembered(server)).toEqual({ texts: [COAT, FERRY], forgotten: 1 })
  })

  syncTest(start, 'deletes nothing if a listing fails', async (server) => {
    const { id } = await syncedDrive(server, { 'a.txt': FERRY, 'b.txt': COAT })
    for (const kind of ['html', 'wrong_shape', 'cut_body', 'server_error', 'overloaded']) {
      await orderFault(server, { provider: 'cloud_drive', kind, times: 99 })
      expect([kind, (await synced(server, id)).outcome]).toEqual([kind, 'failed'])
      await server.call('DELETE', '/sandbox/control/faults')
    }
    expect(await synced(server, id)).toMatchObject({ outcome: 'succeeded', deleted: 0 })
    expect((await remembered(server)).texts).toEqual([COAT, FERRY])
  })
}

function findTests(start: Start): void {
  syncTest(start, 'finds synced memories with their source', async (server) => {
    const { folder } = await syncedDrive(server, { 'ferry.txt': 'Ines keeps the spare key of the ferry house.' })
    const id = await connect(server, 'team_chat')
    const channels = (await server.call('GET', at(id, 'channels'))).json
    const { id: channel } = channels[0]
    await change(server, 'team_chat.post', { channel, text: 'The heron nests on the third pile of the jetty.' })
    await server.call('PATCH', at(id, 'config'), { body: { config: { channel_ids: [channel] } } })
    expect(await rested(server, id)).toMatchObject({ outcome: 'succeeded', failed: 0 })
    const ask = async (query: string) => {
      const body = { collection_ids: [server.collectionId], query, limit: 1 }
      return (await server.call('POST', '/v1/memories/search', { body })).json.sources[0]
    }
    expect(await ask('who keeps the spare key')).toMatchObject({
      ...{ text: expect.stringContaining('Ines'), title: 'ferry.txt' },
      metadata: { source: 'cloud_drive' }
    })
    expect(await ask('where does the heron nest')).toMatchObject({
      ...{ text: expect.stringContaining('heron'), speaker: expect.any(String) },
      metadata: { source: 'team_chat' }
    })
    expect(folder).not.toBe('')
  })
}

const within = (levels: number, text: string) => `${'<div>'.repeat(levels)}${text}${'</div>'.repeat(levels)}`

function cutTests(start: Start): void {
  syncTest(start, 'syncs the beginning of an oversized item, and reports it in item and run', async (server) => {
    const { id, folder } = await syncedDrive(server, { 'a.txt': FERRY })
    const page = {
      parent: folder,
      name: 'deep.html',
      mimeType: 'text/html',
      text: `<p>The tent is blue.</p>${within(300, COAT)}`
    }
    const { id: item } = await change(server, 'cloud_drive.add_file', page)
    const why = 'only its beginning was read: it exceeds the limit of text, pages, rows or levels'
    expect(await synced(server, id)).toMatchObject({
      ...{ outcome: 'succeeded', created: 1, failed: 0, skipped: 0 },
      reasons: [{ reason: why, count: 1 }]
    })
    expect((await itemsOf(server, id)).find((one: { id: string }) => one.id === item)).toMatchObject({
      ...{ status: 'synced', error: why, memories: 1, tries: 0 }
    })
    expect((await remembered(server)).texts).toEqual([FERRY, 'The tent is blue.'])
    await change(server, 'cloud_drive.edit_file', { id: item, text: `<p>The tent is blue.</p>${within(3, COAT)}` })
    expect(await synced(server, id)).toMatchObject({ updated: 1, reasons: [] })
    expect((await itemsOf(server, id)).every(({ error }: { error: string | null }) => error === null)).toBe(true)
  })

  syncTest(start, 'reports a truncated mail', async (server) => {
    const id = await connect(server, 'mailbox')
    await rested(server, id)
    const html = `<p>The tent is blue.</p>${within(300, COAT)}`
    await change(server, 'mailbox.receive', { from: 'kim@example.org', subject: 'Deep', html })
    const why = 'only its beginning was read: it exceeds the limit of text or levels of a mail'
    expect(await synced(server, id)).toMatchObject({ created: 1, reasons: [{ reason: why, count: 1 }] })
  })
}

import { expect } from 'vitest'
import { connect, consent } from './consent-kit.ts'
import type { TestServer } from './server-kit.ts'
import type { Start } from './server-test.ts'
import {
  at,
  change,
  connectionOf,
  folderWith,
  itemsOf,
  remembered,
  rested,
  type SyncServer,
  synced,
  syncedDrive,
  syncTest
} from './sync-kit.ts'

/** Tests selections that the account does not have, or no longer has. */
export function syncSelectionSuite(start: Start): void {
  folderTests(start)
  channelTests(start)
  nameTests(start)
}

const FERRY = 'The ferry leaves at nine.'
const COAT = 'Bring a coat.'

const select = async (server: SyncServer, id: string, config: Record<string, string[]>) => {
  const { status } = await server.call('PATCH', at(id, 'config'), { body: { config } })
  expect(status).toBe(200)
  return await rested(server, id)
}

const texts = async (server: TestServer) => (await remembered(server)).texts

function folderTests(start: Start): void {
  syncTest(start, 'deletes nothing for a selection without existing folders, and reports it', async (server) => {
    const { id, folder } = await syncedDrive(server, { 'a.txt': FERRY, 'b.txt': COAT })
    const before = await connectionOf(server, id)
    const run = await select(server, id, { folder_ids: [`${folder}x`] })
    expect(run).toMatchObject({ outcome: 'failed', deleted: 0, skipped: 1, error: expect.stringContaining(folder) })
    expect(await texts(server)).toEqual([COAT, FERRY])
    const after = await connectionOf(server, id)
    expect(after).toMatchObject({ health: 'error', items_synced: 2, last_synced_at: before.last_synced_at })
    expect(after.last_error).toContain('nothing in the selection can be synced, so nothing was changed')
    expect(after.last_error).toContain(`memctl connections config ${id}`)
    expect(await synced(server, id)).toMatchObject({ outcome: 'failed', deleted: 0 })
    expect(await texts(server)).toEqual([COAT, FERRY])
    expect(await select(server, id, { folder_ids: [folder] })).toMatchObject({ outcome: 'succeeded', unchanged: 2 })
    expect(await connectionOf(server, id)).toMatchObject({ health: 'ok', last_error: null, items_synced: 2 })
    expect(await itemsOf(server, id, '&status=skipped')).toEqual([])
  })

  syncTest(start, 'reports an id that was chosen at connect and does not exist as an error', async (server) => {
    const id = await connect(server, 'cloud_drive', { config: { folder_ids: ['nowhere'] } })
    expect(await rested(server, id)).toMatchObject({ outcome: 'failed' })
    expect(await connectionOf(server, id)).toMatchObject({ health: 'error', last_synced_at: null })
  })

  syncTest(start, 'reports a missing folder of two, and syncs the other one', async (server) => {
    const { id, folder } = await syncedDrive(server, { 'a.txt': FERRY })
    const run = await select(server, id, { folder_ids: [folder, 'nowhere'] })
    const why = 'selected but not found: it was deleted, is in the trash, or does not belong to this account'
    expect(run).toMatchObject({ outcome: 'partial', skipped: 1, reasons: [{ reason: why, count: 1 }] })
    expect(await itemsOf(server, id, '&status=skipped')).toMatchObject([{ id: 'nowhere', error: why }])
    const { health, last_error, last_synced_at } = await connectionOf(server, id)
    expect([health, last_synced_at !== null, last_error]).toEqual([
      'error',
      true,
      `1 of the 2 selected is not synced: nowhere (${why}); change the selection with memctl connections config ${id}`
    ])
    expect(await select(server, id, { folder_ids: [folder] })).toMatchObject({ outcome: 'succeeded' })
    expect(await itemsOf(server, id, '&status=skipped')).toEqual([])
  })

  syncTest(start, 'reports a folder that is deleted at the provider until it is back', async (server) => {
    const { id, folder } = await syncedDrive(server, { 'a.txt': FERRY })
    const other = await folderWith(server, { 'b.txt': COAT })
    await select(server, id, { folder_ids: [folder, other.folder] })
    await change(server, 'cloud_drive.trash', { id: folder })
    expect(await synced(server, id)).toMatchObject({ outcome: 'partial', deleted: 1, skipped: 1 })
    expect(await texts(server)).toEqual([COAT])
    expect(await synced(server, id)).toMatchObject({ outcome: 'partial', deleted: 0 })
    expect((await connectionOf(server, id)).last_error).toContain(folder)
    await change(server, 'cloud_drive.trash', { id: folder, trashed: false })
    expect(await synced(server, id)).toMatchObject({ outcome: 'succeeded', created: 1 })
    expect(await connectionOf(server, id)).toMatchObject({ health: 'ok', last_error: null, items_synced: 2 })
  })

  syncTest(start, 'fails a sync of the folder id root, under which nothing is listed', async (server) => {
    const { id } = await syncedDrive(server, { 'a.txt': FERRY })
    expect(await select(server, id, { folder_ids: ['root'] })).toMatchObject({ outcome: 'failed', deleted: 0 })
  })
}

function channelTests(start: Start): void {
  syncTest(start, 'deletes nothing for an unknown channel, and reports it', async (server) => {
    const id = await connect(server, 'team_chat')
    const [{ id: channel }] = (await server.call('GET', at(id, 'channels'))).json
    await change(server, 'team_chat.post', { channel, text: FERRY })
    await select(server, id, { channel_ids: [channel] })
    const before = await texts(server)
    const run = await select(server, id, { channel_ids: ['C0000000000'] })
    expect(run).toMatchObject({ outcome: 'failed', deleted: 0, error: expect.stringContaining('C0000000000') })
    expect(await texts(server)).toEqual(before)
    expect(await select(server, id, { channel_ids: [channel] })).toMatchObject({ outcome: 'succeeded', created: 0 })
    expect(await texts(server)).toEqual(before)
    expect(await itemsOf(server, id, '&status=skipped')).not.toContainEqual(
      expect.objectContaining({ id: 'C0000000000' })
    )
  })

  syncTest(start, 'reports a channel that the user was removed from until they are back', async (server) => {
    const id = await connect(server, 'team_chat')
    const channels = (await server.call('GET', at(id, 'channels'))).json
    const hidden = channels.find((one: { is_private: boolean }) => one.is_private).id
    const open = channels.find((one: { is_private: boolean }) => !one.is_private).id
    await select(server, id, { channel_ids: [open, hidden] })
    const { items_synced } = await connectionOf(server, id)
    await change(server, 'team_chat.kick', { channel: hidden })
    expect(await synced(server, id)).toMatchObject({ outcome: 'partial', skipped: expect.any(Number) })
    const broken = await connectionOf(server, id)
    expect([broken.health, broken.items_synced < items_synced]).toEqual(['error', true])
    expect(broken.last_error).toContain(`${hidden} (selected but not found`)
    await change(server, 'team_chat.invite', { channel: hidden })
    expect(await synced(server, id)).toMatchObject({ outcome: 'succeeded' })
    expect(await connectionOf(server, id)).toMatchObject({ health: 'ok', last_error: null, items_synced })
  })
}

/** Returns the names of the account and the selection, which are only in replies to requests for them. */
async function namesOf(server: TestServer, id: string) {
  expect(Object.keys(await connectionOf(server, id))).toHaveLength(13)
  const { json } = await server.call('GET', `${at(id)}?include=names`)
  return { account: json.account_name, selection: json.selection }
}

function nameTests(start: Start): void {
  syncTest(
    start,
    'learns the names of selected folders from a sync, and their new names from the next',
    async (server) => {
      const { folder } = await folderWith(server, { 'a.txt': FERRY })
      const id = await connect(server, 'cloud_drive', { config: { folder_ids: [folder] } })
      await rested(server, id)
      const named = { id: folder, name: 'made for the test' }
      expect(await namesOf(server, id)).toEqual({ account: expect.stringContaining('@'), selection: [named] })
      await change(server, 'cloud_drive.rename', { id: folder, name: 'Field reports' })
      await synced(server, id)
      expect((await namesOf(server, id)).selection).toEqual([{ ...named, name: 'Field reports' }])
      const { page } = await consent(server, 'cloud_drive')
      expect(page.html).toContain('<dt>Folders</dt><dd><bdi>Field reports</bdi></dd>')
    }
  )

  syncTest(
    start,
    'learns the names of selected channels from a sync, and their new names from the next',
    async (server) => {
      const id = await connect(server, 'team_chat')
      const channels = (await server.call('GET', at(id, 'channels'))).json as { id: string; name: string }[]
      const chosen = channels.slice(0, 2).map(({ id, name }) => ({ id, name }))
      await select(server, id, { channel_ids: chosen.map(({ id }) => id) })
      expect((await namesOf(server, id)).selection).toEqual(chosen)
      const [first, second] = chosen
      await change(server, 'team_chat.rename', { channel: first?.id, name: 'harbour' })
      await synced(server, id)
      expect((await namesOf(server, id)).selection).toEqual([{ ...first, name: 'harbour' }, second])
    }
  )
}

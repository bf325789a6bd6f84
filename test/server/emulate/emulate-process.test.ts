import { expect, test } from 'vitest'
import { at, connectionOf, remembered } from '../end-to-end/sync-kit.ts'
import { answerConsent, changeAt, connectAt, rested, startEmulated, synced, WRITER } from './emulate-kit.ts'

/**
 * Connects a server to emulators of Google and Slack that others wrote (https://github.com/vercel-labs/emulate), through the
 * addresses in its settings alone.
 */

test('connects a drive, picks a folder, and syncs new, edited, renamed and deleted files', async () => {
  const server = await startEmulated()
  const write = (path: string, more: { method?: string; json?: unknown; text?: string }) =>
    changeAt(server.google, WRITER.google, { path, ...more })
  const id = await connectAt(server, 'cloud_drive')
  expect(await connectionOf(server, id)).toMatchObject({ status: 'pending', provider: 'cloud_drive' })
  const folders = (await server.call('GET', at(id, 'folders'))).json
  expect(folders).toMatchObject([{ id: 'reports', name: 'Reports', is_selected: false }])
  await server.call('PATCH', at(id, 'config'), { body: { config: { folder_ids: ['reports'] } } })
  expect(await rested(server, id)).toMatchObject({ outcome: 'succeeded', created: 1 })
  expect((await remembered(server)).texts).toEqual(['The buoy is red.'])
  const named = (await server.call('GET', `${at(id)}?include=names`)).json
  expect(named).toMatchObject({ account_name: 'ada@example.com', selection: [{ id: 'reports', name: 'Reports' }] })

  const file = { name: 'tide.txt', mimeType: 'text/plain', parents: ['reports'] }
  const { id: tide } = await write('/drive/v3/files', { json: file })
  await write(`/upload/drive/v3/files/${tide}?uploadType=media`, { method: 'PATCH', text: 'High tide is at six.' })
  expect(await synced(server, id)).toMatchObject({ outcome: 'succeeded', created: 1, unchanged: 0 })
  await write('/upload/drive/v3/files/buoy?uploadType=media', { method: 'PATCH', text: 'The buoy is green.' })
  expect(await synced(server, id)).toMatchObject({ outcome: 'succeeded', updated: 1 })
  expect((await remembered(server)).texts).toEqual(['High tide is at six.', 'The buoy is green.'])
  await write(`/drive/v3/files/${tide}`, { method: 'DELETE' })
  expect(await synced(server, id)).toMatchObject({ outcome: 'succeeded', deleted: 1 })
  expect((await remembered(server)).texts).toEqual(['The buoy is green.'])

  const { status, json } = await server.call('DELETE', `${at(id)}?delete_memories=true`)
  expect({ status, warnings: json.warnings }).toEqual({ status: 200, warnings: [] })
  expect((await remembered(server)).texts).toEqual([])
})

test('connects a mailbox, and syncs new, discarded, restored and deleted mail', async () => {
  const server = await startEmulated()
  const write = (path: string, json?: unknown) => changeAt(server.google, WRITER.google, { path, json })
  const id = await connectAt(server, 'mailbox')
  expect(await rested(server, id)).toMatchObject({ outcome: 'succeeded', created: 1 })
  const texts = async () => (await remembered(server)).texts.join('\n')
  expect(await texts()).toContain('The ferry leaves at nine.')

  const mail = ['From: ben@example.com', 'To: ada@example.com', 'Subject: Coat', '', 'Bring a coat.'].join('\r\n')
  const raw = Buffer.from(mail).toString('base64url')
  const { id: coat } = await write('/gmail/v1/users/me/messages', { raw, labelIds: ['INBOX'] })
  expect(await synced(server, id)).toMatchObject({ outcome: 'succeeded', created: 1 })
  expect(await texts()).toContain('Bring a coat.')
  await write(`/gmail/v1/users/me/messages/${coat}/trash`)
  expect(await synced(server, id)).toMatchObject({ outcome: 'succeeded', deleted: 1 })
  expect(await texts()).not.toContain('Bring a coat.')
  await write(`/gmail/v1/users/me/messages/${coat}/untrash`)
  expect(await synced(server, id)).toMatchObject({ outcome: 'succeeded', created: 1 })
  await changeAt(server.google, WRITER.google, { path: '/gmail/v1/users/me/messages/mail1', method: 'DELETE' })
  expect(await synced(server, id)).toMatchObject({ outcome: 'succeeded', deleted: 1 })
  expect(await texts()).not.toContain('The ferry leaves at nine.')

  expect((await server.call('DELETE', at(id))).json.warnings).toEqual([])
  expect(await texts()).toContain('Bring a coat.')
})

test('connects a workspace, picks a channel, and syncs new, edited and deleted messages and replies', async () => {
  const server = await startEmulated()
  const write = (method: string, json: unknown) =>
    changeAt(server.slack, WRITER.slack, { path: `/api/${method}`, json })
  const id = await connectAt(server, 'team_chat')
  const channels = (await server.call('GET', at(id, 'channels'))).json as { id: string; name: string }[]
  const { id: channel = '' } = channels.find(({ name }) => name === 'harbour') ?? {}
  const ferry = await write('chat.postMessage', { channel, text: 'The ferry leaves at nine.' })
  await server.call('PATCH', at(id, 'config'), { body: { config: { channel_ids: [channel] } } })
  expect(await rested(server, id)).toMatchObject({ outcome: 'succeeded', created: 1 })
  expect((await remembered(server)).texts).toEqual(['The ferry leaves at nine.'])
  const named = (await server.call('GET', `${at(id)}?include=names`)).json
  expect(named).toMatchObject({ account_name: 'ada @ Emulate', selection: [{ id: channel, name: 'harbour' }] })

  const coat = await write('chat.postMessage', { channel, text: 'Bring a coat.' })
  await write('chat.postMessage', { channel, text: 'And a hat.', thread_ts: ferry.ts })
  expect(await synced(server, id)).toMatchObject({ outcome: 'succeeded' })
  expect((await remembered(server)).texts).toEqual(['And a hat.', 'Bring a coat.', 'The ferry leaves at nine.'])
  await write('chat.update', { channel, ts: ferry.ts, text: 'The ferry leaves at ten.' })
  await write('chat.delete', { channel, ts: coat.ts })
  expect(await synced(server, id)).toMatchObject({ outcome: 'succeeded' })
  expect((await remembered(server)).texts).toEqual(['And a hat.', 'The ferry leaves at ten.'])

  const { json } = await server.call('DELETE', `${at(id)}?delete_memories=true`)
  expect(json.warnings).toEqual([])
  expect((await remembered(server)).texts).toEqual([])
})

test('an error page names the URL that answered, and its status', async () => {
  const server = await startEmulated(({ google }) => ({
    MEMCTL_CLOUD_DRIVE_API_URL: `${google}/elsewhere`,
    MEMCTL_MAILBOX_TOKEN_URL: `${google}/nowhere`
  }))
  const drive = await answerConsent(server, 'cloud_drive')
  expect(drive.page.html).toContain(
    `The account: the response of GET ${server.google}/elsewhere/drive/v3/about is not from Google Drive (404).`
  )
  const mailbox = await answerConsent(server, 'mailbox')
  expect(mailbox.page.html).toContain(`The token endpoint of Gmail (${server.google}/nowhere)`)
})

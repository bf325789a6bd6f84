import { expect, test } from 'vitest'
import type { FolderEntry, ProviderCall } from '../../../server/providers/port/provider.ts'
import { type FailureKind, ProviderFailure } from '../../../server/providers/port/provider-failure.ts'
import { toMillis } from '../../../src/contract/epoch-ms.ts'
import type { FaultCode } from '../../../src/contract/faults.ts'
import { idAt } from '../../suites/storage-place.ts'
import { type ConnectionsKit, connectionsKit } from './connections-kit.ts'

const signal = new AbortController().signal
const top = { parentId: undefined, signal }

const NAMES = ['Reports', 'archive', '\u202etxt.exe\u001b[2J', 'x'.repeat(10_000)]

async function* folders(_call: ProviderCall, parentId: string | undefined): AsyncIterable<FolderEntry[]> {
  const under = parentId === undefined ? '' : `${parentId}/`
  for (const [at, name] of NAMES.entries()) yield [{ id: `f${at}`, name: `${under}${name}`, hasChildren: at === 0 }]
}

async function* channels() {
  yield [{ id: 'C2', name: 'random', isPrivate: false, members: 3 }]
  yield [{ id: 'G1', name: 'board', isPrivate: true, members: 2 }]
}

test('shows which folders are selected, and returns names unchanged', async () => {
  const { connections, connect } = await connectionsKit({ browsing: { folders } })
  const { id } = await connect(1, 'cloud_drive')
  await connections.configure(id, { apply: 'full_resync', folder_ids: ['f1', 'elsewhere'] })
  const listed = await connections.folders(id, top)
  expect(listed.map(({ name }) => name).sort()).toEqual([...NAMES].sort())
  expect(listed.filter(({ is_selected }) => is_selected).map((one) => one.id)).toEqual(['f1'])
  expect(listed.find((one) => one.id === 'f0')).toEqual({
    id: 'f0',
    name: 'Reports',
    has_children: true,
    is_selected: false
  })
})

test('lists the children of the named folder with the credentials of the account', async () => {
  const calls: ProviderCall[] = []
  const noting = (call: ProviderCall, parentId: string | undefined) => {
    calls.push(call)
    return folders(call, parentId)
  }
  const { connections, connect } = await connectionsKit({ browsing: { folders: noting } })
  const { id, credentialId } = await connect(1, 'cloud_drive')
  const listed = await connections.folders(id, { parentId: 'f0', signal })
  expect(listed.every(({ name }) => name.startsWith('f0/'))).toBe(true)
  const [call] = calls
  expect(await (await call?.fetch(new Request('https://api.test')))?.text()).toBe(credentialId)
  expect(call?.apiUrl).toBe('https://api.test')
})

test('lists channels with their members, by name', async () => {
  const { connections, connect } = await connectionsKit({ browsing: { channels } })
  const { id } = await connect(1, 'team_chat')
  await connections.configure(id, { apply: 'full_resync', channel_ids: ['C2'] })
  expect(await connections.channels(id, { signal })).toEqual([
    { id: 'G1', name: 'board', is_private: true, num_members: 2, is_selected: false },
    { id: 'C2', name: 'random', is_private: false, num_members: 3, is_selected: true }
  ])
})

test('refuses to list folders or channels of a provider that has none', async () => {
  const chat = await connectionsKit({ browsing: { channels } })
  const { id } = await chat.connect(1, 'team_chat')
  await expect(chat.connections.folders(id, top)).rejects.toMatchObject({
    code: 'usage',
    hint: `list its channels: memctl connections channels ${id}`
  })
  const drive = await connectionsKit({ browsing: { folders } })
  const { id: other } = await drive.connect(1, 'cloud_drive')
  await expect(drive.connections.channels(other, { signal })).rejects.toMatchObject({
    code: 'usage',
    hint: `list its folders: memctl connections folders ${other}`
  })
  const mail = await connectionsKit({ browsing: {} })
  const { id: third } = await mail.connect(1, 'mailbox')
  await expect(mail.connections.folders(third, top)).rejects.toMatchObject({
    hint: `the whole account is synced: memctl connections show ${third}`
  })
})

test('refuses to browse a connection that is revoked or whose provider is disabled', async () => {
  const kit = await connectionsKit({ browsing: { folders }, enabled: ['cloud_drive'] })
  const { id } = await kit.connect(1, 'cloud_drive')
  const { id: chat } = await kit.connect(2, 'team_chat')
  await expect(kit.connections.channels(chat, { signal })).rejects.toMatchObject({ code: 'not_found' })
  await kit.connections.disconnect(id, { byQuery: undefined, byBody: undefined })
  await expect(kit.connections.folders(id, top)).rejects.toMatchObject({ code: 'conflict' })
})

/** The fault for each provider failure, with the seconds of Retry-After. */
const FAULTS: Readonly<Record<FailureKind, readonly [FaultCode, number?]>> = {
  auth_expired: ['provider_refused'],
  grant_dead: ['provider_refused'],
  scope_missing: ['provider_refused'],
  rate_limited: ['rate_limited', 60],
  transient: ['provider_failed', 8],
  item_gone: ['not_found'],
  item_permanent: ['invalid_input'],
  cursor_invalid: ['provider_failed'],
  contract_broken: ['provider_failed']
}

async function* brokenOff(thrown: Error): AsyncIterable<FolderEntry[]> {
  yield []
  throw thrown
}

async function failing(failure: ProviderFailure): Promise<ConnectionsKit & { id: string }> {
  const kit = await connectionsKit({ browsing: { folders: () => brokenOff(failure) } })
  const { id } = await kit.connect(1, 'cloud_drive', 'active')
  return { ...kit, id }
}

test.each(Object.keys(FAULTS) as FailureKind[])('turns %s of the provider into a fault with a hint', async (kind) => {
  const details = kind === 'transient' ? { retryAfterMs: toMillis(7500) } : {}
  const { connections, id } = await failing(new ProviderFailure(kind, 'it went wrong', details))
  const [code, retryAfter] = FAULTS[kind]
  await expect(connections.folders(id, top)).rejects.toMatchObject({
    code,
    retryAfter,
    message: 'it went wrong',
    hint: expect.stringMatching(/^memctl |again|Retry-After/)
  })
})

test('shows a dead grant with its fix at the connection', async () => {
  const { connections, id } = await failing(new ProviderFailure('grant_dead', 'the grant is over'))
  await expect(connections.folders(id, top)).rejects.toMatchObject({ code: 'provider_refused' })
  const { status, health, last_error } = await connections.get(id)
  expect([status, health]).toEqual(['active', 'error'])
  const command = `memctl connect cloud_drive -c ${idAt(1)}`
  expect(last_error).toBe(
    `cloud_drive (made up) no longer accepts the stored credentials, the grant is over: connect the account again with ${command}`
  )
})

test('names the own collection of each connection in an error noted for all of a grant', async () => {
  const said = 'Drive says no: connect the account again with memctl connect cloud_drive -c <collection>'
  const { connections, id } = await failing(new ProviderFailure('grant_dead', said))
  const words = said.replace('<collection>', idAt(1))
  await expect(connections.folders(id, top)).rejects.toMatchObject({ message: words })
  expect(await connections.get(id)).toMatchObject({ last_error: words, error_detail: { message: words } })
})

test('passes on an error that is not a provider failure', async () => {
  const list = () => brokenOff(new TypeError('a bug'))
  const { connections, connect } = await connectionsKit({ browsing: { folders: list } })
  const { id } = await connect(1, 'cloud_drive')
  await expect(connections.folders(id, top)).rejects.toThrow(TypeError)
})

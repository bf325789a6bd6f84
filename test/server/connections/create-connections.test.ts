import { expect, test } from 'vitest'
import type { DisconnectAsked } from '../../../server/connections/connections.ts'
import { toEpochMs } from '../../../src/contract/epoch-ms.ts'
import type { Fault } from '../../../src/contract/faults.ts'
import { newAttempt } from '../../suites/storage-connector-things.ts'
import { idAt, newCollection } from '../../suites/storage-place.ts'
import { START } from '../http/manual-clock.ts'
import { connectionsKit } from './connections-kit.ts'

const NOWHERE = idAt(999)
const KEPT: DisconnectAsked = { byQuery: undefined, byBody: undefined }
const FULL = { apply: 'full_resync' }

const coded = (code: string, message = /./) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) }) as Fault

test('begins a consent for the calling key with the selection chosen in advance', async () => {
  const { connections, begun } = await connectionsKit()
  const asked = { provider: 'cloud_drive', collectionId: idAt(1), keyId: idAt(1) }
  const begin = await connections.begin({ ...asked, config: { folder_ids: ['b', 'a', 'b'] } })
  expect(begin).toEqual({ auth_url: 'https://provider.test/consent', state: 'a state' })
  await connections.begin({ ...asked, config: undefined })
  expect(begun).toEqual([
    { ...asked, config: { folder_ids: ['b', 'a'] } },
    { ...asked, config: {} }
  ])
})

test('refuses a consent for an unknown or disabled provider, or with an invalid config', async () => {
  const { connections, begun } = await connectionsKit({ enabled: ['team_chat', 'mailbox'] })
  const asked = { collectionId: idAt(1), keyId: idAt(1), config: undefined }
  for (const provider of ['cloud_drive', 'ftp', '__proto__', 'constructor'])
    await expect(connections.begin({ ...asked, provider })).rejects.toThrow(coded('not_found', /not enabled/))
  const config = { folder_ids: ['a'] }
  await expect(connections.begin({ ...asked, provider: 'mailbox', config })).rejects.toThrow(coded('usage'))
  await expect(connections.begin({ ...asked, provider: 'team_chat', config })).rejects.toThrow(coded('invalid_input'))
  expect(begun).toEqual([])
})

test('refuses to link an account to an ephemeral collection', async () => {
  const { connections, storage, begun } = await connectionsKit()
  await storage.createCollection({ ...newCollection(9), expiresAt: toEpochMs(START + 1000), ownerKeyId: idAt(1) })
  const asked = { provider: 'mailbox', collectionId: idAt(9), keyId: idAt(1), config: undefined }
  await expect(connections.begin(asked)).rejects.toThrow(coded('conflict', /ephemeral/))
  expect(begun).toEqual([])
})

test('returns the thirteen fields of the interface', async () => {
  const { connections, connect } = await connectionsKit()
  const { id } = await connect(1, 'mailbox', 'active')
  expect(await connections.get(id)).toEqual({
    id,
    provider: 'mailbox',
    external_account_id: 'ada',
    status: 'active',
    collection_id: idAt(1),
    items_synced: 0,
    last_synced_at: null,
    last_error: null,
    config: {},
    created_at: '1970-01-01T00:00:01.001Z',
    health: 'ok',
    error_detail: null,
    next_sync_at: '1970-01-01T00:00:01.001Z'
  })
})

test('shows health only for active connections, with the error and whether it is temporary', async () => {
  const { connections, connect, storage } = await connectionsKit()
  const [pending, active] = [await connect(1, 'cloud_drive'), await connect(2, 'mailbox', 'active')]
  expect(await connections.get(pending.id)).toMatchObject({ health: null, next_sync_at: null, error_detail: null })
  await storage.noteError(active.id, 'the grant is over')
  expect(await connections.get(active.id)).toMatchObject({
    health: 'error',
    last_error: 'the grant is over',
    error_detail: { message: 'the grant is over', retryable: true }
  })
  await connections.disconnect(active.id, KEPT)
  expect(await connections.get(active.id)).toMatchObject({ status: 'revoked', health: null, next_sync_at: null })
})

test('lists connections oldest first, without revoked ones', async () => {
  const { connections, connect } = await connectionsKit()
  const made = [
    await connect(1, 'notes', 'active'),
    await connect(2, 'mailbox', 'active'),
    await connect(3, 'team_chat')
  ]
  await connections.disconnect(made[1]?.id ?? '', KEPT)
  const listed = await connections.list(idAt(1))
  expect(listed.map(({ id }) => id)).toEqual([made[0]?.id, made[2]?.id])
  expect(await connections.list(idAt(2))).toEqual([])
})

test('activates a pending connection with its first selection, and resets the cursor with each later one', async () => {
  const { connections, connect, storage } = await connectionsKit()
  const { id, cursorGeneration } = await connect(1, 'cloud_drive')
  const first = await connections.configure(id, { ...FULL, config: { folder_ids: ['a'] } })
  expect(first).toMatchObject({ status: 'active', config: { folder_ids: ['a'] }, health: 'ok' })
  const same = await connections.configure(id, { ...FULL, folder_ids: ['a'] })
  expect(same).toEqual(first)
  expect((await storage.findConnection(id))?.cursorGeneration).toBe(cursorGeneration + 2)
})

test('accepts one of several simultaneous config updates, and rejects the others', async () => {
  const { connections, connect } = await connectionsKit()
  const { id } = await connect(1, 'cloud_drive')
  const updates = ['a', 'b', 'c'].map((folder) => connections.configure(id, { ...FULL, folder_ids: [folder] }))
  const settled = await Promise.allSettled(updates)
  const lost = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as Fault] : []))
  expect(lost.length).toBe(2)
  for (const fault of lost)
    expect([fault.code, fault.message]).toEqual(['conflict', expect.stringContaining('same time')])
  const won = settled.find((one) => one.status === 'fulfilled')
  expect((await connections.get(id)).config).toEqual(won?.value.config)
})

test('rejects a config for a connection that is revoked, unknown or without a selection', async () => {
  const { connections, connect } = await connectionsKit()
  const [drive, mailbox] = [await connect(1, 'cloud_drive'), await connect(2, 'mailbox', 'active')]
  await expect(connections.configure(mailbox.id, { ...FULL, config: {} })).rejects.toThrow(coded('usage', /mailbox/))
  await connections.disconnect(drive.id, KEPT)
  const late = connections.configure(drive.id, { ...FULL, folder_ids: ['a'] })
  await expect(late).rejects.toThrow(coded('conflict', /revoked/))
  await expect(connections.configure(NOWHERE, { ...FULL, folder_ids: ['a'] })).rejects.toThrow(coded('not_found'))
})

test('accepts ids of real drives if the admin allows them', async () => {
  const { connections, connect } = await connectionsKit({ driveIds: true })
  const { id } = await connect(1, 'cloud_drive')
  const made = await connections.configure(id, { ...FULL, folder_ids: ['1-_x'] })
  expect(made.config).toEqual({ folder_ids: ['1-_x'] })
})

test('revokes the grant once, and accepts a second disconnect', async () => {
  const { connections, connect, revoked, log } = await connectionsKit()
  const { id, credentialId } = await connect(1, 'mailbox', 'active')
  const done = { message: `Connection ${id} disconnected`, warnings: [] }
  expect(await connections.disconnect(id, KEPT)).toEqual(done)
  expect(await connections.disconnect(id, { byQuery: true, byBody: true })).toEqual(done)
  expect(revoked.map((credential) => credential.id)).toEqual([credentialId])
  expect(log.map(({ message }) => message)).toEqual(['revoked a grant at its provider'])
  await expect(connections.disconnect(NOWHERE, KEPT)).rejects.toThrow(coded('not_found', /does not exist/))
})

test('rejects a query and a body that contradict each other about memories', async () => {
  const { connections, connect, storage } = await connectionsKit()
  const { id } = await connect(1, 'mailbox', 'active')
  for (const byQuery of [true, false])
    await expect(connections.disconnect(id, { byQuery, byBody: !byQuery })).rejects.toThrow(coded('invalid_input'))
  expect((await storage.findConnection(id))?.status).toBe('active')
})

test('disconnects without delay if the provider does not respond', async () => {
  const hung = await connectionsKit({ revoke: () => new Promise(() => undefined) })
  const { id } = await hung.connect(1, 'mailbox', 'active')
  const ended = hung.connections.disconnect(id, KEPT)
  while (hung.clock.waiting() === 0) await new Promise((resolve) => setImmediate(resolve))
  await hung.clock.pass(10_000)
  expect((await ended).warnings).toEqual([])
  expect(hung.log[0]?.message).toContain('could not revoke a grant')
})

test('shows an attempt in its current state, and as expired after its time', async () => {
  const { connections, storage } = await connectionsKit()
  const times = { createdAt: toEpochMs(START), expiresAt: toEpochMs(START + 1000) }
  await storage.createAttempt(newAttempt('one', times))
  expect(await connections.attempt('one')).toEqual({ status: 'waiting', connection_id: null, detail: null })
  await storage.createAttempt(newAttempt('two', { createdAt: toEpochMs(START - 9), expiresAt: toEpochMs(START) }))
  expect(await connections.attempt('two')).toMatchObject({
    status: 'expired',
    detail: expect.stringContaining('again')
  })
  await storage.endAttempt('one', { status: 'denied', detail: 'the person said no', now: toEpochMs(START) })
  expect(await connections.attempt('one')).toEqual({
    status: 'denied',
    connection_id: null,
    detail: 'the person said no'
  })
  await expect(connections.attempt('three')).rejects.toThrow(coded('not_found'))
  expect([await connections.collectionOfAttempt('one'), await connections.collectionOfAttempt('x')]).toEqual([
    idAt(1),
    undefined
  ])
})

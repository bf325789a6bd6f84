import { expect } from 'vitest'
import { toEpochMs } from '../../src/contract/epoch-ms.ts'
import {
  connected,
  consent,
  credentialOf,
  HOSTILE_TEXTS,
  made,
  newAttempt,
  ready,
  sealed
} from './storage-connector-things.ts'
import { idAt, newKey, type StorageTests } from './storage-place.ts'

/** Tests the connection of a consent, and its changes. */
export const CONNECTION_TESTS: StorageTests = {
  'creates a connection with its credential from a consent, and ends the attempt': async (open) => {
    const storage = await ready(open)
    await storage.createAttempt(newAttempt('a', { config: { folder_ids: ['f1'] } }))
    await storage.useAttempt('a', toEpochMs(1500))
    const completion = await storage.completeAttempt('a', made(1, 'ada', { status: 'active' }))
    const connection = {
      id: idAt(101),
      provider: 'cloud_drive',
      collectionId: idAt(1),
      accountId: 'ada',
      accountName: 'ada@example.com',
      status: 'active',
      config: { folder_ids: ['f1'] },
      credentialId: 'credential-1',
      lastError: undefined,
      createdAt: 1001,
      version: 1,
      cursorGeneration: 1,
      itemsSynced: 0,
      lastSyncedAt: undefined,
      nextRunAt: 1001
    }
    expect(completion).toEqual({ outcome: 'created', connection, replaced: undefined })
    expect([await storage.findConnection(idAt(101)), await storage.listConnectionsInCollection(idAt(1))]).toEqual([
      connection,
      [connection]
    ])
    expect(await storage.findCredential('credential-1')).toEqual(credentialOf(1))
    const attempt = await storage.findAttempt('a')
    expect(attempt).toMatchObject({ status: 'completed', connectionId: idAt(101), endedAt: 1001 })
    expect(attempt?.verifier).toBeUndefined()
  },

  'renews the credential at a second consent, and keeps id, status, config and creation time': async (open) => {
    const storage = await ready(open)
    const first = await connected(storage, 1)
    await storage.updateConnection(first.id, {
      version: 1,
      config: { folder_ids: ['f'] },
      status: 'active',
      now: toEpochMs(5)
    })
    await storage.noteError(first.id, 'the grant is over')
    const account = { id: 'ada', name: 'Ada' }
    const again = await consent(storage, 2, { account, status: 'pending' })
    const { createdAt } = first
    const kept = {
      id: first.id,
      status: 'active',
      config: { folder_ids: ['f'] },
      createdAt,
      credentialId: 'credential-1'
    }
    expect(again).toMatchObject({
      outcome: 'renewed',
      connection: { ...kept, lastError: undefined, accountName: 'Ada' },
      replaced: undefined
    })
    expect(await storage.listConnectionsInCollection(idAt(1))).toHaveLength(1)
    expect(await storage.findCredential('credential-1')).toEqual({ ...credentialOf(2), id: 'credential-1' })
    expect(await storage.findAttempt('attempt-2')).toMatchObject({ connectionId: first.id })
  },

  'gives an account in two collections two connections with one credential': async (open) => {
    const storage = await ready(open)
    const [one, two] = [await connected(storage, 1), await connected(storage, 2, { into: 2 })]
    expect([one.id, two.id, two.credentialId]).toEqual([idAt(101), idAt(102), 'credential-1'])
    const account = { provider: 'cloud_drive', clientId: 'client', accountId: 'ada' } as const
    expect(await storage.findCredentialForAccount(account)).toEqual({ ...credentialOf(2), id: 'credential-1' })
    expect(await storage.findCredentialForAccount({ ...account, accountId: 'bob' })).toBeUndefined()
    expect(await storage.findCredentialForAccount({ ...account, provider: 'mailbox' })).toBeUndefined()
  },

  'stores a separate grant for another client, and returns the replaced one': async (open) => {
    const storage = await ready(open)
    await connected(storage, 1)
    const again = await consent(storage, 2, { clientId: 'new client' })
    expect(again).toMatchObject({
      outcome: 'renewed',
      connection: { id: idAt(101), credentialId: 'credential-2' },
      replaced: credentialOf(1)
    })
    expect(await storage.findCredential('credential-1')).toBeUndefined()
  },

  'creates nothing if the attempt has ended or was never used': async (open) => {
    const storage = await ready(open)
    await storage.createAttempt(newAttempt('a'))
    expect(await storage.completeAttempt('a', made(1))).toEqual({ outcome: 'ended' })
    await storage.useAttempt('a', toEpochMs(1500))
    await storage.endAttempt('a', { status: 'expired', detail: 'late', now: toEpochMs(2000) })
    expect(await storage.completeAttempt('a', made(1))).toEqual({ outcome: 'ended' })
    expect(await storage.completeAttempt('unknown', made(1))).toEqual({ outcome: 'ended' })
    expect(await storage.findCredential('credential-1')).toBeUndefined()
  },

  'creates nothing if the collection, the key or the vault key is gone': async (open) => {
    const storage = await ready(open)
    await storage.createKey(newKey(2))
    for (const [id, more] of [
      ['a', { collectionId: idAt(2) }],
      ['b', { keyId: idAt(2) }],
      ['c', {}]
    ] as const) {
      await storage.createAttempt(newAttempt(id, more))
      await storage.useAttempt(id, toEpochMs(1500))
    }
    await storage.deleteCollection(idAt(2))
    await storage.revokeKey(idAt(2))
    const outcomes = [
      await storage.completeAttempt('a', made(1)),
      await storage.completeAttempt('b', made(2)),
      await storage.completeAttempt('c', made(3, 'ada', { secret: sealed('t', 'key-0') }))
    ]
    expect(outcomes).toEqual([{ outcome: 'collection_gone' }, { outcome: 'key_revoked' }, { outcome: 'stale_key' }])
    expect(await storage.listConnectionsInCollection(idAt(1))).toEqual([])
    expect(await storage.completeAttempt('c', made(3))).toMatchObject({ outcome: 'created' })
  },

  'accepts a change unless another was first, and starts a new generation of cursors': async (open) => {
    const storage = await ready(open)
    const { id } = await connected(storage, 1)
    const change = (version: number, folder: string) =>
      storage.updateConnection(id, { version, config: { folder_ids: [folder] }, status: 'active', now: toEpochMs(5) })
    const first = await change(1, 'a')
    expect(first).toMatchObject({ changed: true, connection: { status: 'active', version: 2, cursorGeneration: 2 } })
    expect(await change(1, 'b')).toEqual({ changed: false, connection: first.connection })
    expect(await change(2, 'c')).toMatchObject({ changed: true, connection: { config: { folder_ids: ['c'] } } })
    await storage.revokeConnection(id, toEpochMs(3000))
    expect(await change(4, 'd')).toMatchObject({ changed: false, connection: { status: 'revoked' } })
    const unknown = await storage.updateConnection(idAt(9), {
      version: 1,
      config: {},
      status: 'active',
      now: toEpochMs(5)
    })
    expect(unknown).toEqual({ changed: false, connection: undefined })
  },

  'keeps the last error until it is cleared': async (open) => {
    const storage = await ready(open)
    const { id, version } = await connected(storage, 1)
    await storage.noteError(id, 'no \0 luck')
    expect(await storage.findConnection(id)).toMatchObject({ lastError: 'no \0 luck', version })
    await storage.noteError(id, undefined)
    expect((await storage.findConnection(id))?.lastError).toBeUndefined()
  },

  'lists connections oldest first, without revoked ones': async (open) => {
    const storage = await ready(open)
    for (const n of [3, 1, 2]) await connected(storage, n, { account: { id: `account ${n}`, name: '' } })
    await storage.revokeConnection(idAt(102), toEpochMs(5000))
    expect((await storage.listConnectionsInCollection(idAt(1))).map(({ id }) => id)).toEqual([idAt(101), idAt(103)])
    expect(await storage.listConnectionsInCollection(idAt(2))).toEqual([])
  },

  'returns untrusted names, ids and texts unchanged': async (open) => {
    const storage = await ready(open)
    for (const [n, text] of HOSTILE_TEXTS.entries()) {
      const account = { id: `${n} ${text}`, name: text }
      const connection = await connected(storage, n, { account, clientId: text })
      await storage.noteError(connection.id, text)
      expect(connection).toMatchObject({ accountId: account.id, accountName: text })
      expect(await storage.findConnection(connection.id)).toEqual({ ...connection, lastError: text })
      expect(await storage.findCredential(`credential-${n}`)).toMatchObject({ clientId: text, accountId: account.id })
      expect(await consent(storage, 50 + n, { account, clientId: text })).toMatchObject({ outcome: 'renewed' })
    }
    expect(await storage.listConnectionsInCollection(idAt(1))).toHaveLength(HOSTILE_TEXTS.length)
  }
}

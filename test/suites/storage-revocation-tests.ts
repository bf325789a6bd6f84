import { expect } from 'vitest'
import { toEpochMs } from '../../src/contract/epoch-ms.ts'
import { connected, consent, credentialOf, ready } from './storage-connector-things.ts'
import { idAt, newCollection, type StorageTests } from './storage-place.ts'

/** Tests how connections end, and who gets their unused credentials. */
export const REVOCATION_TESTS: StorageTests = {
  'removes a credential with its last connection, once': async (open) => {
    const storage = await ready(open)
    const { id, ...connection } = await connected(storage, 1)
    const revoked = { ...connection, id, status: 'revoked', credentialId: undefined, version: 2 }
    expect(await storage.revokeConnection(id, toEpochMs(5000))).toEqual({
      connection: revoked,
      credential: credentialOf(1)
    })
    expect(await storage.revokeConnection(id, toEpochMs(6000))).toEqual({ connection: revoked, credential: undefined })
    expect(await storage.findConnection(id)).toEqual(revoked)
    expect(await storage.findCredential('credential-1')).toBeUndefined()
    expect(await storage.revokeConnection(idAt(9), toEpochMs(6000))).toBeUndefined()
  },

  'keeps a credential that another connection uses': async (open) => {
    const storage = await ready(open)
    for (const n of [1, 2]) await connected(storage, n, { into: n })
    expect(await storage.revokeConnection(idAt(101), toEpochMs(5000))).toMatchObject({ credential: undefined })
    expect(await storage.findCredential('credential-1')).toBeDefined()
    expect(await storage.revokeConnection(idAt(102), toEpochMs(5000))).toMatchObject({
      credential: { id: 'credential-1' }
    })
  },

  'creates a new connection at a consent after a disconnect': async (open) => {
    const storage = await ready(open)
    await connected(storage, 1)
    await storage.revokeConnection(idAt(101), toEpochMs(5000))
    expect(await consent(storage, 2)).toMatchObject({ outcome: 'created', connection: { id: idAt(102) } })
    expect(await storage.findConnection(idAt(101))).toMatchObject({ status: 'revoked' })
  },

  'leaves no connections of a deleted collection, and returns its credentials once': async (open) => {
    const storage = await ready(open)
    const bob = { account: { id: 'bob', name: 'Bob' } }
    await connected(storage, 1)
    await connected(storage, 2, { into: 2 })
    await connected(storage, 3, bob)
    await storage.deleteCollection(idAt(1))
    expect([await storage.findConnection(idAt(101)), await storage.listConnectionsInCollection(idAt(1))]).toEqual([
      undefined,
      []
    ])
    expect(await storage.revokeConnection(idAt(101), toEpochMs(9000))).toBeUndefined()
    expect(await storage.findCredentialForAccount(credentialOf(3, 'bob'))).toBeUndefined()
    expect(await storage.takeUnusedCredentials(9)).toEqual([credentialOf(3, 'bob')])
    expect(await storage.takeUnusedCredentials(9)).toEqual([])
    expect(await storage.findCredential('credential-1')).toBeDefined()
    await storage.deleteCollection(idAt(2))
    expect(await storage.takeUnusedCredentials(9)).toMatchObject([{ id: 'credential-1' }])
  },

  'keeps a credential that is used again before it was removed': async (open) => {
    const storage = await ready(open)
    await connected(storage, 1)
    await storage.deleteCollection(idAt(1))
    expect(await connected(storage, 2, { into: 2 })).toMatchObject({ credentialId: 'credential-1' })
    expect(await storage.takeUnusedCredentials(9)).toEqual([])
    expect(await storage.findCredential('credential-1')).toMatchObject({ secret: credentialOf(2).secret })
  },

  'returns unused credentials a few at a time': async (open) => {
    const storage = await ready(open)
    for (const n of [1, 2, 3]) await connected(storage, n, { account: { id: `${n}`, name: '' } })
    await storage.deleteCollection(idAt(1))
    const taken = [await storage.takeUnusedCredentials(2), await storage.takeUnusedCredentials(2)]
    expect(taken.map((list) => list.length)).toEqual([2, 1])
  },

  'returns a credential once when its last two connections end at once': async (open) => {
    const [one, two] = [await ready(open), await open()]
    for (let n = 1; n <= 19; n += 2) {
      await connected(one, n, { into: 1 })
      await connected(one, n + 1, { into: 2 })
      const revoked = await Promise.all([
        one.revokeConnection(idAt(100 + n), toEpochMs(5000)),
        two.revokeConnection(idAt(101 + n), toEpochMs(5000))
      ])
      expect(revoked.filter((answer) => answer?.credential !== undefined)).toHaveLength(1)
    }
  },

  'returns a credential once when one connection is ended twice at once': async (open) => {
    const [one, two] = [await ready(open), await open()]
    await connected(one, 1)
    const revoked = await Promise.all([one, two].map((storage) => storage.revokeConnection(idAt(101), toEpochMs(5000))))
    expect(revoked.map((answer) => answer?.connection.status)).toEqual(['revoked', 'revoked'])
    expect(revoked.filter((answer) => answer?.credential !== undefined)).toHaveLength(1)
  },

  'creates one connection for two simultaneous consents of one account, and renews it': async (open) => {
    const [one, two] = [await ready(open), await open()]
    const completions = await Promise.all([consent(one, 1), consent(two, 2)])
    expect(completions.map(({ outcome }) => outcome).sort()).toEqual(['created', 'renewed'])
    const connections = await one.listConnectionsInCollection(idAt(1))
    expect(connections).toHaveLength(1)
    expect(await one.findCredential(connections[0]?.credentialId ?? '')).toBeDefined()
  },

  'shares one credential when one account is linked to ten collections at once': async (open) => {
    const [one, two] = [await ready(open), await open()]
    const into = Array.from({ length: 10 }, (_, n) => 10 + n)
    for (const n of into) await one.createCollection(newCollection(n))
    const made = await Promise.all(into.map((n) => connected(n % 2 ? one : two, n, { into: n })))
    expect(new Set(made.map(({ credentialId }) => credentialId)).size).toBe(1)
  },

  'creates nothing during the deletion of a collection, or returns it with the collection': async (open) => {
    const [one, two] = [await ready(open), await open()]
    for (let n = 10; n < 20; n++) {
      await one.createCollection(newCollection(n))
      const account = { id: `${n}`, name: '' }
      const [completion] = await Promise.allSettled([
        consent(one, n, { into: n, account }),
        two.deleteCollection(idAt(n))
      ])
      const made = completion.status === 'fulfilled' && completion.value.outcome === 'created'
      const out = await two.takeUnusedCredentials(9)
      expect(out.map(({ accountId }) => accountId)).toEqual(made ? [account.id] : [])
    }
  },

  'keeps a working credential at a consent while the account is disconnected elsewhere': async (open) => {
    const [one, two] = [await ready(open), await open()]
    for (let n = 1; n <= 19; n += 2) {
      const before = await connected(one, n, { into: 1 })
      const [revoked, after] = await Promise.all([
        one.revokeConnection(before.id, toEpochMs(5000)),
        connected(two, n + 1, { into: 2 })
      ])
      expect(await one.findCredential(after.credentialId ?? '')).toBeDefined()
      expect(revoked?.credential?.id).not.toBe(after.credentialId)
      await one.revokeConnection(after.id, toEpochMs(5000))
    }
  }
}

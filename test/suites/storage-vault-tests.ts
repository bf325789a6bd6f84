import { expect } from 'vitest'
import { secretIdentity } from '../../server/storage/port/connector-storage.ts'
import type { Storage } from '../../server/storage/port/storage.ts'
import { toEpochMs } from '../../src/contract/epoch-ms.ts'
import { connected, credentialOf, heldGrant, KEY, newAttempt, ready, sealed } from './storage-connector-things.ts'
import { idAt, type StorageTests } from './storage-place.ts'

/** Tests renewing credentials, and rotating the key that everything is sealed with. */
export const VAULT_TESTS: StorageTests = {
  'lets one of 20 simultaneous callers on two servers renew a credential': async (open) => {
    const [one, two] = [await ready(open), await open()]
    await connected(one, 1)
    const lease = (n: number) => ({ owner: `node ${n}`, now: toEpochMs(5000), until: toEpochMs(6000) })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? one : two).leaseRefresh('credential-1', lease(n)))
    )
    expect(answers.filter((mine) => mine)).toHaveLength(1)
    expect(await one.leaseRefresh('unknown', lease(0))).toBe(false)
  },

  "lets the lease's owner renew until it expires, and save once": async (open) => {
    const storage = await ready(open)
    await connected(storage, 1)
    const lease = (owner: string, now: number) =>
      storage.leaseRefresh('credential-1', { owner, now: toEpochMs(now), until: toEpochMs(now + 100) })
    expect([await lease('a', 5000), await lease('b', 5099), await lease('b', 5100)]).toEqual([true, false, true])
    const save = (owner: string, name: string) =>
      storage.saveRefreshed('credential-1', { owner, secret: sealed(name), expiresAt: undefined })
    expect(await save('a', 'of a')).toBe('lost')
    expect(await save('b', 'of b')).toBe('saved')
    expect(await storage.findCredential('credential-1')).toEqual({
      ...credentialOf(1),
      secret: sealed('of b'),
      expiresAt: undefined
    })
    expect([await save('b', 'of b'), await save('b', 'again')]).toEqual(['saved', 'lost'])
    expect(await lease('c', 5110)).toBe(true)
  },

  'saves renewed tokens after the lease expired, unless another renewal began': async (open) => {
    const storage = await ready(open)
    await connected(storage, 1)
    await storage.leaseRefresh('credential-1', { owner: 'a', now: toEpochMs(5000), until: toEpochMs(5100) })
    const saved = { owner: 'a', secret: sealed('late'), expiresAt: toEpochMs(9999) }
    expect(await storage.saveRefreshed('credential-1', saved)).toBe('saved')
  },

  'prefers a new consent to a renewal that began earlier': async (open) => {
    const storage = await ready(open)
    await connected(storage, 1)
    await storage.leaseRefresh('credential-1', { owner: 'a', now: toEpochMs(5000), until: toEpochMs(6000) })
    await connected(storage, 2)
    const saved = { owner: 'a', secret: sealed('older'), expiresAt: toEpochMs(1) }
    expect(await storage.saveRefreshed('credential-1', saved)).toBe('lost')
    expect(await storage.findCredential('credential-1')).toMatchObject({ secret: credentialOf(2).secret })
  },

  "stores a failed renewal at all connections of the credential, for the lease's owner only": async (open) => {
    const storage = await ready(open)
    for (const n of [1, 2]) await connected(storage, n, { into: n })
    await connected(storage, 3, { account: { id: 'bob', name: 'Bob' } })
    await storage.endRefresh('credential-1', { owner: 'a', error: 'not mine to say' })
    await storage.leaseRefresh('credential-1', { owner: 'a', now: toEpochMs(5000), until: toEpochMs(6000) })
    await storage.endRefresh('credential-1', { owner: 'a', error: 'the grant is over' })
    const errors = [101, 102, 103].map(async (n) => (await storage.findConnection(idAt(n)))?.lastError)
    expect(await Promise.all(errors)).toEqual(['the grant is over', 'the grant is over', undefined])
    expect(
      await storage.leaseRefresh('credential-1', { owner: 'b', now: toEpochMs(5001), until: toEpochMs(6000) })
    ).toBe(true)
    await storage.endRefresh('credential-1', { owner: 'b', error: undefined })
    expect(
      await storage.leaseRefresh('credential-1', { owner: 'c', now: toEpochMs(5001), until: toEpochMs(6000) })
    ).toBe(true)
  },

  'has no key in a new vault, and accepts one of ten simultaneous first keys': async (open) => {
    const storages = await Promise.all(Array.from({ length: 10 }, () => open()))
    expect(await storages[0]?.listVaultKeys()).toEqual({ current: undefined, used: [] })
    const answers = await Promise.all(storages.map((storage, n) => storage.changeVaultKey(undefined, `key-${n}`)))
    expect(answers.filter((mine) => mine)).toHaveLength(1)
    expect(await storages[9]?.listVaultKeys()).toEqual({ current: `key-${answers.indexOf(true)}`, used: [] })
  },

  'changes the key only from the known one, and accepts a repeated change': async (open) => {
    const storage = await ready(open)
    const changes = [
      await storage.changeVaultKey('key-0', 'key-2'),
      await storage.changeVaultKey(KEY, 'key-2'),
      await storage.changeVaultKey(KEY, 'key-2'),
      await storage.changeVaultKey(KEY, 'key-3'),
      await storage.changeVaultKey(undefined, 'key-3')
    ]
    expect(changes).toEqual([false, true, true, false, false])
    expect((await storage.listVaultKeys()).current).toBe('key-2')
  },

  'lists everything sealed with the old key after a change, until it is resealed': async (open) => {
    const storage = await full(await ready(open))
    expect(await storage.listStaleSecrets(9)).toEqual([])
    await storage.changeVaultKey(KEY, 'key-2')
    expect(await storage.listVaultKeys()).toEqual({ current: 'key-2', used: [KEY] })
    const { accountId, ...bob } = credentialOf(1)
    const identities = [
      ['credential', 'credential-1', secretIdentity.credential({ ...bob, accountId })],
      ['held', 'b', secretIdentity.held({ id: 'b' })],
      ['verifier', 'a', secretIdentity.verifier({ id: 'a' })],
      ['verifier', 'b', secretIdentity.verifier({ id: 'b' })]
    ]
    const stale = await storage.listStaleSecrets(9)
    expect(stale.map(({ kind, id, identity }) => [kind, id, identity]).sort()).toEqual(identities)
    for (const one of stale) expect(await storage.resealSecret(one, sealed(`new ${one.id}`, 'key-2'))).toBe(true)
    expect(await storage.listVaultKeys()).toEqual({ current: 'key-2', used: ['key-2'] })
    expect(await storage.listStaleSecrets(9)).toEqual([])
    expect(await storage.findCredential('credential-1')).toMatchObject({ secret: sealed('new credential-1', 'key-2') })
    expect(await storage.findAttempt('b')).toMatchObject({
      verifier: sealed('new b', 'key-2'),
      held: { ...heldGrant('ada'), secret: sealed('new b', 'key-2') }
    })
  },

  'lists stale secrets a few at a time': async (open) => {
    const storage = await full(await ready(open))
    await storage.changeVaultKey(KEY, 'key-2')
    const sizes: number[] = []
    for (;;) {
      const some = await storage.listStaleSecrets(3)
      if (some.length === 0) break
      sizes.push(some.length)
      for (const one of some) await storage.resealSecret(one, sealed(`new ${one.kind} ${one.id}`, 'key-2'))
    }
    expect(sizes).toEqual([3, 1])
  },

  'refuses to reseal a secret that has changed, or with an old key': async (open) => {
    const storage = await ready(open)
    await connected(storage, 1)
    await storage.leaseRefresh('credential-1', { owner: 'a', now: toEpochMs(5000), until: toEpochMs(6000) })
    await storage.changeVaultKey(KEY, 'key-2')
    const [stale] = await storage.listStaleSecrets(9)
    if (stale === undefined) throw new Error('no secret is stale')
    expect(await storage.resealSecret(stale, sealed('x', KEY))).toBe(false)
    const renewed = { owner: 'a', expiresAt: toEpochMs(1), secret: sealed('renewed') }
    expect(await storage.saveRefreshed('credential-1', renewed)).toBe('stale_key')
    const secret = sealed('renewed', 'key-2')
    expect(await storage.saveRefreshed('credential-1', { ...renewed, secret })).toBe('saved')
    expect(await storage.resealSecret(stale, sealed('x', 'key-2'))).toBe(false)
    expect(await storage.findCredential('credential-1')).toMatchObject({ secret })
  },

  'refuses everything sealed with an old key after the change': async (open) => {
    const [one, two] = [await ready(open), await open()]
    for (let n = 1; n <= 10; n++) {
      const [before, next] = [n === 1 ? KEY : `round-${n - 1}`, `round-${n}`]
      const attempts = Array.from({ length: 5 }, (_, at) => {
        const attempt = newAttempt(`${n}-${at}`, { verifier: sealed(`${n}-${at}`, before) })
        return one.createAttempt(attempt)
      })
      const [stale] = await Promise.all([
        two.changeVaultKey(before, next).then(() => two.listStaleSecrets(99)),
        ...attempts
      ])
      const late = await two.listStaleSecrets(99)
      expect(late.length).toBe(stale.length)
      for (const secret of late) await two.resealSecret(secret, sealed(secret.id, next))
    }
  }
}

/** Stores a secret of each kind: a credential, two verifiers, and a grant that waits for confirmation. */
async function full(storage: Storage): Promise<Storage> {
  await connected(storage, 1)
  for (const id of ['a', 'b']) await storage.createAttempt(newAttempt(id))
  await storage.useAttempt('b', toEpochMs(1500))
  await storage.holdGrant('b', heldGrant('ada'))
  return storage
}

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nodeIds } from '../../../bin/node/node-ids.ts'
import { readKeyFile } from '../../../server/oauth/vault/key-ring.ts'
import type { KeyRingFile } from '../../../server/oauth/vault/key-ring-file.ts'
import { type OpenVault, openVault } from '../../../server/oauth/vault/open-vault.ts'
import { rotateKeyRing } from '../../../server/oauth/vault/rotate-key-ring.ts'
import { storeSealed } from '../../../server/oauth/vault/store-sealed.ts'
import { manualClock } from '../http/manual-clock.ts'
import { memoryKeyRingFile } from './oauth-kit.ts'
import { type MemoryVaultRows, memoryVaultRows } from './vault-rows.ts'

const LOG = { error: () => undefined, info: () => undefined, debug: () => undefined }

class Killed extends Error {}

/** Creates a vault with the given number of secrets, and nodes over it that can be killed at any step. */
async function vaultWith(secrets: number) {
  const storage = memoryVaultRows()
  const file = memoryKeyRingFile()
  const clock = manualClock()
  const world = { clock, ids: nodeIds, log: LOG }
  const vault = await openVault({ storage, file, world, alone: false })
  for (let n = 0; n < secrets; n++) await put({ vault, storage }, `c${n}`)
  return { storage, file, clock, world, vault, node }

  async function node(killAt = Number.POSITIVE_INFINITY) {
    let step = 0
    const count = (): void => {
      if (step++ === killAt) throw new Killed()
    }
    const own = stepwise(storage, count)
    const vault = await openVault({ storage: own, file: stepwise<KeyRingFile>(file, count), world, alone: false })
    return { vault, rotate: () => rotateKeyRing({ vault, storage: own, world }), steps: () => step }
  }
}

/** Wraps an object so that each method call counts as a step before and after it runs. */
function stepwise<T extends object>(whole: T, count: () => void): T {
  return new Proxy(whole, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return async (...args: unknown[]) => {
        count()
        const result: unknown = await (member as (...all: unknown[]) => unknown)(...args)
        count()
        return result
      }
    }
  })
}

type Place = { vault: OpenVault; storage: MemoryVaultRows }

async function put({ vault, storage }: Place, identity: string, text = identity): Promise<void> {
  const sealing = { plain: new TextEncoder().encode(text), identity }
  await storeSealed(vault, sealing, (secret) => storage.put(identity, secret))
}

async function readAll(vault: OpenVault, { secrets }: MemoryVaultRows): Promise<string[]> {
  const all = [...secrets].map(async ([identity, sealed]) =>
    new TextDecoder().decode(await vault.open(sealed, identity))
  )
  return await Promise.all(all)
}

test('reseals everything with a new key, and removes the old one from the ring an hour later', async () => {
  const { vault, storage, file, world, clock } = await vaultWith(250)
  const before = storage.current
  const done = await rotateKeyRing({ vault, storage, world })
  expect(done).toEqual({ keyId: storage.current, resealed: 250 })
  expect(done.keyId).not.toBe(before)
  expect((await storage.listVaultKeys()).used).toEqual([done.keyId])
  expect(await readAll(vault, storage)).toEqual(Array.from({ length: 250 }, (_, n) => `c${n}`))
  const ids = (): string[] => readKeyFile(file.bytes ?? new Uint8Array(), 'x').ring.map(({ id }) => id)
  await clock.pass(3_599_999)
  await vault.tidy()
  expect(ids()).toEqual([before, done.keyId])
  await clock.pass(1)
  await vault.tidy()
  expect(ids()).toEqual([done.keyId])
})

test('keeps a retired key in the ring while a secret needs it', async () => {
  const { vault, storage, world, clock } = await vaultWith(1)
  const old = storage.secrets.get('c0') ?? fail()
  await rotateKeyRing({ vault, storage, world })
  storage.secrets.set('c1', { ...old, bytes: old.bytes })
  await clock.pass(3_600_000)
  await vault.tidy()
  expect(new TextDecoder().decode(await vault.open(old, 'c0'))).toBe('c0')
  storage.secrets.delete('c1')
  await vault.tidy()
  await expect(vault.open(old, 'c0')).rejects.toThrow('does not contain its key')
})

test('creates a new key in every rotation, even for an empty vault', async () => {
  const { vault, storage, world } = await vaultWith(0)
  const keys = new Set([storage.current])
  for (let n = 0; n < 3; n++) keys.add((await rotateKeyRing({ vault, storage, world })).keyId)
  expect(keys.size).toBe(4)
})

test('keeps everything readable when killed at any step, and completes in the next rotation', async () => {
  const { node } = await vaultWith(3)
  const whole = await node()
  const start = whole.steps()
  await whole.rotate()
  const steps = whole.steps()
  expect(steps - start).toBeGreaterThan(20)
  for (let killAt = start; killAt < steps; killAt++) {
    const setup = await vaultWith(3)
    const before = setup.storage.current
    const killed = await setup.node(killAt)
    await expect(killed.rotate()).rejects.toBeInstanceOf(Killed)
    const after = await setup.node()
    expect(await readAll(after.vault, setup.storage)).toEqual(['c0', 'c1', 'c2'])
    const left = readKeyFile(setup.file.bytes ?? new Uint8Array(), 'x').ring
    const { keyId } = await after.rotate()
    expect(keyId).not.toBe(before)
    // A rotation in progress is completed first; only then does the next one create its own key.
    const isBegun = left.length > 1 && left[0]?.retiredAt === undefined
    expect(left.some(({ id }) => id === keyId)).toBe(isBegun)
    expect(await readAll(after.vault, setup.storage)).toEqual(['c0', 'c1', 'c2'])
    expect(await setup.storage.listVaultKeys()).toEqual({ current: keyId, used: [keyId] })
    expect(await readAll(setup.vault, setup.storage)).toEqual(['c0', 'c1', 'c2'])
  }
})

test('loses nothing when killed repeatedly while other nodes and changing secrets compete', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(60), { minLength: 1, maxLength: 12 }), async (kills) => {
      const { node, storage, vault } = await vaultWith(5)
      const work = kills.map(async (killAt, n) => {
        const one = await node(killAt + 6).catch(refusedAsKilled)
        await Promise.all([one?.rotate().catch(refusedAsKilled), put({ vault, storage }, `c${n % 5}`, `new ${n}`)])
      })
      await Promise.all(work)
      const last = await node()
      const { keyId } = await last.rotate()
      const texts = await readAll(last.vault, storage)
      expect(texts.map((text, n) => text.replace(/^new (\d+)$/, (_, at) => `c${at % 5}`) === `c${n}`)).not.toContain(
        false
      )
      for (let n = 0; n < Math.min(5, kills.length); n++) expect(texts[n]).toMatch(/^new/)
      expect(await storage.listVaultKeys()).toEqual({ current: keyId, used: [keyId] })
    }),
    { numRuns: process.env.SLOW === undefined ? 35 : 2000 }
  )
})

test('ends with one key after two simultaneous rotations', async () => {
  const { node, storage } = await vaultWith(300)
  const [one, two] = [await node(), await node()]
  const done = await Promise.all([one.rotate(), two.rotate()])
  expect(new Set(done.map(({ keyId }) => keyId)).size).toBe(1)
  expect(done.map(({ resealed }) => resealed).reduce((sum, count) => sum + count)).toBe(300)
  expect((await storage.listVaultKeys()).used).toEqual([done[0]?.keyId])
})

test('lets a node that missed a rotation open new secrets, and reseal when told', async () => {
  const { node, storage, vault } = await vaultWith(1)
  const other = await node()
  const { keyId } = await other.rotate()
  expect(await readAll(vault, storage)).toEqual(['c0'])
  await put({ vault, storage }, 'c1')
  expect(storage.secrets.get('c1')?.keyId).toBe(keyId)
  expect(await readAll(other.vault, storage)).toEqual(['c0', 'c1'])
})

test('skips and reports a secret that does not open, and reseals the others', async () => {
  const { storage, vault, world } = await vaultWith(150)
  const broken = storage.secrets.get('c7') ?? fail()
  storage.secrets.set('c7', { ...broken, bytes: broken.bytes.map((byte) => byte ^ 1) })
  await expect(rotateKeyRing({ vault, storage, world })).rejects.toMatchObject({
    code: 'conflict',
    message: /^1 stored/
  })
  expect((await storage.listStaleSecrets(10)).map(({ id }) => id)).toEqual(['c7'])
  expect((await storage.listVaultKeys()).used).toHaveLength(2)
})

function refusedAsKilled(error: unknown): undefined {
  if (!(error instanceof Killed)) throw error
}

function fail(): never {
  throw new Error('there is no such secret')
}

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nodeIds } from '../../../bin/node/node-ids.ts'
import { makeVaultKey, readKeyFile, writeKeyFile } from '../../../server/oauth/vault/key-ring.ts'
import { openVault } from '../../../server/oauth/vault/open-vault.ts'
import type { VaultKeysParts } from '../../../server/oauth/vault/vault-keys.ts'
import { manualClock } from '../http/manual-clock.ts'
import { memoryKeyRingFile } from './oauth-kit.ts'
import { type MemoryVaultRows, memoryVaultRows } from './vault-rows.ts'

const NO_LOG = { error: () => undefined, info: () => undefined, debug: () => undefined }

function vaultParts(storage: MemoryVaultRows = memoryVaultRows(), file = memoryKeyRingFile()) {
  return {
    storage,
    file,
    world: { clock: manualClock(), ids: nodeIds, log: NO_LOG },
    alone: true
  } satisfies VaultKeysParts
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

test('opens a sealed secret with its identity, on this node and on another with the same file', async () => {
  const parts = vaultParts()
  const vault = await openVault(parts)
  const other = await openVault(parts)
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.string({ unit: 'binary' }), async (plain, identity) => {
      const sealed = await vault.seal(plain, identity)
      expect(await other.open(sealed, identity)).toEqual(plain)
    })
  )
})

test('opens no secret with a changed byte or another identity', async () => {
  const vault = await openVault(vaultParts())
  const sealed = await vault.seal(bytesOf('a refresh token'), 'attempt 1')
  for (let at = 0; at < sealed.bytes.length; at++) {
    const bytes = sealed.bytes.map((byte, place) => (place === at ? byte ^ 1 : byte))
    await expect(vault.open({ ...sealed, bytes }, 'attempt 1')).rejects.toMatchObject({ code: 'damaged_storage' })
  }
  for (const length of [0, 1, 12, 13, 28, sealed.bytes.length - 1])
    await expect(vault.open({ ...sealed, bytes: sealed.bytes.slice(0, length) }, 'attempt 1')).rejects.toThrow(
      'cannot be decrypted'
    )
  await expect(vault.open(sealed, 'attempt 2')).rejects.toMatchObject({ code: 'damaged_storage' })
  await expect(vault.open({ ...sealed, keyId: 'vk_0000000000000000' }, 'attempt 1')).rejects.toThrow(
    'does not contain its key'
  )
})

test('seals equal secrets differently, without revealing any part of them', async () => {
  const vault = await openVault(vaultParts())
  const seals = await Promise.all(Array.from({ length: 100 }, () => vault.seal(bytesOf('the same'), 'x')))
  const texts = seals.map(({ bytes }) => Buffer.from(bytes).toString('latin1'))
  expect(new Set(texts).size).toBe(100)
  expect(texts.join()).not.toContain('the same')
})

test('derives the same keys for other purposes on every node, different for each purpose', async () => {
  const parts = vaultParts()
  const [one, two] = [await openVault(parts), await openVault(parts)]
  expect(await one.derive('states')).toEqual(await two.derive('states'))
  expect(await one.derive('states')).not.toEqual(await one.derive('pages'))
  expect((await one.derive('states'))[0]).toHaveLength(32)
})

test('creates a key file with one key at the first start', async () => {
  const parts = vaultParts()
  await openVault(parts)
  const bytes = parts.file.bytes ?? new Uint8Array()
  const { version, keys } = JSON.parse(Buffer.from(bytes).toString())
  const entry = {
    id: expect.stringMatching(/^vk_[0-9a-f]{16}$/),
    key: expect.any(String),
    created_at: expect.any(String)
  }
  expect({ version, keys }).toEqual({ version: 1, keys: [entry] })
  expect(parts.storage.current).toBe(keys[0].id)
})

test('creates one key when ten nodes start at once with one file', async () => {
  const parts = vaultParts()
  const vaults = await Promise.all(Array.from({ length: 10 }, () => openVault({ ...parts, alone: false })))
  const sealed = await Promise.all(vaults.map((vault) => vault.seal(bytesOf('x'), 'i')))
  expect(new Set(sealed.map(({ keyId }) => keyId)).size).toBe(1)
  for (const vault of vaults) for (const one of sealed) expect(await vault.open(one, 'i')).toEqual(bytesOf('x'))
})

test('starts one of ten simultaneous nodes with separate files and refuses the others', async () => {
  const storage = memoryVaultRows()
  const starts = Array.from({ length: 10 }, () => openVault({ ...vaultParts(storage), alone: false }))
  const results = await Promise.allSettled(starts)
  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused).toHaveLength(9)
  for (const { reason } of refused) {
    expect(reason).toMatchObject({
      code: 'system_refused',
      message: expect.stringMatching(/server\.key (is missing|does not contain)/)
    })
    expect(reason.hint).toMatch(/key file/)
  }
})

test('refuses to start if the file or a needed key is missing', async () => {
  const parts = vaultParts()
  const vault = await openVault(parts)
  parts.storage.secrets.set('c1', await vault.seal(bytesOf('x'), 'c1'))
  const lost = vaultParts(parts.storage)
  await expect(openVault(lost)).rejects.toMatchObject({ code: 'system_refused', message: /is missing/ })
  expect(lost.file.bytes).toBeUndefined()
  lost.file.bytes = writeKeyFile({ ring: [makeVaultKey(parts.world)], store: undefined })
  await expect(openVault(lost)).rejects.toMatchObject({
    message: /does not contain vk_[0-9a-f]+, which encrypts stored credentials/
  })
  await expect(openVault(parts)).resolves.toBeDefined()
})

test('replaces a lost file if nothing is sealed yet and no other node may have it', async () => {
  const parts = vaultParts()
  await openVault(parts)
  const lost = vaultParts(parts.storage)
  await expect(openVault({ ...lost, alone: false })).rejects.toMatchObject({ message: /is missing/ })
  await openVault(lost)
  expect(parts.storage.current).toBe(readKeyFile(lost.file.bytes ?? new Uint8Array(), 'x').ring[0]?.id)
})

test('rejects a file that others may read, with the fix', async () => {
  const parts = vaultParts()
  await openVault(parts)
  for (const mode of [0o640, 0o604, 0o644, 0o602, 0o666]) {
    parts.file.mode = mode
    await expect(openVault(parts)).rejects.toMatchObject({ code: 'system_refused', hint: "chmod 600 'server.key'" })
  }
  parts.file.mode = 0o400
  await expect(openVault(parts)).resolves.toBeDefined()
})

test('rejects a damaged file, whatever the damage', async () => {
  const parts = vaultParts()
  await openVault(parts)
  const whole = Buffer.from(parts.file.bytes ?? []).toString()
  const key = JSON.parse(whole).keys[0].key
  const damaged = [
    '',
    'null',
    '[]',
    '{"version":1,"keys":[]}',
    '{"version":1,"keys":[null]}',
    whole.slice(0, -10),
    whole.replace('"version": 1', '"version": 2'),
    whole.replace(key, key.slice(4)),
    whole.replace(key, Buffer.alloc(32).toString('base64')),
    whole.replace('vk_', 'vk_0'),
    whole.replace(/"created_at": "[^"]*"/, '"created_at": "once"')
  ]
  for (const text of damaged) {
    parts.file.bytes = Buffer.from(text)
    await expect(openVault(parts), text).rejects.toMatchObject({ code: 'system_refused', message: /damaged/ })
  }
})

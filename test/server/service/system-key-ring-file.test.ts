import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { nodeFiles } from '../../../bin/node/node-files.ts'
import { nodeIds } from '../../../bin/node/node-ids.ts'
import { nodeSelf } from '../../../bin/node/node-self.ts'
import { openVault } from '../../../server/oauth/vault/open-vault.ts'
import { rotateKeyRing } from '../../../server/oauth/vault/rotate-key-ring.ts'
import { systemKeyRingFile } from '../../../server/service/system-key-ring-file.ts'
import { temporaryFolder } from '../../snapshot/temporary-folder.ts'
import { memoryVaultRows } from '../oauth/vault-rows.ts'

const log = { error: () => undefined, info: () => undefined, debug: () => undefined }
const world = { clock: nodeClock, files: nodeFiles, ids: nodeIds, self: nodeSelf(), log }

test('creates the key file with its folder for its owner alone, and leaves no other files', async () => {
  const folder = join(temporaryFolder(), 'a', 'b')
  const file = systemKeyRingFile(world, join(folder, 'server.key'))
  const storage = memoryVaultRows()
  const vault = await openVault({ file, storage, world, alone: true })
  await rotateKeyRing({ vault, storage, world })
  expect(statSync(file.path).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['server.key'])
  expect(JSON.parse(readFileSync(file.path, 'utf8')).keys).toHaveLength(2)
  await expect(openVault({ file, storage, world, alone: true })).resolves.toBeDefined()
})

test('serializes twenty simultaneous changes', async () => {
  const path = join(temporaryFolder(), 'server.key')
  const files = Array.from({ length: 20 }, () => systemKeyRingFile(world, path))
  await Promise.all(files.map((file, n) => file.update((before) => Buffer.from(`${Buffer.from(before ?? [])}${n} `))))
  const parts = readFileSync(path, 'utf8').trim().split(' ').map(Number)
  expect(parts.sort((a, b) => a - b)).toEqual(files.map((_, n) => n))
})

test('creates one key when ten servers start at once over one file', async () => {
  const path = join(temporaryFolder(), 'server.key')
  const storage = memoryVaultRows()
  const starts = Array.from({ length: 10 }, () =>
    openVault({ file: systemKeyRingFile(world, path), storage, world, alone: false })
  )
  const vaults = await Promise.all(starts)
  expect(new Set(vaults.map(({ keys }) => keys.current().id)).size).toBe(1)
})

test('follows a link to the file, and keeps it when the file is changed', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'kept'))
  writeFileSync(join(folder, 'kept', 'real.key'), 'old', { mode: 0o600 })
  symlinkSync(join(folder, 'kept', 'real.key'), join(folder, 'server.key'))
  const file = systemKeyRingFile(world, join(folder, 'server.key'))
  await file.update((before) => Buffer.from(`${Buffer.from(before ?? [])} and new`))
  expect(readFileSync(join(folder, 'kept', 'real.key'), 'utf8')).toBe('old and new')
  expect(await file.read()).toMatchObject({ mode: 0o600 })
  expect(nodeFiles.findEntry(join(folder, 'server.key'))?.kind).toBe('link')
})

test('leaves the file unchanged after a failed or empty change', async () => {
  const path = join(temporaryFolder(), 'server.key')
  const file = systemKeyRingFile(world, path)
  await file.update(() => undefined)
  expect(existsSync(path)).toBe(false)
  await file.update(() => Buffer.from('kept'))
  await expect(
    file.update(() => {
      throw new Error('no')
    })
  ).rejects.toThrow('no')
  expect(readFileSync(path, 'utf8')).toBe('kept')
})

test('refuses a file with a permissive mode, and anything that is not a file, with a hint', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'server.key')
  const parts = { file: systemKeyRingFile(world, path), storage: memoryVaultRows(), world, alone: true }
  await openVault(parts)
  chmodSync(path, 0o644)
  await expect(openVault(parts)).rejects.toMatchObject({ code: 'system_refused', hint: `chmod 600 '${path}'` })
  const place = { ...parts, file: systemKeyRingFile(world, folder) }
  await expect(openVault(place)).rejects.toMatchObject({ code: 'system_refused', message: /is not a key file/ })
})

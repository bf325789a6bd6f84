import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { nodeFiles } from '../../../bin/node/node-files.ts'
import { nodeIds } from '../../../bin/node/node-ids.ts'
import { nodeMachine } from '../../../bin/node/node-machine.ts'
import { nodeSelf } from '../../../bin/node/node-self.ts'
import { localThread } from '../../../bin/node/threads/thread-starter.ts'
import { forgetCredentials, rotateKey } from '../../../bin/server/rotate-key.ts'
import { storageMain } from '../../../bin/threads/storage-main.ts'
import { isGrantError } from '../../../server/oauth/tokens/note-dead-grant.ts'
import { openVault } from '../../../server/oauth/vault/open-vault.ts'
import { databasePath, lockDataFolder } from '../../../server/service/lock-data-folder.ts'
import { readServerSettings } from '../../../server/service/read-server-settings.ts'
import { systemKeyRingFile } from '../../../server/service/system-key-ring-file.ts'
import { openSqliteStorage } from '../../../server/storage/open-sqlite-storage.ts'
import { secretIdentity } from '../../../server/storage/port/connector-storage.ts'

import { toEpochMs } from '../../../src/contract/epoch-ms.ts'
import type { StartThread } from '../../../src/ports.ts'
import { faultOf, temporaryFolder } from '../../device/device-kit.ts'
import { made, newAttempt } from '../../suites/storage-connector-things.ts'
import { idAt, newCollection, newKey } from '../../suites/storage-place.ts'

const quiet = { error: () => undefined, info: () => undefined, debug: () => undefined }
const ports = { clock: nodeClock, ids: nodeIds, files: nodeFiles, self: nodeSelf(), machine: nodeMachine, log: quiet }
const startThread: StartThread = (_, data) => localThread(storageMain, data as { path: string })
const world = { ...ports, startThread }

function settingsIn(folder: string) {
  const folders = { current: folder, config: folder, data: folder }
  return readServerSettings({ settings: {}, files: nodeFiles, folders }).settings
}

/** Creates a data folder as left by a server that has stored a verifier. */
async function usedFolder(): Promise<string> {
  const folder = temporaryFolder()
  await withVault(folder, async ({ storage, vault }) => {
    await storage.createCollection(newCollection(1))
    await storage.createKey(newKey(1))
    const verifier = await vault.seal(Buffer.from('verifier'), secretIdentity.verifier({ id: 'a' }))
    await storage.createAttempt(newAttempt('a', { verifier, collectionId: idAt(1) }))
  })
  return folder
}

async function withVault<T>(
  folder: string,
  work: (open: {
    storage: Awaited<ReturnType<typeof openSqliteStorage>>
    vault: Awaited<ReturnType<typeof openVault>>
  }) => Promise<T>
): Promise<T> {
  const storage = await openSqliteStorage({ path: databasePath(folder), files: nodeFiles, clock: nodeClock })
  const file = systemKeyRingFile(ports, join(folder, 'server.key'))
  try {
    return await work({ storage, vault: await openVault({ file, storage, world: ports, alone: true }) })
  } finally {
    await storage.close()
  }
}

test('seals everything with a new key when no server runs, and opens it', async () => {
  const folder = await usedFolder()
  const before = readFileSync(join(folder, 'server.key'), 'utf8')
  const rotated = await rotateKey(settingsIn(folder), world)
  expect(rotated.resealed).toBe(1)
  expect(before).not.toContain(rotated.key_id)
  await withVault(folder, async ({ storage, vault }) => {
    expect(await storage.listVaultKeys()).toEqual({ current: rotated.key_id, used: [rotated.key_id] })
    const { verifier } = (await storage.findAttempt('a')) ?? {}
    if (verifier === undefined) throw new Error('the verifier is gone')
    expect(Buffer.from(await vault.open(verifier, secretIdentity.verifier({ id: 'a' }))).toString()).toBe('verifier')
  })
})

test('does nothing while a server uses the data folder', async () => {
  const folder = await usedFolder()
  const before = readFileSync(join(folder, 'server.key'), 'utf8')
  await lockDataFolder(ports, folder, async () => {
    expect(await faultOf(() => rotateKey(settingsIn(folder), world))).toMatchObject({ code: 'locked' })
  })
  expect(readFileSync(join(folder, 'server.key'), 'utf8')).toBe(before)
})

test('forgets what a lost key file sealed, so that the vault opens again', async () => {
  const folder = await usedFolder()
  rmSync(join(folder, 'server.key'))
  await expect(withVault(folder, async () => undefined)).rejects.toMatchObject({
    code: 'system_refused',
    hint: expect.stringContaining('memctl server forget-credentials')
  })
  const { key_id } = await forgetCredentials(settingsIn(folder), world)
  await withVault(folder, async ({ storage, vault }) => {
    expect(await storage.listVaultKeys()).toEqual({ current: key_id, used: [key_id] })
    const { verifier } = (await storage.findAttempt('a')) ?? {}
    if (verifier === undefined) throw new Error('the attempt is gone')
    await expect(vault.open(verifier, secretIdentity.verifier({ id: 'a' }))).rejects.toMatchObject({
      code: 'damaged_storage'
    })
  })
})

test('marks the connections of forgotten credentials for a new consent', async () => {
  const folder = await usedFolder()
  await withVault(folder, async ({ storage, vault }) => {
    const secret = await vault.seal(Buffer.from('{}'), 'tokens')
    await storage.useAttempt('a', toEpochMs(1500))
    await storage.completeAttempt('a', made(1, 'ada', { secret }))
  })
  rmSync(join(folder, 'server.key'))
  expect(await forgetCredentials(settingsIn(folder), world)).toMatchObject({ forgotten: 1 })
  await withVault(folder, async ({ storage }) => {
    const connection = await storage.findConnection(made(1).id)
    expect(connection).toMatchObject({
      status: 'pending',
      lastError: expect.stringContaining('were forgotten, because')
    })
    expect(isGrantError(connection?.lastError ?? '')).toBe(true)
  })
})

test('forgets nothing that the key file opens', async () => {
  const folder = await usedFolder()
  const before = readFileSync(join(folder, 'server.key'), 'utf8')
  expect(await forgetCredentials(settingsIn(folder), world)).toMatchObject({ forgotten: 0 })
  expect(readFileSync(join(folder, 'server.key'), 'utf8')).toBe(before)
  await withVault(folder, async ({ storage, vault }) => {
    const { verifier } = (await storage.findAttempt('a')) ?? {}
    if (verifier === undefined) throw new Error('the attempt is gone')
    expect(Buffer.from(await vault.open(verifier, secretIdentity.verifier({ id: 'a' }))).toString()).toBe('verifier')
  })
})

test('forgets no credentials for the key file of another server, or a damaged one', async () => {
  const folder = await usedFolder()
  copyFileSync(join(await usedFolder(), 'server.key'), join(folder, 'server.key'))
  expect(await faultOf(() => forgetCredentials(settingsIn(folder), world))).toMatchObject({ code: 'system_refused' })
  writeFileSync(join(folder, 'server.key'), 'not a key file')
  expect(await faultOf(() => forgetCredentials(settingsIn(folder), world))).toMatchObject({ code: 'system_refused' })
})

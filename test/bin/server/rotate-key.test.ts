import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { nodeFiles } from '../../../bin/node/node-files.ts'
import { nodeIds } from '../../../bin/node/node-ids.ts'
import { nodeMachine } from '../../../bin/node/node-machine.ts'
import { nodeSelf } from '../../../bin/node/node-self.ts'
import { localThread } from '../../../bin/node/threads/thread-starter.ts'
import { rotateKey } from '../../../bin/server/rotate-key.ts'
import { storageMain } from '../../../bin/threads/storage-main.ts'
import { openVault } from '../../../server/oauth/vault/open-vault.ts'
import { databasePath, lockDataFolder } from '../../../server/service/lock-data-folder.ts'
import { readServerSettings } from '../../../server/service/read-server-settings.ts'
import { systemKeyRingFile } from '../../../server/service/system-key-ring-file.ts'
import { openSqliteStorage } from '../../../server/storage/open-sqlite-storage.ts'
import { secretIdentity } from '../../../server/storage/port/connector-storage.ts'

import type { StartThread } from '../../../src/ports.ts'
import { faultOf, temporaryFolder } from '../../device/device-kit.ts'
import { newAttempt } from '../../suites/storage-connector-things.ts'
import { idAt, newCollection } from '../../suites/storage-place.ts'

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

import { dirname, resolve } from 'node:path'
import { epochNow } from '../../src/contract/epoch-ms.ts'
import { Fault } from '../../src/contract/faults.ts'
import type { Clock, Files, Ids, Log, Machine } from '../../src/ports.ts'
import { ignoreSystemError } from '../../src/snapshot/file/to-system-fault.ts'
import type { LockWorld } from '../../src/snapshot/file/with-lock.ts'
import { newCollection } from '../http/handlers/collection-handlers.ts'
import { uuidV7 } from '../http/handlers/uuid-v7.ts'
import { hashKey, makeKey } from '../http/make-key.ts'
import { emptyStoreFault, makeLostStoreFault } from '../oauth/vault/empty-store-fault.ts'
import { readPrivately } from '../oauth/vault/vault-keys.ts'
import { isEmptyDatabase } from '../storage/open-sqlite-storage.ts'
import type { Storage } from '../storage/port/storage.ts'
import { databasePath, keyFilePath } from './lock-data-folder.ts'
import type { ServerSettings } from './server-settings.ts'
import { systemKeyRingFile } from './system-key-ring-file.ts'

/** Options of a start about the store, and the admin key that the first start makes. */
export type StartOptions = {
  /** Allows an empty store, although there was another one. */
  newStore?: boolean | undefined
  /** Creates another admin key, even if keys exist. */
  newAdminKey?: boolean | undefined
  /** The folder in which a new admin key will be kept. */
  keysFolder?: string | undefined
  /** Whether an admin key is kept for this data folder, which means that a store existed. */
  hasKey?: boolean | undefined
}

type StartParts = StartOptions & {
  settings: Pick<ServerSettings, 'dataDir' | 'databaseUrl' | 'secretKeyFile' | 'adminKey'>
  world: LockWorld & { machine: Pick<Machine, 'mayWrite'> }
}

/** Why a new store must not be made: if the storage has no tables, and if it has tables but never had a key. */
export type NewStoreFaults = { noTables: Fault | undefined; noKeys: Fault | undefined }

/**
 * Checks, before anything is written, that a start can write what it may have to write. Returns the faults of a start that finds
 * the storage new. If there are tables but no key, a key file does not prove that a store was lost: the first start may have been
 * killed, and the vault compares the ids.
 *
 * @throws Fault `system_refused` for a damaged key file or an admin key that could not be kept, and the fault of a new store
 * if the embedded storage is known to be one.
 */
export async function checkStart(parts: StartParts): Promise<NewStoreFaults> {
  const { settings, world, newStore = false, newAdminKey = false } = parts
  const { dataDir, databaseUrl } = settings
  const place = databaseUrl === undefined ? databasePath(dataDir) : 'the database'
  const keyFile = keyFilePath(settings)
  const unkept = checkKeysFolder(parts)
  if (newAdminKey && unkept !== undefined) throw unkept

  const hasKeyFile = await hasKeys(world, keyFile)
  const unmade = hasKeyFile
    ? undefined
    : checkFolder(world, { folder: dirname(keyFile), doing: `create the key file ${keyFile}` })
  const lostKey = `an admin key is stored for the server of ${dataDir}`
  const lost = parts.hasKey === true && !newStore ? emptyStoreFault(place, lostKey) : undefined
  const noKeys = lost ?? unkept ?? unmade
  const noTables = (hasKeyFile && !newStore ? makeLostStoreFault(place, keyFile) : undefined) ?? noKeys

  const isNew = databaseUrl === undefined && isEmptyDatabase(world.files, databasePath(dataDir))
  if (isNew && noTables !== undefined) throw noTables
  return { noTables, noKeys }
}

/** Whether there is a key file. Throws if it cannot be used. */
async function hasKeys(world: StartParts['world'], path: string): Promise<boolean> {
  const file = systemKeyRingFile(world, path)
  if ((await file.read()) === undefined) return false
  await readPrivately(file)
  return true
}

/** Returns the fault of a folder that cannot keep the admin key. A key from the settings need not be kept. */
function checkKeysFolder({ settings, world, keysFolder }: StartParts): Fault | undefined {
  if (keysFolder === undefined || settings.adminKey !== undefined) return undefined
  const doing = `store the admin key in ${keysFolder}`
  return checkFolder(world, { folder: keysFolder, doing, otherwise: 'or set MEMCTL_ADMIN_KEY' })
}

/** Returns the fault of a folder in which files cannot be created; undefined if they can. */
function checkFolder(
  { files, machine }: StartParts['world'],
  { folder, doing, otherwise }: { folder: string; doing: string; otherwise?: string }
): Fault | undefined {
  const there = findNearest(files, resolve(folder))
  const isFolder = files.find(there)?.kind === 'folder'
  if (isFolder && machine.mayWrite(there)) return undefined
  const why = isFolder ? 'is not writable' : 'is not a folder'
  const hint = [`make ${there} a folder that you can write to`, otherwise].filter(Boolean).join(', ')
  return new Fault('system_refused', `cannot ${doing}: ${there} ${why}`, { hint })
}

/** Returns the path itself if it exists, or the nearest existing folder above it. */
function findNearest(files: Files, path: string): string {
  const above = dirname(path)
  return above === path || ignoreSystemError(() => files.find(path)) !== undefined ? path : findNearest(files, above)
}

/** Random bytes of an epoch. */
const EPOCH_BYTES = 8

type FirstStart = {
  storage: Storage
  world: { clock: Clock; ids: Ids; log: Log }
  /** The admin key of the settings. */
  adminKey: string | undefined
  /** Creates another admin key in a storage that has had keys, because they were lost. */
  newAdminKey?: boolean | undefined
}

/**
 * Begins an epoch of the database. Makes the first admin key and a collection `default`, if the storage has never had a key. Returns the secret of the key, once, to
 * the one of several servers that made it; undefined at every later start without `newAdminKey`.
 *
 * @throws Fault `conflict` if the key of the settings is known, but no longer an admin key.
 */
export async function initializeStorage({
  storage,
  world,
  adminKey,
  newAdminKey
}: FirstStart): Promise<string | undefined> {
  const { secret, hash } = adminKey === undefined ? makeKey(world.ids) : { secret: adminKey, hash: hashKey(adminKey) }
  const key = { id: uuidV7(world), name: 'admin', admin: true, createdAt: epochNow(world.clock), grants: [], hash }
  const collection = newCollection({ ...world, ephemeralTtlMs: 0 }, { name: 'default' })
  await storage.beginEpoch(world.ids.randomHex(EPOCH_BYTES))
  if (await storage.setUp({ key, collection })) {
    world.log.info({ keyId: key.id, collectionId: collection.id }, 'first start: created an admin key and a collection')
    return secret
  }
  const known = adminKey === undefined ? undefined : await storage.findKeyByHash(hash)
  if (newAdminKey === true) {
    if (known?.admin === true) return secret
    await storage.createKey(key)
    world.log.info({ keyId: key.id }, 'created another admin key because of --new-admin-key')
    return secret
  }
  if (adminKey !== undefined && known === undefined) {
    world.log.error(
      {},
      'MEMCTL_ADMIN_KEY is not a valid key of this server: it is used only at the first start, or with --new-admin-key'
    )
  }
  return undefined
}

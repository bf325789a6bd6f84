import { Fault } from '../../../src/contract/faults.ts'
import type { Clock, Ids, Log } from '../../../src/ports.ts'
import type { ConnectorStorage } from '../../storage/port/connector-storage.ts'
import { makeLostStoreFault } from './empty-store-fault.ts'
import { type KeyFile, type KeyRing, makeVaultKey, readKeyFile, type VaultKey, writeKeyFile } from './key-ring.ts'
import type { KeyRingFile } from './key-ring-file.ts'

export type VaultKeysParts = {
  file: KeyRingFile
  storage: Pick<ConnectorStorage, 'ensureStoreId' | 'listVaultKeys' | 'changeVaultKey'>
  world: { clock: Clock; ids: Ids; log: Log }
  /**
   * Whether no other node uses this storage. A lost file may then be replaced by a new one if nothing is sealed yet.
   */
  alone: boolean
  /** Whether the key file may serve a new store although it was made for another one. */
  newStore?: boolean | undefined
  /** Whether to continue with a new key, or an older one of the file, although secrets need keys that are lost. */
  forgetsLost?: boolean
}

/**
 * The keys as this node knows them. The file and the storage are authoritative, because other nodes may change both.
 */
export type VaultKeys = {
  /** Returns the key that secrets are sealed with now. */
  current(): VaultKey
  /** Finds a key. Reads the file again if this node does not know the key. */
  find(id: string): Promise<VaultKey | undefined>
  ring(): KeyRing
  reload(): Promise<void>
  /** Changes the ring in the file and in memory. If `change` returns undefined, the ring stays as it is. */
  update(change: (ring: KeyRing) => KeyRing | undefined): Promise<void>
}

/**
 * Reads the file, or creates it with a first key if the storage knows of none.
 *
 * @throws Fault `system_refused` if a key is missing that stored secrets need, or if others may read the file;
 * `conflict` if the storage is new and the file belongs to another one.
 */
export async function openVaultKeys(parts: VaultKeysParts): Promise<VaultKeys> {
  const { file, storage, world } = parts
  let state = await firstState(parts)

  return {
    current: () => state.current,
    ring: () => state.ring,
    reload,
    async find(id) {
      const known = keyIn(state.ring, id)
      if (known) return known
      state = { ...state, ring: (await readPrivately(file)).ring }
      return keyIn(state.ring, id)
    },
    async update(change) {
      await file.update((before) => {
        const { ring, store } = parseFile(before, file.path)
        const next = change(ring)
        return next && writeKeyFile({ ring: next, store })
      })
      state = { ...state, ring: (await readPrivately(file)).ring }
    }
  }

  async function reload(): Promise<void> {
    const { current: id } = await storage.listVaultKeys()
    const { ring } = await readPrivately(file)
    const current = keyIn(ring, id ?? state.current.id)
    if (current === undefined) throw otherKeys(file.path)
    if (current.id !== state.current.id) world.log.info({ vaultKey: current.id }, 'created a new vault key')
    state = { ring, current }
  }
}

/** The number of attempts to read the first keys while other nodes start at the same time. */
const TRIES_MAX = 5

async function firstState(parts: VaultKeysParts): Promise<{ ring: KeyRing; current: VaultKey }> {
  const { file, storage, world } = parts
  // Stored before the file is created, so that a first start that was killed can be told from a lost store.
  const storeId = await storage.ensureStoreId(`st_${world.ids.randomHex(16)}`)
  for (let left = TRIES_MAX; left > 0; left--) {
    const { current, used } = await storage.listVaultKeys()
    const { ring, store } = await fileFor(parts, { current, used, storeId })
    if (parts.forgetsLost !== true) refuseLost(ring, used, file.path)
    const held = keyIn(ring, current)
    if (held) return { ring, current: held }
    const isOwn = store === storeId
    if (current === undefined && !isOwn && parts.newStore !== true) throw makeLostStoreFault('the storage', file.path)
    const newest = ring.at(-1)
    const mayReplace = current === undefined || (isOwn && mayLoseKeys(parts, used))
    if (!mayReplace || newest === undefined) throw otherKeys(file.path)
    await storage.changeVaultKey(current, newest.id)
  }
  throw otherKeys(file.path)
}

/** Reads the file. If there is none and the storage needs no key, creates it with a new key. */
async function fileFor(parts: VaultKeysParts, { current, used, storeId }: InUse): Promise<KeyFile> {
  const { file, world } = parts
  const found = await file.read()
  if (found) return await readPrivately(file)
  if (current !== undefined && !mayLoseKeys(parts, used)) throw missing(file.path)
  const key = makeVaultKey(world)
  // If another node that starts at the same time has created the file, that file is used.
  await file.update((before) => (before === undefined ? writeKeyFile({ ring: [key], store: storeId }) : undefined))
  const made = await readPrivately(file)
  if (keyIn(made.ring, key.id)) world.log.info({ vaultKey: key.id, file: file.path }, 'created the vault key')
  return made
}

function mayLoseKeys({ alone, forgetsLost }: VaultKeysParts, used: readonly string[]): boolean {
  return forgetsLost === true || (alone && used.length === 0)
}

type InUse = { current: string | undefined; used: string[]; storeId: string }

/** The permission bits of users other than the owner. */
const OTHERS = 0o077

/**
 * Reads the key file.
 *
 * @throws Fault `system_refused` if it is missing or damaged, or if others may read it.
 */
export async function readPrivately(file: KeyRingFile): Promise<KeyFile> {
  const found = await file.read()
  if (found === undefined) throw missing(file.path)
  if (((found.mode ?? 0) & OTHERS) !== 0) {
    const message = `other users of this machine can read the key file ${file.path}`
    throw new Fault('system_refused', message, { hint: `chmod 600 '${file.path}'` })
  }
  return readKeyFile(found.bytes, file.path)
}

function parseFile(bytes: Uint8Array | undefined, path: string): KeyFile {
  if (bytes === undefined) throw missing(path)
  return readKeyFile(bytes, path)
}

function refuseLost(ring: KeyRing, used: readonly string[], path: string): void {
  const lost = used.filter((id) => keyIn(ring, id) === undefined)
  if (lost.length === 0) return
  const message = `the key file ${path} does not contain ${lost.join(', ')}, which encrypts stored credentials`
  throw new Fault('system_refused', message, FILE_FIX)
}

function keyIn(ring: KeyRing, id: string | undefined): VaultKey | undefined {
  return ring.find((key) => key.id === id)
}

const FORGET_COMMAND = 'memctl server forget-credentials'

const FILE_FIX = {
  hint:
    'restore the key file of this server at the path in MEMCTL_SECRET_KEY_FILE; nodes that share a database share this ' +
    `file; if it is lost, continue without the stored credentials: ${FORGET_COMMAND}`,
  next: [FORGET_COMMAND]
}

function missing(path: string): Fault {
  const message = `the key file ${path} is missing, but the storage has a vault that was created with it`
  return new Fault('system_refused', message, FILE_FIX)
}

function otherKeys(path: string): Fault {
  const message = `the key file ${path} does not contain the vault key of the storage: they belong to different servers`
  return new Fault('system_refused', message, {
    hint: 'restore the key file or the database, so that they belong together; nodes that share a database share one key file'
  })
}

import { Fault } from '../../src/contract/faults.ts'
import type { Clock, Ids, Log } from '../../src/ports.ts'
import type { ConnectorStorage } from '../storage/connector-storage.ts'
import { type KeyRing, makeVaultKey, readKeyRing, type VaultKey, writeKeyRing } from './key-ring.ts'
import type { KeyRingFile } from './key-ring-file.ts'

export type VaultKeysParts = {
  file: KeyRingFile
  storage: Pick<ConnectorStorage, 'vaultKeys' | 'changeVaultKey'>
  world: { clock: Clock; ids: Ids; log: Log }
  /** No other node uses this storage: where nothing is sealed yet, a lost file may be replaced by a new one. */
  alone: boolean
}

/** The keys as this node knows them. What the file and the storage say counts: other nodes may change both. */
export type VaultKeys = {
  /** The key that secrets are sealed with now. */
  current(): VaultKey
  /** Looks into the file again where this node does not know it. */
  find(id: string): Promise<VaultKey | undefined>
  ring(): KeyRing
  reload(): Promise<void>
  /** Changes the ring in the file and here. Undefined from `change` leaves it as it is. */
  update(change: (ring: KeyRing) => KeyRing | undefined): Promise<void>
}

/**
 * Reads the file, or makes it with a first key where the storage knows of none.
 *
 * @throws Fault `system_refused` where a key is missing that the storage has secrets of, or others may read the file.
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
      state = { ...state, ring: await readRing(file) }
      return keyIn(state.ring, id)
    },
    async update(change) {
      await file.update((before) => {
        const next = change(ringOf(before, file.path))
        return next && writeKeyRing(next)
      })
      state = { ...state, ring: await readRing(file) }
    }
  }

  async function reload(): Promise<void> {
    const { current: id } = await storage.vaultKeys()
    const ring = await readRing(file)
    const current = keyIn(ring, id ?? state.current.id)
    if (current === undefined) throw otherKeys(file.path)
    if (current.id !== state.current.id) world.log.info({ vaultKey: current.id }, 'the vault has a new key')
    state = { ring, current }
  }
}

/** How often the first keys are looked at again while other nodes start at the same time. */
const TRIES_MAX = 5

async function firstState(parts: VaultKeysParts): Promise<{ ring: KeyRing; current: VaultKey }> {
  const { file, storage } = parts
  for (let left = TRIES_MAX; left > 0; left--) {
    const { current, used } = await storage.vaultKeys()
    const ring = await ringFor(parts, { current, used })
    refuseLost(ring, used, file.path)
    const held = keyIn(ring, current)
    if (held) return { ring, current: held }
    const mayReplace = current === undefined || (parts.alone && used.length === 0)
    const newest = ring.at(-1)
    if (!mayReplace || newest === undefined) throw otherKeys(file.path)
    await storage.changeVaultKey(current, newest.id)
  }
  throw otherKeys(file.path)
}

/** The ring of the file. Where there is none, and none that the storage knows is missed, a new one with one key. */
async function ringFor({ file, world, alone }: VaultKeysParts, { current, used }: KeysInUse): Promise<KeyRing> {
  const found = await file.read()
  if (found) return await readRing(file)
  if (current !== undefined && !(alone && used.length === 0)) throw missing(file.path)
  const key = makeVaultKey(world)
  // Another node that starts at the same moment may have made it meanwhile: then that one counts.
  await file.update((before) => (before === undefined ? writeKeyRing([key]) : undefined))
  const ring = await readRing(file)
  if (keyIn(ring, key.id)) world.log.info({ vaultKey: key.id, file: file.path }, 'made the key of the vault')
  return ring
}

type KeysInUse = { current: string | undefined; used: string[] }

/** Permission bits of others than the owner. */
const OTHERS = 0o077

async function readRing(file: KeyRingFile): Promise<KeyRing> {
  const found = await file.read()
  if (found === undefined) throw missing(file.path)
  if (((found.mode ?? 0) & OTHERS) !== 0) {
    const message = `the key file ${file.path} may be read by others of this machine`
    throw new Fault('system_refused', message, { hint: `chmod 600 '${file.path}'` })
  }
  return readKeyRing(found.bytes, file.path)
}

function ringOf(bytes: Uint8Array | undefined, path: string): KeyRing {
  if (bytes === undefined) throw missing(path)
  return readKeyRing(bytes, path)
}

function refuseLost(ring: KeyRing, used: readonly string[], path: string): void {
  const lost = used.filter((id) => keyIn(ring, id) === undefined)
  if (lost.length === 0) return
  const message = `the key file ${path} lacks ${lost.join(', ')}, which stored credentials are sealed with`
  throw new Fault('system_refused', message, { hint: FILE_HINT })
}

function keyIn(ring: KeyRing, id: string | undefined): VaultKey | undefined {
  return ring.find((key) => key.id === id)
}

const FILE_HINT = 'put back the key file that this server had; MEMCTL_SECRET_KEY_FILE names it'

function missing(path: string): Fault {
  const message = `the key file ${path} is missing, and the storage has a vault that was made with it`
  return new Fault('system_refused', message, { hint: `${FILE_HINT}; several nodes share one file` })
}

function otherKeys(path: string): Fault {
  const message = `the key file ${path} lacks the key of the vault in the storage`
  return new Fault('system_refused', message, { hint: 'give this node the key file of the other nodes' })
}

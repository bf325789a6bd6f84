import { Fault } from '../../../src/contract/faults.ts'
import type { Clock, Ids, Log } from '../../../src/ports.ts'
import type { ConnectorStorage, StaleSecret } from '../../storage/port/connector-storage.ts'
import { type KeyRing, makeVaultKey } from './key-ring.ts'
import type { OpenVault } from './open-vault.ts'

export type RotationParts = {
  vault: OpenVault
  storage: Pick<ConnectorStorage, 'listVaultKeys' | 'changeVaultKey' | 'listStaleSecrets' | 'resealSecret'>
  world: { clock: Clock; ids: Ids; log: Log }
}

type ResealParts = { vault: OpenVault; storage: Pick<ConnectorStorage, 'listStaleSecrets' | 'resealSecret'> }

/** The key that all secrets are sealed with after the rotation, and the number of secrets that were resealed. */
export type Rotation = { keyId: string; resealed: number }

/**
 * Seals all secrets with a new key. Every step leaves everything readable, so the rotation may be interrupted at any
 * step. The key is on the disk before the storage refers to it. From then on nothing is sealed with the old key, which
 * leaves the ring after its last secret was resealed. A second call continues an interrupted rotation, and two
 * concurrent calls share the work.
 *
 * @throws Fault `conflict` if a secret does not open. The others are resealed, and the old keys stay.
 */
export async function rotateKeyRing(parts: RotationParts, signal?: AbortSignal): Promise<Rotation> {
  const { vault, world } = parts
  await changeKey(parts)
  const resealed = await resealAll(parts, { signal })
  const keyId = vault.keys.current().id
  await vault.keys.update((ring) => retireBefore(ring, keyId, world.clock.now()))
  await vault.tidy()
  world.log.info({ vaultKey: keyId, resealed }, 'encrypted all stored credentials with the new vault key')
  return { keyId, resealed }
}

/** The number of attempts to change the key, or to reseal a secret that other callers change meanwhile. */
const TRIES_MAX = 20

/** Makes a new key the current one, or the key of an interrupted rotation. */
async function changeKey({ vault, storage, world }: RotationParts): Promise<void> {
  for (let left = TRIES_MAX; left > 0; left--) {
    const { current } = await storage.listVaultKeys()
    await vault.keys.update((ring) => (isUnderWay(ring, current) ? undefined : [...ring, makeVaultKey(world)]))
    const next = vault.keys.ring().at(-1)
    if (next && (await storage.changeVaultKey(current, next.id))) return await vault.reload()
  }
  throw busy()
}

/** Returns whether a rotation is in progress: the newest key is not current yet, or an older key is not retired. */
function isUnderWay(ring: KeyRing, current: string | undefined): boolean {
  const older = ring.slice(0, -1)
  return ring.at(-1)?.id !== current || older.some(({ retiredAt }) => retiredAt === undefined)
}

/** Returns the ring with all keys before the given one retired at `now`, or undefined if nothing changes. */
function retireBefore(ring: KeyRing, keyId: string, now: number): KeyRing | undefined {
  const place = ring.findIndex(({ id }) => id === keyId)
  const retire = ring.slice(0, Math.max(0, place)).filter(({ retiredAt }) => retiredAt === undefined)
  return retire.length === 0 ? undefined : ring.map((key) => (retire.includes(key) ? { ...key, retiredAt: now } : key))
}

/** The number of secrets that are loaded at a time. */
const PAGE_SECRETS = 100

export type ResealOptions = {
  signal?: AbortSignal | undefined
  /** Called before a secret that does not open is replaced by a placeholder that never opens. By default it stays. */
  onLost?: (lost: StaleSecret) => Promise<void>
}

/**
 * Seals all secrets with the current key. May be interrupted and repeated at any step. Returns the number of secrets
 * that opened.
 *
 * @throws Fault `conflict` if a secret stays that does not open, or if other servers keep changing the keys.
 */
export async function resealAll(parts: ResealParts, { signal, onLost }: ResealOptions): Promise<number> {
  const broken = new Set<string>()
  let resealed = 0
  for (let idle = 0; idle < TRIES_MAX; idle++) {
    signal?.throwIfAborted()
    const page = await parts.storage.listStaleSecrets(PAGE_SECRETS + broken.size)
    const fresh = page.filter((stale) => !broken.has(stale.identity))
    if (fresh.length === 0 && broken.size > 0) throw unreadable(broken.size)
    if (fresh.length === 0) return resealed
    for (const stale of fresh) {
      const became = await reseal(parts, stale, onLost)
      if (became === 'broken') broken.add(stale.identity)
      if (became === 'resealed') resealed++
      if (became !== 'changed') idle = 0
    }
    // If nothing could be resealed, another rotation may have moved on to a later key.
    if (idle > 0) await parts.vault.reload()
  }
  throw busy()
}

/** The content of a placeholder. Its identity is that of no record. */
const NOTHING = Uint8Array.of(0)
const NO_IDENTITY = 'forgotten'

async function reseal(
  { vault, storage }: ResealParts,
  stale: StaleSecret,
  onLost: ResealOptions['onLost']
): Promise<'resealed' | 'changed' | 'broken' | 'replaced'> {
  let plain: Uint8Array
  try {
    plain = await vault.open(stale.secret, stale.identity)
  } catch (error) {
    if (!(error instanceof Fault && error.code === 'damaged_storage')) throw error
    if (onLost === undefined) return 'broken'
    await onLost(stale)
    return (await storage.resealSecret(stale, await vault.seal(NOTHING, NO_IDENTITY))) ? 'replaced' : 'changed'
  }
  return (await storage.resealSecret(stale, await vault.seal(plain, stale.identity))) ? 'resealed' : 'changed'
}

function busy(): Fault {
  return new Fault('conflict', 'other servers are changing the vault keys', { hint: 'try again in a minute' })
}

function unreadable(count: number): Fault {
  const message = `${count} stored secrets cannot be decrypted; all others are encrypted with the new key`
  return new Fault('conflict', message, {
    hint: 'connect the accounts of these secrets again; the old keys are kept'
  })
}

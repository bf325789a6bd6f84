import { Fault } from '../../../src/contract/faults.ts'
import type { Clock, Ids, Log } from '../../../src/ports.ts'
import type { ConnectorStorage, StaleSecret } from '../../storage/port/connector-storage.ts'
import { type KeyRing, makeVaultKey } from './key-ring.ts'
import type { OpenVault } from './open-vault.ts'

export type RotationParts = {
  vault: OpenVault
  storage: Pick<ConnectorStorage, 'vaultKeys' | 'changeVaultKey' | 'staleSecrets' | 'resealSecret'>
  world: { clock: Clock; ids: Ids; log: Log }
}

/** The key that everything is sealed with afterwards, and how many secrets were sealed anew. */
export type Rotation = { keyId: string; resealed: number }

/**
 * Seals all secrets with a new key. Each step leaves everything readable, so it may end at any of them: the key is on the
 * disk before the storage knows it, from then on nothing is sealed with the old one, and that leaves the ring only after
 * the last secret left it. Called again, it goes on where it stopped; two at once do the same work together.
 *
 * @throws Fault `conflict` where a secret does not open: the others are sealed anew, and the old keys stay.
 */
export async function rotateKeyRing(parts: RotationParts, signal?: AbortSignal): Promise<Rotation> {
  const { vault, world } = parts
  await changeKey(parts)
  const resealed = await resealAll(parts, signal)
  const keyId = vault.keys.current().id
  await vault.keys.update((ring) => retireBefore(ring, keyId, world.clock.now()))
  await vault.tidy()
  world.log.info({ vaultKey: keyId, resealed }, 'all stored credentials are sealed with the new key of the vault')
  return { keyId, resealed }
}

/** How often it is tried to be the one who changes the key, or to seal something that others change meanwhile. */
const TRIES_MAX = 20

/** Makes a key, or takes the one of a rotation that was broken off, and makes it the current one. */
async function changeKey({ vault, storage, world }: RotationParts): Promise<void> {
  for (let left = TRIES_MAX; left > 0; left--) {
    const { current } = await storage.vaultKeys()
    await vault.keys.update((ring) => (isUnderWay(ring, current) ? undefined : [...ring, makeVaultKey(world)]))
    const next = vault.keys.ring().at(-1)
    if (next && (await storage.changeVaultKey(current, next.id))) return await vault.reload()
  }
  throw busy()
}

/** Whether the newest key has older ones beside it that were not let go of yet. */
function isUnderWay(ring: KeyRing, current: string | undefined): boolean {
  const older = ring.slice(0, -1)
  return ring.at(-1)?.id !== current || older.some(({ retiredAt }) => retiredAt === undefined)
}

/** Ring with all keys before one retired at `now`. */
function retireBefore(ring: KeyRing, keyId: string, now: number): KeyRing | undefined {
  const place = ring.findIndex(({ id }) => id === keyId)
  const retire = ring.slice(0, Math.max(0, place)).filter(({ retiredAt }) => retiredAt === undefined)
  return retire.length === 0 ? undefined : ring.map((key) => (retire.includes(key) ? { ...key, retiredAt: now } : key))
}

/** How many secrets are taken from the storage at a time. */
const PAGE_SECRETS = 100

async function resealAll(parts: RotationParts, signal: AbortSignal | undefined): Promise<number> {
  const broken = new Set<string>()
  let resealed = 0
  for (let idle = 0; idle < TRIES_MAX; idle++) {
    signal?.throwIfAborted()
    const page = await parts.storage.staleSecrets(PAGE_SECRETS + broken.size)
    const fresh = page.filter((stale) => !broken.has(stale.identity))
    if (fresh.length === 0 && broken.size > 0) throw unreadable(broken.size)
    if (fresh.length === 0) return resealed
    for (const stale of fresh) {
      const became = await reseal(parts, stale)
      if (became === 'broken') broken.add(stale.identity)
      if (became === 'resealed') resealed++
      if (became !== 'changed') idle = 0
    }
    // Where nothing came of it, another rotation may have gone on to a key after this one.
    if (idle > 0) await parts.vault.reload()
  }
  throw busy()
}

async function reseal(
  { vault, storage }: RotationParts,
  stale: StaleSecret
): Promise<'resealed' | 'changed' | 'broken'> {
  let plain: Uint8Array
  try {
    plain = await vault.open(stale.secret, stale.identity)
  } catch (error) {
    if (error instanceof Fault && error.code === 'damaged_storage') return 'broken'
    throw error
  }
  return (await storage.resealSecret(stale, await vault.seal(plain, stale.identity))) ? 'resealed' : 'changed'
}

function busy(): Fault {
  return new Fault('conflict', 'the keys of the vault are being changed by others', { hint: 'try again in a minute' })
}

function unreadable(count: number): Fault {
  const message = `${count} stored secrets do not open, all others are sealed with the new key`
  return new Fault('conflict', message, {
    hint: 'the accounts they belong to have to be linked again; the old keys are kept'
  })
}

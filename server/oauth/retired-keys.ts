import type { VaultKey } from './key-ring.ts'
import type { VaultKeys, VaultKeysParts } from './vault-keys.ts'

/**
 * How long a key stays in the ring after nothing was sealed with it any more, in milliseconds: consents that were begun
 * under it are signed with it, and a node that has not noticed may ask for it.
 */
const RETIRED_MS = 3600 * 1000

/** Takes keys out of the ring that were retired long enough ago and that no secret needs. */
export async function forgetRetiredKeys(
  keys: VaultKeys,
  { storage, world }: Pick<VaultKeysParts, 'storage' | 'world'>
): Promise<void> {
  const now = world.clock.now()
  if (!keys.ring().some((key) => isOver(key, now))) return
  const { current, used } = await storage.vaultKeys()
  await keys.update((ring) => {
    const left = ring.filter((key) => !isOver(key, now) || key.id === current || used.includes(key.id))
    return left.length === ring.length ? undefined : left
  })
}

function isOver({ retiredAt }: VaultKey, now: number): boolean {
  return retiredAt !== undefined && now - retiredAt >= RETIRED_MS
}

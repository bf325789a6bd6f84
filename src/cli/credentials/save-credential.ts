import type { World } from '../../ports.ts'
import { makeSystemFault, refusalFault } from '../input/read-file-bytes.ts'
import { replaceFile } from '../input/replace-file.ts'
import type { LockModuleWorld, WithLock } from '../ports/lazy-modules.ts'
import { type Credential, credentialsPath, readCredentials } from './read-credentials.ts'

/** The ports for writing. The lock prevents concurrent commands from losing each other's changes. */
export type CredentialStore = { world: LockModuleWorld & Pick<World, 'folders'>; withLock: WithLock }

/** Returns the key stored for an origin, if any. */
export function readCredential(world: Pick<World, 'files' | 'folders'>, origin: string): Credential | undefined {
  return readCredentials(world).byOrigin.get(origin)
}

/** Stores a key for an origin and replaces an older one. Resolves with the path of the file once the key is on disk. */
export async function saveCredential(
  vault: CredentialStore,
  origin: string,
  { key, name }: Pick<Credential, 'key' | 'name'>
): Promise<string> {
  const saved_at = new Date(vault.world.clock.now()).toISOString()
  return await change(vault, (byOrigin) => void byOrigin.set(origin, { key, ...(name ? { name } : {}), saved_at }))
}

/** Removes the key of an origin. Returns whether there was one. */
export async function removeCredential(vault: CredentialStore, origin: string): Promise<boolean> {
  if (readCredential(vault.world, origin) === undefined) return false
  let had = false
  await change(vault, (byOrigin) => {
    had = byOrigin.delete(origin)
  })
  return had
}

/** Returns the path of the file, with symbolic links resolved. */
export function credentialsPlace({ files, folders }: Pick<World, 'files' | 'folders'>): string {
  const named = credentialsPath({ folders })
  return makeSystemFault(named, () => (files.findEntry(named)?.kind === 'link' ? files.realPath(named) : named))
}

async function change(
  { world, withLock }: CredentialStore,
  edit: (byOrigin: Map<string, Credential>) => void
): Promise<string> {
  const { files, folders } = world
  makeSystemFault(folders.config, () => files.makeFolders(folders.config))
  const path = credentialsPlace(world)
  await withLock(world, { path }, () => {
    const byOrigin = new Map(readCredentials(world).byOrigin)
    edit(byOrigin)
    const text = `${JSON.stringify(Object.fromEntries(byOrigin), undefined, 2)}\n`
    replaceFile(files, { path }, Buffer.from(text))
  }).catch((error: unknown) => {
    // The lock file is created beside the file, so a read-only disk already refuses the lock.
    throw refusalFault(error, path)
  })
  return path
}

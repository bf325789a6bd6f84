import type { World } from '../../ports.ts'
import { readCredential } from './save-credential.ts'

/**
 * Returns the name under which the admin key of a data folder is stored, in place of an origin. No server has such an address, so
 * the key is only sent to the server of that folder.
 */
export function folderName(dataDir: string): string {
  return `${FOLDER}${dataDir}`
}

/** Checks whether a key is stored for a data folder. */
export function isFolderName(name: string): boolean {
  return name.startsWith(FOLDER)
}

/** Returns the admin key stored for the server of a data folder, if any. */
export function findFolderKey(world: Pick<World, 'files' | 'folders'>, dataDir: string): string | undefined {
  return readCredential(world, folderName(dataDir))?.key
}

const FOLDER = 'file://'

import type { World } from '../../ports.ts'
import { readCredential } from './save-credential.ts'

/**
 * In place of an origin: by which the admin key of a server is kept for its data folder. No server has such an address, so the key
 * goes to the server of that folder and nowhere else.
 */
export function folderName(dataDir: string): string {
  return `${FOLDER}${dataDir}`
}

/** Whether it is by a folder that a key is kept. */
export function isFolderName(name: string): boolean {
  return name.startsWith(FOLDER)
}

/** The admin key that is kept for the server of a data folder, if any. */
export function findFolderKey(world: Pick<World, 'files' | 'folders'>, dataDir: string): string | undefined {
  return readCredential(world, folderName(dataDir))?.key
}

const FOLDER = 'file://'

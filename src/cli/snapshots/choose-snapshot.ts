import { dirname, join, resolve } from 'node:path'
import type { World } from '../../ports.ts'
import type { Settings } from '../settings/settings.ts'

/** Default file name of a snapshot. */
export const SNAPSHOT_NAME = 'memctl.mem.jsonl'

/** The snapshot that a command uses. Only the default one is created automatically, by the first store. */
export type ChosenSnapshot = { path: string; why: 'named' | 'here' | 'default'; where: string | undefined }

/**
 * Returns the snapshot from `--snapshot`, `MEMCTL_SNAPSHOT` or the settings, in this order, or else the file in the current
 * folder, or else the one in the data folder.
 */
export function chooseSnapshot(world: Pick<World, 'files' | 'folders'>, settings: Settings): ChosenSnapshot {
  const { value, origin, where } = settings.get('snapshot')
  if (value !== undefined) {
    const beside = origin === 'project' || origin === 'user' ? dirname(where ?? '') : world.folders.current
    return { path: value === '-' ? '-' : resolve(beside, value), why: 'named', where }
  }
  const here = join(world.folders.current, SNAPSHOT_NAME)
  if (world.files.findEntry(here) !== undefined) return { path: here, why: 'here', where: undefined }
  return { path: join(world.folders.data, SNAPSHOT_NAME), why: 'default', where: undefined }
}

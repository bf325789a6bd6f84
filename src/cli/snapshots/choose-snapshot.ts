import { dirname, join, resolve } from 'node:path'
import type { World } from '../../ports.ts'
import type { Settings } from '../settings/settings.ts'

/** The file name that is looked for where nothing else is said. */
export const SNAPSHOT_NAME = 'memctl.mem.jsonl'

/** Which snapshot a command means. Only the default one is made when something is first stored. */
export type ChosenSnapshot = { path: string; why: 'named' | 'here' | 'default'; where: string | undefined }

/** `--snapshot`, else `MEMCTL_SNAPSHOT`, else the settings, else the file in the current folder, else the data folder's. */
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

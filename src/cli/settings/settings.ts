import { join } from 'node:path'
import { Fault } from '../../contract/faults.ts'
import type { Files, World } from '../../ports.ts'
import { once } from '../input/once.ts'
import { readFileBytes, utf8Text } from '../input/read-file.ts'
import { upward } from '../input/upward.ts'
import {
  checkSettings,
  checkValue,
  type FileSettings,
  PROJECT_FILE,
  parseSettings,
  SETTINGS_BYTES_MAX
} from './settings-file.ts'
import { type SettingKey, type SettingRow, settingRow } from './settings-table.ts'

export type Origin = 'flag' | 'environment' | 'project' | 'user' | 'default'

/** A setting's value and who won. `where` is the flag, the variable or the file. */
export type Resolved = { value: string | undefined; origin: Origin; where: string | undefined }

/** The settings of one run. Files are read at the first question, once. */
export type Settings = {
  get(key: SettingKey): Resolved
  /** The nearest project file upward, if any. */
  project(): FileSettings | undefined
  user(): FileSettings
}

export type SettingsWorld = Pick<World, 'settings' | 'files' | 'folders' | 'preferences'>

/** The settings of one run, `flags` being what its flags said. A fault comes with the question that meets it. */
export function makeSettings(world: SettingsWorld, flags: Partial<Record<SettingKey, string | undefined>>): Settings {
  const project = once(() => findProject(world))
  const user = once(() => checkSettings(world.preferences.path, world.preferences.read()))

  function get(key: SettingKey): Resolved {
    const row = settingRow(key)
    const flag = flags[key]
    if (flag !== undefined) return checked(row, { value: flag, origin: 'flag', where: row.flag })
    const variable = world.settings[row.variable]
    if (variable !== undefined && variable !== '')
      return checked(row, { value: variable, origin: 'environment', where: row.variable })
    return (
      fromFile(project(), key, 'project') ??
      fromFile(user(), key, 'user') ?? { value: row.otherwise, origin: 'default', where: undefined }
    )
  }

  return { get, project, user }
}

function fromFile(file: FileSettings | undefined, key: SettingKey, origin: Origin): Resolved | undefined {
  const value = file?.values[key]
  return value === undefined ? undefined : { value, origin, where: file?.path }
}

/** A flag or variable with a wrong value is a usage fault: nothing on the disk is damaged. */
function checked(row: SettingRow, resolved: { value: string; origin: Origin; where: string | undefined }): Resolved {
  checkValue(row.check, resolved.value, (complaint) => {
    return new Fault('usage', `${resolved.where ?? row.key} ${complaint}`, { hint: 'memctl help environment' })
  })
  return resolved
}

function findProject({ files, folders }: SettingsWorld): FileSettings | undefined {
  for (const folder of upward(folders.current)) {
    const path = join(folder, PROJECT_FILE)
    if (!isThere(files, path)) continue
    const bytes = readFileBytes(files, path, SETTINGS_BYTES_MAX)
    if (bytes !== undefined) return parseSettings(path, utf8Text(bytes, path))
  }
  return undefined
}

/** A folder above that may not be looked into holds no settings for us. */
function isThere(files: Files, path: string): boolean {
  try {
    return files.find(path) !== undefined
  } catch {
    return false
  }
}

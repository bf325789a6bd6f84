import { join } from 'node:path'
import { Fault } from '../../contract/faults.ts'
import type { Files, World } from '../../ports.ts'
import { readFileBytes, utf8Text } from '../input/read-file-bytes.ts'
import { walkUpward } from '../input/read-input-text.ts'
import { once } from '../ports/lazy-modules.ts'
import { SETTINGS_TABLE, type SettingKey, type SettingRow, settingRow } from './settings-table.ts'

type Origin = 'flag' | 'environment' | 'project' | 'user' | 'default'

/** The value of a setting and its origin. `where` is the flag, variable or file. */
export type Resolved = { value: string | undefined; origin: Origin; where: string | undefined }

/** The settings of one run. Files are read once, on first use. */
export type Settings = {
  get(key: SettingKey): Resolved
  /** The nearest project file upward, if any. */
  project(): FileSettings | undefined
  user(): FileSettings
}

type SettingsWorld = Pick<World, 'settings' | 'files' | 'folders' | 'preferences'>

/** Creates the settings of one run. An invalid value throws when it is read. */
export function makeSettings(world: SettingsWorld, flags: Partial<Record<SettingKey, string | undefined>>): Settings {
  const project = once(() => findProject(world))
  const user = once(() => checkSettings(world.preferences.path, world.preferences.read()))

  function get(key: SettingKey): Resolved {
    const row = settingRow(key)
    const flag = flags[key]
    if (flag !== undefined) return checkSetting(row, { value: flag, origin: 'flag', where: row.flag })
    const variable = world.settings[row.variable]
    if (variable !== undefined && variable !== '')
      return checkSetting(row, { value: variable, origin: 'environment', where: row.variable })
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

/** Checks the value of a flag or variable. An invalid one is a usage fault, because no file is damaged. */
function checkSetting(
  row: SettingRow,
  resolved: { value: string; origin: Origin; where: string | undefined }
): Resolved {
  checkValue(row.check, resolved.value, (complaint) => {
    return new Fault('usage', `${resolved.where ?? row.key} ${complaint}`, { hint: 'memctl help environment' })
  })
  return resolved
}

function findProject({ files, folders }: SettingsWorld): FileSettings | undefined {
  for (const folder of walkUpward(folders.current)) {
    const path = join(folder, PROJECT_FILE)
    if (!isThere(files, path)) continue
    const bytes = readFileBytes(files, path, SETTINGS_BYTES_MAX)
    if (bytes !== undefined) return parseSettings(path, utf8Text(bytes, path))
  }
  return undefined
}

/** Reports whether a file exists. A parent folder that cannot be read counts as having none. */
function isThere(files: Files, path: string): boolean {
  try {
    return files.find(path) !== undefined
  } catch {
    return false
  }
}

/** The settings of a file by key. */
type FileSettings = { path: string; values: Readonly<Record<string, string>> }

/** The name of a project's settings file, in the current folder or a parent. */
const PROJECT_FILE = 'memctl.json'

/** Maximum size of a settings file, in bytes. */
const SETTINGS_BYTES_MAX = 1 << 20

/**
 * Parses the values of a settings file. Throws a fault that names the file, the key and the reason for an unknown key
 * or an invalid value: an error is better than a setting that is silently ignored.
 */
function checkSettings(path: string, values: unknown): FileSettings {
  if (values === null || typeof values !== 'object' || Array.isArray(values))
    throw makeDamageFault(path, 'expected a JSON object')
  const known: Record<string, string> = {}
  for (const [key, value] of Object.entries(values)) {
    const row = SETTINGS_TABLE.find((one) => one.key === key)
    if (row === undefined)
      throw makeDamageFault(
        path,
        `unknown setting '${key}': expected ${SETTINGS_TABLE.map((one) => one.key).join(', ')}`
      )
    if (typeof value !== 'string') throw makeDamageFault(path, `expected a text for '${key}'`)
    checkValue(row.check, value, (complaint) => makeDamageFault(path, `${key} ${complaint}`))
    known[key] = value
  }
  return { path, values: known }
}

/** Runs a check, and throws the fault that the caller builds from its complaint, which starts with the value. */
export function checkValue(check: (value: string) => void, value: string, fault: (complaint: string) => Fault): void {
  try {
    check(value)
  } catch (error) {
    throw fault(`'${withoutPassword(value)}' ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Hides the user name and password in an address. */
function withoutPassword(value: string): string {
  return value.replace(/\/\/[^/?#]*@/, '//[secret]@')
}

/** Parses the text of a settings file. */
function parseSettings(path: string, text: string): FileSettings {
  try {
    return checkSettings(path, JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) throw makeDamageFault(path, 'expected JSON', error)
    throw error
  }
}

function makeDamageFault(path: string, why: string, cause?: unknown): Fault {
  return new Fault('invalid_input', `settings file ${path}: ${why}`, { hint: `fix or remove ${path}`, cause })
}

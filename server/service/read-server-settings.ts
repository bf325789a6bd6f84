import { join } from 'node:path'
import { Fault } from '../../src/contract/faults.ts'
import type { Environment, Files, Folders, ServerFlags } from '../../src/ports.ts'
import { readFully } from '../../src/snapshot/file/source.ts'
import { toSystemFault } from '../../src/snapshot/file/to-system-fault.ts'
import { describeJsonFault, parseExact } from '../../src/snapshot/json/json.ts'
import { SERVER_SETTINGS, type ServerSettingName, type ServerSettings } from './server-settings.ts'
import type { SettingDefinition } from './setting-definition.ts'

type SettingsWorld = {
  settings: Environment
  files: Files
  folders: Pick<Folders, 'current' | 'config' | 'data'>
}

/** The effective value of a setting for display. `value` contains no secrets; `where` is its flag, variable or file. */
type DescribedSetting = {
  key: string
  variable: string
  flag: string | null
  value: string | null
  origin: SettingSource['origin']
  where: string | null
}

type ReadSettings = { settings: ServerSettings; describe(): DescribedSetting[] }

/**
 * The settings of a server: flag > variable > config file (`server.json` in the config folder) > default.
 *
 * @throws Fault `usage` for a wrong flag or variable, `invalid_input` for a wrong file, each naming setting and origin.
 */
export function readServerSettings(world: SettingsWorld, flags: ServerFlags = {}): ReadSettings {
  const file = readServerFile(world)
  const all = NAMES.map((name) =>
    readSetting(name, findSource(world, { file, row: SERVER_SETTINGS[name], flag: flags[SERVER_SETTINGS[name].key] }))
  )
  // The rows define the type of each value.
  const settings = Object.fromEntries(all.map(({ name, value }) => [name, value])) as ServerSettings
  return { settings, describe: () => all.map(describeSetting) }
}

const NAMES = Object.keys(SERVER_SETTINGS) as ServerSettingName[]

type Row = SettingDefinition<unknown>

/** The text of a setting and its origin. Relative paths in it start at `folder`. */
type SettingSource = {
  row: Row
  text: string | undefined
  origin: 'flag' | 'environment' | 'file' | 'default'
  where: string | undefined
  folder: string
}

type Sources = { row: Row; flag: string | undefined; file: ServerFile }

function findSource({ settings, folders }: SettingsWorld, { row, flag, file }: Sources): SettingSource {
  const said = { row, folder: folders.current }
  if (flag !== undefined) return { ...said, text: flag, origin: 'flag', where: row.flag }
  const variable = settings[row.variable]
  if (variable !== undefined && variable !== '')
    return { ...said, text: variable, origin: 'environment', where: row.variable }
  const inFile = file.values[row.key]
  if (inFile !== undefined) return { row, text: inFile, origin: 'file', where: file.path, folder: folders.config }
  const text = row === SERVER_SETTINGS.dataDir ? folders.data : row.otherwise
  return { ...said, text, origin: 'default', where: undefined }
}

type ReadSetting = SettingSource & { name: ServerSettingName; value: unknown }

function readSetting(name: ServerSettingName, said: SettingSource): ReadSetting {
  return { ...said, name, value: said.text === undefined ? undefined : parseSetting(said, said.text) }
}

function parseSetting({ row, origin, where, folder }: SettingSource, text: string): unknown {
  try {
    return row.parse(text, { folder })
  } catch (error) {
    if (!(error instanceof Error) || error instanceof Fault) throw error
    const value = row.mask === undefined ? ` '${text}'` : ''
    if (origin === 'file') {
      throw new Fault('invalid_input', `${where}: invalid ${row.key}${value}: ${error.message}`, {
        hint: `edit ${where}`
      })
    }
    throw new Fault('usage', `invalid ${where ?? row.key}${value}: ${error.message}`, {
      hint: 'memctl help environment'
    })
  }
}

function describeSetting({ row, text, origin, where }: ReadSetting): DescribedSetting {
  const value = text === undefined || row.mask === undefined ? text : row.mask(text)
  return {
    key: row.key,
    variable: row.variable,
    flag: row.flag ?? null,
    value: value ?? null,
    origin,
    where: where ?? null
  }
}

/** The config file's path and its values by key. They are empty if there is no file. */
type ServerFile = { path: string; values: Readonly<Record<string, string>> }

/** Returns the path of the config file. */
export function serverFilePath({ config }: Pick<Folders, 'config'>): string {
  return join(config, 'server.json')
}

type FileWorld = { files: Files; folders: Pick<Folders, 'config'> }

/**
 * Reads `server.json` of the config folder: flat JSON, each value a text or a number.
 *
 * @throws Fault `invalid_input` with the file's path if it is not such a file, has an unknown key, or has a secret and
 * can be read by other users; `system_refused`.
 */
export function readServerFile({ files, folders }: FileWorld): ServerFile {
  const path = serverFilePath(folders)
  const found = refusable(path, () => readIfThere(files, path))
  if (found === undefined) return { path, values: {} }
  const values = parseValues(path, found.bytes)
  const secret = ROWS.find((row) => row.mask !== undefined && values[row.key] !== undefined)
  if (secret !== undefined && (found.mode & OTHERS) !== 0) {
    throw new Fault('invalid_input', `${path} contains the secret ${secret.key}, but other users can read the file`, {
      hint: `chmod 600 '${path}'`
    })
  }
  return { path, values }
}

const ROWS = Object.values(SERVER_SETTINGS)

/** The bits of a file mode that give access to group and others. */
const OTHERS = 0o077

/** In bytes. */
const FILE_BYTES_MAX = 1024 * 1024

function readIfThere(files: Files, path: string): { bytes: Uint8Array; mode: number } | undefined {
  const facts = files.find(path)
  if (facts === undefined) return undefined
  if (facts.kind !== 'file' || facts.size > FILE_BYTES_MAX)
    throw makeDamageFault(path, `expected a regular file of at most ${FILE_BYTES_MAX} bytes`)
  const fd = files.open(files.realPath(path), 'read')
  try {
    const into = new Uint8Array(facts.size)
    return { bytes: into.subarray(0, readFully(files, { fd, into, at: 0 })), mode: facts.mode }
  } finally {
    files.close(fd)
  }
}

function parseValues(path: string, bytes: Uint8Array): Record<string, string> {
  const parsed = parseExact(Buffer.from(bytes))
  if (!('value' in parsed)) throw makeDamageFault(path, `the file ${describeJsonFault(parsed.fault)}`)
  const { value } = parsed
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw makeDamageFault(path, 'expected a JSON object')
  const known = new Set<string>(ROWS.map(({ key }) => key))
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      if (!known.has(key))
        throw makeDamageFault(path, `unknown setting '${key}'`, 'list the settings: memctl help environment')
      if (typeof one !== 'string' && typeof one !== 'number')
        throw makeDamageFault(path, `'${key}' must be a text or a number`)
      return [key, String(one)]
    })
  )
}

function refusable<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw toSystemFault(error, `read ${path}`)
  }
}

function makeDamageFault(path: string, why: string, hint = `fix or remove ${path}`): Fault {
  return new Fault('invalid_input', `invalid settings file ${path}: ${why}`, { hint })
}

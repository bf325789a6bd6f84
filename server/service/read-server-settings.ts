import { Fault } from '../../src/contract/faults.ts'
import type { Environment, Files, Folders, ServerFlags } from '../../src/ports.ts'
import { readServerFile, type ServerFile } from './server-settings-file.ts'
import {
  SERVER_SETTINGS,
  type ServerSettingName,
  type ServerSettingRow,
  type ServerSettings
} from './server-settings-table.ts'

export type SettingsWorld = {
  settings: Environment
  files: Files
  folders: Pick<Folders, 'current' | 'config' | 'data'>
}

/** One setting as it holds, for people: `value` is without secrets, `where` the flag, variable or file that said it. */
export type DescribedSetting = {
  key: string
  variable: string
  flag: string | null
  value: string | null
  origin: Said['origin']
  where: string | null
}

export type ReadSettings = { settings: ServerSettings; describe(): DescribedSetting[] }

/**
 * The settings of a server: flag > variable > config file (`server.json` in the config folder) > default.
 *
 * @throws Fault `usage` for a wrong flag or variable, `invalid_input` for a wrong file, each naming setting and origin.
 */
export function readServerSettings(world: SettingsWorld, flags: ServerFlags = {}): ReadSettings {
  const file = readServerFile(world)
  const all = NAMES.map((name) =>
    read(name, saidOf(world, { file, row: SERVER_SETTINGS[name], flag: flags[SERVER_SETTINGS[name].key] }))
  )
  // The rows say of which type each value is.
  const settings = Object.fromEntries(all.map(({ name, value }) => [name, value])) as ServerSettings
  return { settings, describe: () => all.map(described) }
}

const NAMES = Object.keys(SERVER_SETTINGS) as ServerSettingName[]

type Row = ServerSettingRow<unknown>

/** What was said of a setting, by whom, and where relative paths in it start. */
type Said = {
  row: Row
  text: string | undefined
  origin: 'flag' | 'environment' | 'file' | 'default'
  where: string | undefined
  folder: string
}

type Sources = { row: Row; flag: string | undefined; file: ServerFile }

function saidOf({ settings, folders }: SettingsWorld, { row, flag, file }: Sources): Said {
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

type Read = Said & { name: ServerSettingName; value: unknown }

function read(name: ServerSettingName, said: Said): Read {
  return { ...said, name, value: said.text === undefined ? undefined : parsed(said, said.text) }
}

function parsed({ row, origin, where, folder }: Said, text: string): unknown {
  try {
    return row.parse(text, { folder })
  } catch (error) {
    if (!(error instanceof Error) || error instanceof Fault) throw error
    const value = row.masked === undefined ? ` '${text}'` : ''
    if (origin === 'file') {
      throw new Fault('invalid_input', `${where}: ${row.key}${value} ${error.message}`, { hint: `mend ${where}` })
    }
    throw new Fault('usage', `${where ?? row.key}${value} ${error.message}`, { hint: 'memctl help environment' })
  }
}

function described({ row, text, origin, where }: Read): DescribedSetting {
  const value = text === undefined || row.masked === undefined ? text : row.masked(text)
  return {
    key: row.key,
    variable: row.variable,
    flag: row.flag ?? null,
    value: value ?? null,
    origin,
    where: where ?? null
  }
}

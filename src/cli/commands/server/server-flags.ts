import { resolve } from 'node:path'
import { Fault } from '../../../contract/faults.ts'
import type { ServerFlags } from '../../../ports.ts'
import type { Given, OptionRow } from '../../command.ts'
import type { Context } from '../../context.ts'
import { textOption } from '../../input/option-values.ts'
import type { ServerHost } from '../../server-host.ts'

/** For every command about the server of a data folder. */
export const DATA_DIR_OPTION: OptionRow = {
  flags: '--data-dir <folder>',
  about: "the server's folder; by default MEMCTL_DATA_DIR, else the user's data folder"
}

export const SERVER_OPTIONS: readonly OptionRow[] = [
  { flags: '--port <n>', about: 'the port; 8787 by default, 0 takes a free one and says which' },
  { flags: '--host <address>', about: 'where to listen; 127.0.0.1 by default, which only this machine reaches' },
  DATA_DIR_OPTION,
  { flags: '--database-url <url>', about: 'postgres://…: keep everything there, so that several servers can share it' },
  { flags: '--log-level <level>', about: 'error, info, debug or silent; info by default' }
]

/** By the key of the setting: the name of its flag among the options. */
const OPTION_OF: Readonly<Record<string, string>> = {
  port: 'port',
  host: 'host',
  data_dir: 'dataDir',
  database_url: 'databaseUrl',
  log_level: 'logLevel'
}

/** What was given, by the key of the setting. A folder is meant from where the command was given. */
export function serverFlags(options: Given['options']): ServerFlags {
  const given = Object.entries(OPTION_OF).map(([key, name]) => [key, textOption(options, name)] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}

/**
 * What starts the same server once more. The address of a database may have a password in it, so it goes by the environment,
 * which others of the machine cannot read.
 */
export function startWords(flags: ServerFlags): { args: string[]; environment: Record<string, string> } {
  const { database_url, ...others } = flags
  const words = Object.entries(others).map(([key, value]) => `--${key.replaceAll('_', '-')}=${value}`)
  return {
    args: ['server', 'start', '--json', ...words],
    environment: database_url === undefined ? {} : { MEMCTL_DATABASE_URL: database_url }
  }
}

/** The folder of the server that a command means, absolute. */
export async function dataFolder(context: Context, host: ServerHost, flags: ServerFlags): Promise<string> {
  const settings = await host.settings(flags)
  const value = settings.find(({ key }) => key === 'data_dir')?.value
  if (value === undefined || value === null) throw new Fault('internal', 'the server has no data folder')
  return resolve(context.world.folders.current, value)
}

import type { ServerFlags } from '../../../ports.ts'
import { type CommandLine, type OptionRow, textOption } from '../../input/command-line.ts'
import { shellWord } from '../../output/short-forms.ts'

/** For every command about the server of a data folder. */
export const DATA_DIR_OPTION: OptionRow = {
  flags: '--data-dir <folder>',
  about: 'data folder of the server (default: MEMCTL_DATA_DIR, else your data folder)'
}

/** The same of one that keeps everything in PostgreSQL. */
export const DATABASE_URL_OPTION: OptionRow = {
  flags: '--database-url <url>',
  about: 'PostgreSQL database (postgres://…) that several servers can share'
}

export const SERVER_OPTIONS: readonly OptionRow[] = [
  { flags: '--port <n>', about: 'port (default: 8787); 0 chooses a free port and prints it' },
  { flags: '--host <address>', about: 'listening address (default: 127.0.0.1, reachable only from this machine)' },
  DATA_DIR_OPTION,
  DATABASE_URL_OPTION,
  { flags: '--log-level <level>', about: 'error, info, debug or silent (default: info)' }
]

/** Of `memctl server start` alone: nothing that a setting could say at every start. */
export const NEW_ADMIN_KEY = '--new-admin-key'
export const NEW_STORE = '--new-store'

/** By the key of the setting: the name of its flag among the options. */
const OPTION_OF: Readonly<Record<string, string>> = {
  port: 'port',
  host: 'host',
  data_dir: 'dataDir',
  database_url: 'databaseUrl',
  log_level: 'logLevel'
}

/** What was given, by the key of the setting. A folder is meant from where the command was given. */
export function serverFlags(options: CommandLine['options']): ServerFlags {
  const given = Object.entries(OPTION_OF).map(([key, name]) => [key, textOption(options, name)] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}

/**
 * What starts the same server once more. The address of a database may have a password in it, so it goes by the environment,
 * which others of the machine cannot read.
 */
export function startWords(flags: ServerFlags): { args: string[]; environment: Record<string, string> } {
  const { database_url, ...others } = flags
  const words = Object.entries(others).map(([key, value]) => `${toFlag(key)}=${value}`)
  return {
    args: ['server', 'start', '--json', ...words],
    environment: database_url === undefined ? {} : { MEMCTL_DATABASE_URL: database_url }
  }
}

/** The same as a person would type it, with further flags. An address of a database that has a password in it is left to them. */
export function startLine(flags: ServerFlags, more: readonly string[]): string {
  const words = Object.entries(flags).flatMap(([key, value = '']) => [toFlag(key), formatValue(key, value)])
  return ['memctl server start', ...words, ...more].join(' ')
}

function toFlag(key: string): string {
  return `--${key.replaceAll('_', '-')}`
}

function formatValue(key: string, value: string): string {
  return key === 'database_url' && !(URL.canParse(value) && isOpen(new URL(value))) ? 'URL' : shellWord(value)
}

/** Whether an address has nothing secret in it. */
function isOpen({ password, search }: URL): boolean {
  return password === '' && search === ''
}

import type { ServerFlags } from '../../../ports.ts'
import { type CommandLine, type OptionRow, textOption } from '../../input/command-line.ts'
import { shellWord } from '../../output/short-forms.ts'

/** The option of every command that uses the data folder of a server. */
export const DATA_DIR_OPTION: OptionRow = {
  flags: '--data-dir <folder>',
  about: 'data folder of the server (default: MEMCTL_DATA_DIR, else your data folder)'
}

/** The option for a server that stores everything in PostgreSQL. */
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

/** Flags that only `memctl server start` has, because they apply to one start and are not settings. */
export const NEW_ADMIN_KEY = '--new-admin-key'
export const NEW_STORE = '--new-store'

/** The option name for the key of each setting. */
const OPTION_OF: Readonly<Record<string, string>> = {
  port: 'port',
  host: 'host',
  data_dir: 'dataDir',
  database_url: 'databaseUrl',
  log_level: 'logLevel'
}

/** Returns the given flags by the keys of their settings. A relative folder is relative to the current folder. */
export function serverFlags(options: CommandLine['options']): ServerFlags {
  const given = Object.entries(OPTION_OF).map(([key, name]) => [key, textOption(options, name)] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}

/**
 * Returns the arguments and variables that start the same server again. The address of a database may contain a
 * password, so it is passed in the environment, which other users cannot read.
 */
export function startWords(flags: ServerFlags): { args: string[]; environment: Record<string, string> } {
  const { database_url, ...others } = flags
  const words = Object.entries(others).map(([key, value]) => `${toFlag(key)}=${value}`)
  return {
    args: ['server', 'start', '--json', ...words],
    environment: database_url === undefined ? {} : { MEMCTL_DATABASE_URL: database_url }
  }
}

/**
 * Returns the start command as a person would type it, with further flags. Replaces the address of a database by `URL`
 * if it may contain a password.
 */
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

/** Reports whether an address contains no secret. */
function isOpen({ password, search }: URL): boolean {
  return password === '' && search === ''
}

import type { Context } from '../../command/context.ts'
import { drawRows, type HelpRow } from '../../output/draw-help.ts'
import type { ListView } from '../../output/result-writer.ts'
import { SETTINGS_TABLE } from '../../settings/settings-table.ts'

/** An environment variable. `setting` is its name in a settings file, if it can be kept in one. */
export type EnvironmentRow = { variable: string; setting: string | null; default: string | null; about: string }

/** Variables that no settings file can contain, with their descriptions. */
const VARIABLES: Readonly<Record<string, string>> = {
  MEMCTL_CONFIG_DIR: 'folder of settings and credentials',
  MEMCTL_DATA_DIR: 'folder of the default snapshot and of the server',
  MEMCTL_CACHE_DIR: 'folder of search indexes; can be deleted at any time',
  MEMCTL_API_KEY:
    'API key for the server, instead of the one that auth login saved; not sent to a server that only memctl.json names',
  MEMCTL_API_KEY_FILE: 'file that contains the API key, with the same restriction',
  MEMCTL_API_KEY_COMMAND:
    'program that prints the API key within 60 s, with its arguments; quotes keep words together; runs without a shell',
  PAGER: 'program for long help, lists and logs in an interactive session, with its arguments; runs without a shell',
  NO_COLOR: 'disable colors if not empty',
  FORCE_COLOR: 'use colors without a terminal too; 0 disables them',
  TERM: 'dumb disables colors and redrawing; prompts are plain lines, and lists to pick from need flags instead',
  CI: 'disable prompts',
  HTTPS_PROXY: 'proxy of the server for https requests to providers, such as http://proxy.example:3128',
  HTTP_PROXY: 'the same for http requests, and for https without HTTPS_PROXY',
  NO_PROXY: 'hosts and domains that need no proxy, separated by commas; this machine never does'
}

/** `memctl help environment`. */
export async function answerEnvironment(context: Context): Promise<void> {
  await context.answer.list(await environmentRows(context), VIEW)
}

/** Lists every variable that memctl or its server reads. */
export async function environmentRows({ modules }: Pick<Context, 'modules'>): Promise<EnvironmentRow[]> {
  const rows = SETTINGS_TABLE.map((row): EnvironmentRow => {
    return { variable: row.variable, setting: row.key, default: row.otherwise ?? null, about: row.about }
  })
  const others = Object.entries(VARIABLES).map(([variable, about]): EnvironmentRow => {
    return { variable, setting: null, default: null, about }
  })
  const own = [...rows, ...others]
  const host = await modules.server()
  const ofServer = (await host.table()).map(({ key, variable, otherwise, about }): EnvironmentRow => {
    return { variable, setting: `server: ${key}`, default: otherwise, about }
  })
  const known = new Set(own.map(({ variable }) => variable))
  return [...own, ...ofServer.filter(({ variable }) => !known.has(variable))]
}

const VIEW: ListView<EnvironmentRow> = {
  columns: [
    { name: 'variable', value: (row) => row.variable },
    { name: 'setting', value: (row) => row.setting, leaves: 1 },
    { name: 'default', value: (row) => row.default, leaves: 2 },
    { name: 'about', value: (row) => row.about, flexible: true }
  ],
  json: (row) => row,
  lines: (rows, { columns }) => drawRows(rows.map(toHelpRow), columns).map((line) => [line])
}

function toHelpRow({ variable, setting, default: otherwise, about }: EnvironmentRow): HelpRow {
  const more = [
    ...(setting === null ? [] : [`setting: ${setting}`]),
    ...(otherwise === null ? [] : [`default: ${otherwise}`])
  ]
  return [variable, more.length === 0 ? about : `${about} (${more.join('; ')})`]
}

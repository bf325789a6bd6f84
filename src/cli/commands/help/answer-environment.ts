import type { Context } from '../../command/context.ts'
import type { ListView } from '../../output/result-writer.ts'
import { SETTINGS_TABLE } from '../../settings/settings-table.ts'

/** A variable of the environment. `setting` is what keeps the same in a file. */
export type EnvironmentRow = { variable: string; setting: string | null; default: string | null; about: string }

/** Variables that are no settings: nobody keeps them in a file. */
const OTHERS: readonly EnvironmentRow[] = [
  { variable: 'MEMCTL_CONFIG_DIR', setting: null, default: null, about: 'folder of the settings' },
  {
    variable: 'MEMCTL_DATA_DIR',
    setting: null,
    default: null,
    about: 'folder of the default snapshot, and of the server'
  },
  {
    variable: 'MEMCTL_CACHE_DIR',
    setting: null,
    default: null,
    about: 'folder of search indexes; can be deleted at any time'
  },
  {
    variable: 'MEMCTL_API_KEY',
    setting: null,
    default: null,
    about:
      'the key for the server, in place of the one that auth login keeps; not for a server that only memctl.json names'
  },
  { variable: 'MEMCTL_API_KEY_FILE', setting: null, default: null, about: 'file with the key, likewise' },
  {
    variable: 'MEMCTL_API_KEY_COMMAND',
    setting: null,
    default: null,
    about: 'program that prints the key, with its arguments; quotes keep words together; no shell; 60 s at most'
  },
  { variable: 'NO_COLOR', setting: null, default: null, about: 'no colours, when it is not empty' },
  { variable: 'FORCE_COLOR', setting: null, default: null, about: 'colours also where no terminal is; 0 for none' },
  {
    variable: 'TERM',
    setting: null,
    default: null,
    about:
      'dumb: no colours and nothing drawn over; questions are plain lines, and what is picked from a list needs flags'
  },
  { variable: 'CI', setting: null, default: null, about: 'nobody is there to answer: never ask' }
]

/** `memctl help environment`. */
export async function answerEnvironment(context: Context): Promise<void> {
  await context.answer.list(await environmentRows(context), VIEW)
}

/** Every variable that is read, from the tables of settings: of this program and of the server. */
export async function environmentRows({ modules }: Pick<Context, 'modules'>): Promise<EnvironmentRow[]> {
  const rows = SETTINGS_TABLE.map((row): EnvironmentRow => {
    return { variable: row.variable, setting: row.key, default: row.otherwise ?? null, about: row.about }
  })
  const own = [...rows, ...OTHERS]
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
  json: (row) => row
}

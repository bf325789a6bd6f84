import { Fault } from '../../contract/faults.ts'
import { defineCommand, type Entry } from '../command/command.ts'
import type { Context } from '../command/context.ts'
import { makeSystemFault } from '../input/read-file-bytes.ts'
import { resolveInputPath } from '../input/read-input-text.ts'
import type { ListView } from '../output/result-writer.ts'
import { checkValue, type Resolved } from '../settings/settings.ts'
import { SETTINGS_TABLE, type SettingKey, settingRow } from '../settings/settings-table.ts'
import { chooseSnapshot } from '../snapshots/choose-snapshot.ts'

type Row = { key: string; value: string | null; origin: string; where: string | null }

const listSettingsCommand = defineCommand<{ showOrigin: boolean }>({
  name: 'list',
  summary: 'List all settings with their effective values',
  options: [{ flags: '--show-origin', about: 'show the origin of each value' }],
  about: 'Order of precedence: flags, MEMCTL_ variables, the nearest memctl.json upward, your user settings, defaults.',
  examples: ['memctl config list --show-origin'],
  pages: () => true,
  leaves: 'Nothing was changed',
  parse: ({ options }) => ({ showOrigin: options.showOrigin === true }),
  run: async (context, { showOrigin }) => {
    const rows = SETTINGS_TABLE.map(({ key }): Row => {
      const { value, origin, where } = settingValue(context, key)
      return { key, value: value ?? null, origin, where: where ?? null }
    })
    await context.answer.list(rows, showOrigin ? WITH_ORIGIN : PLAIN)
  }
})

const PLAIN: ListView<Row> = {
  columns: [
    { name: 'key', value: (row) => row.key },
    { name: 'value', value: (row) => row.value, flexible: true }
  ],
  json: ({ key, value }) => ({ key, value })
}

const WITH_ORIGIN: ListView<Row> = {
  columns: [
    ...PLAIN.columns,
    { name: 'origin', value: (row) => row.origin },
    { name: 'where', value: (row) => row.where, flexible: true }
  ],
  json: (row) => row
}

const getSettingCommand = defineCommand<{ key: string; showOrigin: boolean }>({
  name: 'get',
  summary: 'Print the value of a setting',
  words: [{ name: '<key>', about: 'name of the setting' }],
  options: [{ flags: '--show-origin', about: 'show the origin of the value' }],
  examples: ['memctl config get server'],
  leaves: 'Nothing was changed',
  parse: ({ words, options }) => ({ key: words[0] ?? '', showOrigin: options.showOrigin === true }),
  run: async (context, { key, showOrigin }) => {
    const row = settingRow(key)
    const { value, origin, where } = settingValue(context, row.key)
    if (value === undefined) {
      throw new Fault('not_found', `the setting '${key}' has no value`, {
        hint: `memctl config set ${key} VALUE, or ${row.variable}`
      })
    }
    const words = showOrigin ? [value, origin, where ?? ''] : [value]
    await context.answer.object(
      { key, value, origin, where: where ?? null },
      { lines: () => [[words.filter((word) => word !== '').join('  ')]], rows: () => [words] }
    )
  }
})

const setSettingCommand = defineCommand<{ key: string; value: string }>({
  name: 'set',
  summary: 'Save a value in your user settings',
  words: [
    { name: '<key>', about: 'name of the setting' },
    { name: '<value>', about: 'new value' }
  ],
  options: [],
  examples: ['memctl config set snapshot ~/notes.mem.jsonl', 'memctl config set lock_wait 10s'],
  leaves: 'The settings file is either unchanged or completely updated',
  parse: ({ words }) => ({ key: words[0] ?? '', value: words[1] ?? '' }),
  run: async (context, { key, value }) => {
    const { preferences, files, folders } = context.world
    const row = settingRow(key)
    checkValue(
      row.check,
      value,
      (complaint) => new Fault('usage', `${key} ${complaint}`, { hint: 'memctl help environment' })
    )
    context.settings.user()
    const kept = row.key === 'snapshot' ? resolveInputPath(context.world, value) : value
    makeSystemFault(folders.config, () => files.makeFolders(folders.config))
    await preferences.write(row.key, kept)
    const now = context.settings.get(row.key)
    if (now.origin === 'flag' || now.origin === 'environment' || now.origin === 'project') {
      await context.diagnostics.warn(`${now.where ?? now.origin} still overrides this setting here: ${now.value ?? ''}`)
    }
    await context.answer.object(
      { key, value: kept, path: preferences.path },
      { lines: () => [[`${key} is now ${kept}`]], rows: () => [[kept]] }
    )
  }
})

const unsetSettingCommand = defineCommand<{ key: string }>({
  name: 'unset',
  summary: 'Remove a value from your user settings',
  words: [{ name: '<key>', about: 'name of the setting' }],
  options: [],
  examples: ['memctl config unset snapshot'],
  leaves: 'The settings file is either unchanged or completely updated',
  parse: ({ words }) => ({ key: words[0] ?? '' }),
  run: async (context, { key }) => {
    const { preferences } = context.world
    const row = settingRow(key)
    const before = context.settings.user().values[row.key]
    if (before !== undefined) await preferences.remove(row.key)
    const said = before === undefined ? `${key} was not set` : `${key} is no longer set`
    await context.answer.object(
      { key, removed: before !== undefined, path: preferences.path },
      { lines: () => [[said]], rows: () => [[key, before !== undefined]] }
    )
  }
})

const settingsPathCommand = defineCommand<Record<string, never>>({
  name: 'path',
  summary: 'Print the path of your user settings file',
  options: [],
  examples: ['memctl config path', 'cat "$(memctl config path)"'],
  leaves: 'Nothing was changed',
  parse: () => ({}),
  run: async (context) => {
    const user = context.world.preferences.path
    const project = context.settings.project()?.path ?? null
    await context.answer.object({ user, project }, { lines: () => [[user]], rows: () => [[user]] })
  }
})

/**
 * Builds the view of a setting and its effective value. For the default snapshot, the value is the file that a command
 * would use.
 */
function settingValue({ world, settings }: Context, key: SettingKey): Resolved {
  const resolved = settings.get(key)
  if (key !== 'snapshot' || resolved.value !== undefined) return resolved
  return { ...resolved, value: chooseSnapshot(world, settings).path }
}

/** The subcommands of `memctl config`. */
export const CONFIG_COMMANDS: readonly Entry[] = [
  listSettingsCommand,
  getSettingCommand,
  setSettingCommand,
  unsetSettingCommand,
  settingsPathCommand
]

import { defineCommand } from '../../command.ts'
import { settingRow } from '../../settings/settings-table.ts'

export const unsetSetting = defineCommand<{ key: string }>({
  name: 'unset',
  summary: 'take a value out of the settings of this user',
  words: [{ name: '<key>', about: 'name of the setting' }],
  options: [],
  examples: ['memctl config unset snapshot'],
  leaves: 'The settings file is the old one or the new one, whole',
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

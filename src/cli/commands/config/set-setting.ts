import { Fault } from '../../../contract/faults.ts'
import { defineCommand } from '../../command.ts'
import { refusedBySystem } from '../../input/read-file.ts'
import { inputPath } from '../../input/read-input.ts'
import { checkValue } from '../../settings/settings-file.ts'
import { settingRow } from '../../settings/settings-table.ts'

export const setSetting = defineCommand<{ key: string; value: string }>({
  name: 'set',
  summary: 'keep a value in the settings of this user',
  words: [
    { name: '<key>', about: 'name of the setting' },
    { name: '<value>', about: 'its value' }
  ],
  options: [],
  examples: ['memctl config set snapshot ~/notes.mem.jsonl', 'memctl config set lock_wait 10s'],
  leaves: 'The settings file is the old one or the new one, whole',
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
    const kept = row.key === 'snapshot' ? inputPath(context.world, value) : value
    refusedBySystem(folders.config, () => files.makeFolders(folders.config))
    await preferences.write(row.key, kept)
    const now = context.settings.get(row.key)
    if (now.origin === 'flag' || now.origin === 'environment' || now.origin === 'project') {
      await context.talk.warn(`${now.where ?? now.origin} still wins here: ${now.value ?? ''}`)
    }
    await context.answer.object(
      { key, value: kept, path: preferences.path },
      { lines: () => [[`${key} is now ${kept}`]], rows: () => [[kept]] }
    )
  }
})

import { Fault } from '../../../contract/faults.ts'
import { defineCommand } from '../../command.ts'
import { settingRow } from '../../settings/settings-table.ts'
import { settingValue } from './setting-value.ts'

export const getSetting = defineCommand<{ key: string; showOrigin: boolean }>({
  name: 'get',
  summary: 'the value of one setting',
  words: [{ name: '<key>', about: 'name of the setting' }],
  options: [{ flags: '--show-origin', about: 'say where the value comes from' }],
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

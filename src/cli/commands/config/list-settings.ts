import { defineCommand } from '../../command.ts'
import type { ListView } from '../../output/answer.ts'
import { SETTINGS } from '../../settings/settings-table.ts'
import { settingValue } from './setting-value.ts'

type Row = { key: string; value: string | null; origin: string; where: string | null }

export const listSettings = defineCommand<{ showOrigin: boolean }>({
  name: 'list',
  summary: 'all settings as they hold here',
  options: [{ flags: '--show-origin', about: 'say where each value comes from' }],
  about:
    'A flag wins over a MEMCTL_ variable, that over the nearest memctl.json upward, that over the settings of this user.',
  examples: ['memctl config list --show-origin'],
  leaves: 'Nothing was changed',
  parse: ({ options }) => ({ showOrigin: options.showOrigin === true }),
  run: async (context, { showOrigin }) => {
    const rows = SETTINGS.map(({ key }): Row => {
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

import { defineCommand } from '../../command.ts'

export const settingsPath = defineCommand<Record<string, never>>({
  name: 'path',
  summary: 'where the settings of this user are kept',
  options: [],
  leaves: 'Nothing was changed',
  parse: () => ({}),
  run: async (context) => {
    const user = context.world.preferences.path
    const project = context.settings.project()?.path ?? null
    await context.answer.object({ user, project }, { lines: () => [[user]], rows: () => [[user]] })
  }
})

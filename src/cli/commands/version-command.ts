import { defineCommand } from '../command/command.ts'
import { VERSION } from '../command/version.ts'

export const versionCommand = defineCommand<Record<string, never>>({
  name: 'version',
  summary: 'Print the version of memctl',
  options: [],
  examples: ['memctl version', 'memctl version --json'],
  leaves: 'Nothing was changed',
  parse: () => ({}),
  run: async (context) => {
    const value = { version: VERSION, snapshot_format: 1 }
    await context.answer.object(value, { lines: () => [[`memctl ${VERSION}`]], rows: () => [[VERSION]] })
  }
})

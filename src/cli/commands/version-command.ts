import { defineCommand } from '../command/command.ts'
import { VERSION } from '../command/version.ts'

export const versionCommand = defineCommand<Record<string, never>>({
  name: 'version',
  summary: 'version of memctl and of what it runs on',
  options: [],
  leaves: 'Nothing was changed',
  parse: () => ({}),
  run: async (context) => {
    const value = { version: VERSION, snapshot_format: 1 }
    await context.answer.object(value, { lines: () => [[`memctl ${VERSION}`]], rows: () => [[VERSION]] })
  }
})

import { defineCommand } from '../command.ts'
import { VERSION } from '../version.ts'

export const version = defineCommand<Record<string, never>>({
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

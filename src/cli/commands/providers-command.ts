import { defineCommand } from '../command/command.ts'

export const providersCommand = defineCommand<Record<string, never>>({
  name: 'providers',
  summary: 'List the providers that the server offers',
  options: [],
  examples: ['memctl providers', 'memctl providers --json'],
  leaves: 'Nothing was changed',
  parse: () => ({}),
  run: async (context) => {
    const client = await context.client()
    const providers = await client.listProviders()
    if (context.answer.mode === 'json') return await context.answer.jsonLine(providers)
    const rows = providers.map((provider) => ({ provider }))
    await context.answer.list(rows, {
      columns: [{ name: 'provider', value: (row) => row.provider }],
      json: (row) => row
    })
  }
})

import { defineCommand } from '../../command.ts'
import { KEY_LIST } from '../../views/key-list.ts'

export const listKeys = defineCommand<Record<string, never>>({
  name: 'list',
  summary: 'the keys that are valid (admin)',
  options: [],
  about:
    'Never shows a secret: nobody has it any more but who was given it. A table has as much of each id as other commands need; a ' +
    'pipe and --json have all of it.',
  examples: ['memctl keys list'],
  leaves: 'Nothing was changed',
  parse: () => ({}),
  run: async (context) => {
    const client = await context.client()
    await context.answer.list(await client.listKeys(), KEY_LIST)
  }
})

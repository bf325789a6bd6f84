import { defineCommand } from '../../command.ts'
import { recordLines } from '../../views/record-card.ts'
import { recordJson } from '../../views/record-json.ts'
import { readSnapshot } from './open-snapshot.ts'

export const show = defineCommand<{ id: string }>({
  name: 'show',
  summary: 'show one memory whole',
  words: [{ name: '<id>', about: 'id of a memory, or its first 6 characters or more' }],
  options: [],
  examples: ['memctl device show mem_4be0c1', 'memctl device show mem_4be0c1 --fields text'],
  blocks: true,
  leaves: 'Showing changes nothing',
  parse: ({ words }) => ({ id: words[0] ?? '' }),
  run: async (context, { id }) => {
    await readSnapshot(context, async (device) => {
      const { record } = device.show(id)
      await context.answer.object(recordJson(record), { lines: (page) => recordLines(record, page) })
    })
  }
})

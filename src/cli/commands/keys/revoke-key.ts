import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { findById } from '../../service/find-by-id.ts'
import { GUID } from '../../settings/settings-table.ts'

export const revokeKey = defineCommand<{ id: string }>({
  name: 'revoke',
  summary: 'end a key, for good (admin)',
  words: [{ name: '<id>', about: 'its id, or the first 6 characters or more' }],
  options: [],
  about: 'Every server that works with it refuses the key within a second. The last admin key cannot be revoked.',
  examples: ['memctl keys revoke 018f3a'],
  leaves: 'It was revoked or it was not: memctl keys list tells',
  parse: ({ words }) => ({ id: words[0] ?? '' }),
  run: async (context, { id }) => {
    const client = await context.client()
    const key_id = await keyId(context, id)
    const { message } = await client.revokeKey({ params: { key_id } })
    await context.answer.object({ message }, { lines: () => [[message]], rows: () => [[key_id]] })
  }
})

async function keyId(context: Context, given: string): Promise<string> {
  if (GUID.test(given)) return given.toLowerCase()
  const client = await context.client()
  return findById(await client.listKeys(), given, { noun: 'key', list: 'memctl keys list' }).id
}

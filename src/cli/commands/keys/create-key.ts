import type { Grant } from '../../../contract/endpoints/keys.ts'
import { Fault } from '../../../contract/faults.ts'
import { defineCommand, type Given } from '../../command.ts'
import type { Context } from '../../context.ts'
import { nameWord } from '../../input/name-word.ts'
import { textsOption } from '../../input/option-values.ts'
import { cardLines } from '../../output/card.ts'
import { collectionId } from '../../service/choose-collection.ts'
import { grantsText } from '../../views/key-list.ts'

type Options = { name: string; read: string[]; edit: string[]; admin: boolean }

export const createKey = defineCommand<Options>({
  name: 'create',
  summary: 'make a key (admin)',
  words: [{ name: '<name>', about: 'what to call it' }],
  options: [
    { flags: '--read <id>', about: 'a collection that it may read; may be given more than once', repeat: true },
    { flags: '--edit <id>', about: 'a collection that it may read and edit; likewise', repeat: true },
    { flags: '--admin', about: 'it may do everything' }
  ],
  about: 'The secret is shown this once. In a pipe it is all that is printed.',
  examples: ['memctl keys create phone --read 018f3a', 'memctl keys create ci --edit 018f3a > key.txt'],
  leaves:
    'It was made or it was not: memctl keys list tells, and memctl keys revoke ends one whose secret was not seen',
  parse: parseCreate,
  run: async (context, options) => {
    const client = await context.client()
    const { name, admin } = options
    const made = await client.createKey({ body: { name, admin, grants: await grantsOf(context, options) } })
    await context.answer.object(made, {
      lines: (page) => [
        ...cardLines(
          [
            ['id', made.id],
            ['name', made.name],
            ['may do', made.admin ? 'everything' : grantsText(made) || 'nothing with any collection'],
            ['key', made.key]
          ],
          page
        ),
        [{ text: 'The key is shown this once: keep it where others cannot read it.', look: 'note' }]
      ],
      rows: () => [[made.key]]
    })
  }
})

function parseCreate({ words, options }: Given): Options {
  const [read, edit] = [textsOption(options, 'read'), textsOption(options, 'edit')]
  const admin = options.admin === true
  if (admin && read.length + edit.length > 0) {
    throw new Fault('usage', '--admin already includes every collection', { hint: 'leave --read and --edit out' })
  }
  return { name: nameWord(words), read, edit, admin }
}

/** One grant for each collection: what may be edited may be read. */
async function grantsOf(context: Context, { read, edit }: Options): Promise<Grant[]> {
  const grants = new Map<string, Grant['permission']>()
  for (const id of read) grants.set(await collectionId(context, id), 'read')
  for (const id of edit) grants.set(await collectionId(context, id), 'edit')
  return [...grants].map(([collection_id, permission]) => ({ collection_id, permission }))
}

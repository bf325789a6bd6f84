import type { Key, KeyGrant } from '../../contract/endpoints/keys.ts'
import { Fault } from '../../contract/faults.ts'
import { defineCommand, type Entry } from '../command/command.ts'
import type { Context } from '../command/context.ts'
import { type CommandLine, textsOption } from '../input/command-line.ts'
import { cardLines } from '../output/card-lines.ts'
import type { ListView } from '../output/result-writer.ts'
import { formatCount, shortTime } from '../output/short-forms.ts'
import { collectionId } from '../service/choose-collection.ts'
import { findById, toNameable } from '../service/find-by-id.ts'
import { GUID } from '../settings/settings-table.ts'
import { nameWord } from './collections-commands.ts'

type Options = { name: string; read: string[]; edit: string[]; admin: boolean }

const createKeyCommand = defineCommand<Options>({
  name: 'create',
  summary: 'Create an API key (admin)',
  words: [{ name: '<name>', about: 'name of the key' }],
  options: [
    {
      flags: '--read <collection>',
      about: 'collection that the key can read; can be repeated',
      repeat: true,
      live: 'collection'
    },
    {
      flags: '--edit <collection>',
      about: 'collection that the key can read and edit; can be repeated',
      repeat: true,
      live: 'collection'
    },
    { flags: '--admin', about: 'permit everything' }
  ],
  about: 'The key is shown only once. In a pipe, only the key is printed.',
  examples: ['memctl keys create phone --read default', 'memctl keys create ci --edit work > key.txt'],
  leaves:
    'The key may have been created: memctl keys list shows it, and memctl keys revoke revokes a key that you did not see',
  parse: parseCreate,
  run: async (context, options) => {
    const client = await context.client()
    const { name, admin } = options
    const made = await client.createKey({ body: { name, admin, grants: await buildGrants(context, options) } })
    await context.answer.object(made, {
      lines: (page) => [
        ...cardLines(
          [
            ['id', made.id],
            ['name', made.name],
            ['may do', made.admin ? 'everything' : grantsText(made) || 'nothing: it has access to no collection'],
            ['key', made.key]
          ],
          page
        ),
        [{ text: 'The key is shown only once. Store it where others cannot read it.', look: 'note' }]
      ],
      rows: () => [[made.key]]
    })
  }
})

function parseCreate({ words, options }: CommandLine): Options {
  const [read, edit] = [textsOption(options, 'read'), textsOption(options, 'edit')]
  const admin = options.admin === true
  if (admin && read.length + edit.length > 0) {
    throw new Fault('usage', '--admin already includes every collection', { hint: 'omit --read and --edit' })
  }
  return { name: nameWord(words), read, edit, admin }
}

/** Merges the flags to one grant for each collection: permission to edit includes permission to read. */
async function buildGrants(context: Context, { read, edit }: Options): Promise<KeyGrant[]> {
  const grants = new Map<string, KeyGrant['permission']>()
  for (const id of read) grants.set(await collectionId(context, id), 'read')
  for (const id of edit) grants.set(await collectionId(context, id), 'edit')
  return [...grants].map(([collection_id, permission]) => ({ collection_id, permission }))
}

const listKeysCommand = defineCommand<Record<string, never>>({
  name: 'list',
  summary: 'List the valid API keys (admin)',
  options: [],
  about:
    'Never shows the keys themselves, of which the server stores only hashes. A table shortens ids; a pipe and --json show full ids.',
  examples: ['memctl keys list'],
  pages: () => true,
  leaves: 'Nothing was changed',
  parse: () => ({}),
  run: async (context) => {
    const client = await context.client()
    await context.answer.list(await client.listKeys(), KEY_LIST)
  }
})

const revokeKeyCommand = defineCommand<{ id: string }>({
  name: 'revoke',
  summary: 'Revoke an API key permanently (admin)',
  words: [{ name: '<id>', about: 'name, id, or at least the last 6 characters of the id', live: 'key' }],
  options: [],
  about: 'All nodes of the server reject the key within a second. The last admin key cannot be revoked.',
  examples: ['memctl keys revoke phone', 'memctl keys revoke 4f81c2'],
  leaves: 'The key may have been revoked: memctl keys list shows it',
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
  return findById((await client.listKeys()).map(toNameable), given, { noun: 'key', list: 'memctl keys list' }).id
}

/** The list view of keys, without their secrets. */
const KEY_LIST: ListView<Key> = {
  columns: [
    { name: 'id', value: ({ id }) => id, shortens: true },
    { name: 'name', value: ({ name }) => name, flexible: true },
    { name: 'admin', value: ({ admin }) => admin, format: ({ admin }) => (admin ? 'admin' : ''), leaves: 1 },
    { name: 'grants', value: ({ grants }) => grants, format: grantsText, leaves: 2 },
    { name: 'created_at', value: (key) => key.created_at, format: (key) => shortTime(key.created_at), leaves: 3 }
  ],
  json: (key) => key
}

/** Formats the numbers of collections that a key may read and edit. */
function grantsText({ grants }: Pick<Key, 'grants'>): string {
  const edit = grants.filter(({ permission }) => permission === 'edit').length
  const parts = [
    edit > 0 ? `edit ${formatCount(edit, 'collection')}` : '',
    grants.length > edit ? `read ${formatCount(grants.length - edit, 'collection')}` : ''
  ]
  return parts.filter((part) => part !== '').join(', ')
}

/** The subcommands of `memctl keys`. */
export const KEYS_COMMANDS: readonly Entry[] = [listKeysCommand, createKeyCommand, revokeKeyCommand]

import type { Folder } from '../../../contract/connection.ts'
import { Fault } from '../../../contract/faults.ts'
import { defineCommand } from '../../command/command.ts'
import { type CommandLine, integerOption, textOption } from '../../input/command-line.ts'
import type { ListView } from '../../output/result-writer.ts'
import { CONNECTION_WORD, findConnectionId, SEARCHED_COLLECTION_OPTION } from '../../service/find-connection-id.ts'

type Options = { id: string; collection: string | undefined; parent: string | undefined; depth: number; tree: boolean }

/** Maximum depth. Each folder with children costs a request to the provider. */
const DEPTH_MAX = 20

export const listFoldersCommand = defineCommand<Options>({
  name: 'folders',
  summary: 'List the folders of a connected drive',
  words: [{ name: '<id>', ...CONNECTION_WORD }],
  options: [
    SEARCHED_COLLECTION_OPTION,
    { flags: '--parent <id>', about: 'folder whose subfolders to list; the root folders by default' },
    { flags: '--depth <n>', about: `number of levels to list; 1 by default, at most ${DEPTH_MAX}` },
    { flags: '--tree', about: 'indent folders by level' }
  ],
  examples: ['memctl connections folders cloud_drive', 'memctl connections folders cloud_drive --depth 3 --tree'],
  leaves: 'Nothing was changed',
  parse: parseFolders,
  run: async (context, { id, collection, parent, depth, tree }) => {
    const client = await context.client()
    const connection_id = await findConnectionId(context, id, collection)
    const list = (parent_id: string | undefined) =>
      client.listFolders({ params: { connection_id }, query: parent_id === undefined ? {} : { parent_id } })
    await context.answer.list(walkFolders(list, { parent, depth }), tree ? TREE : LIST)
  }
})

function parseFolders({ words, options }: CommandLine): Options {
  const parent = textOption(options, 'parent')
  if (parent === '')
    throw new Fault('usage', '--parent is empty: expected a folder id', { hint: 'omit it to list the root folders' })
  const depth = integerOption(options, 'depth', { least: 1, most: DEPTH_MAX }) ?? 1
  return {
    id: words[0] ?? '',
    collection: textOption(options, 'collection'),
    parent,
    depth,
    tree: options.tree === true
  }
}

const LIST: ListView<FolderAt> = {
  columns: [
    { name: 'id', value: ({ folder }) => folder.id },
    { name: 'name', value: ({ folder }) => folder.name, flexible: true },
    {
      name: 'has_children',
      value: ({ folder }) => folder.has_children,
      format: ({ folder }) => (folder.has_children ? 'yes' : ''),
      leaves: 2
    },
    {
      name: 'is_selected',
      value: ({ folder }) => folder.is_selected,
      format: ({ folder }) => (folder.is_selected ? 'selected' : ''),
      leaves: 1
    },
    { name: 'parent_id', value: ({ parentId }) => parentId ?? null, pipeOnly: true }
  ],
  json: ({ folder, parentId }) => ({ ...folder, parent_id: parentId ?? null }),
  empty: 'no folders'
}

const TREE: ListView<FolderAt> = {
  ...LIST,
  lines: (rows) =>
    rows.map(({ folder, level }) => [
      `${'  '.repeat(level)}${folder.is_selected ? '[x]' : '[ ]'} `,
      { text: folder.name, look: 'bold' },
      { text: `  ${folder.id}`, look: 'dim' }
    ])
}

/** A folder and its position: `level` 0 is where the listing starts. */
type FolderAt = { folder: Folder; parentId: string | undefined; level: number }

type List = (parentId: string | undefined) => Promise<readonly Folder[]>

/** Yields folders, each followed by its subfolders, down to `depth` levels. Lists the content of a folder only once. */
async function* walkFolders(
  list: List,
  { parent, depth }: { parent: string | undefined; depth: number }
): AsyncGenerator<FolderAt> {
  const entered = new Set<string | undefined>([parent])
  const open = [{ folders: (await list(parent)).values(), parentId: parent }]
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { done, value: folder } = top.folders.next()
    if (done) {
      open.pop()
      continue
    }
    yield { folder, parentId: top.parentId, level: open.length - 1 }
    if (!folder.has_children || open.length >= depth || entered.has(folder.id)) continue
    entered.add(folder.id)
    open.push({ folders: (await list(folder.id)).values(), parentId: folder.id })
  }
}

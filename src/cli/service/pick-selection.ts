import type { Client } from '../../client/client.ts'
import type { Channel, Connection, Folder } from '../../contract/connection.ts'
import type { SelectionKey } from '../../contract/selection-limits.ts'
import { CHANNELS_MAX, FOLDERS_MAX, SELECTION_KEYS } from '../../contract/selection-limits.ts'
import type { Context } from '../command/context.ts'
import { formatCount } from '../output/short-forms.ts'
import type { Picked, PickSetup } from '../picker/make-picker.ts'
import type { Choice } from '../picker/pick-state.ts'
import { runPicker } from '../picker/run-picker.ts'
import { SELECTION_WORDS } from './selection-options.ts'

/**
 * Lets the user select from a tree of folders or a list of channels of a connected account, starting with the current selection.
 * Returns ids with their names, or undefined if the user leaves or the provider has no selection. Requires an interactive
 * session.
 */
export async function pickSelection(
  context: Context,
  client: Client,
  connection: Connection
): Promise<Picked | undefined> {
  const key = SELECTION_KEYS[connection.provider]
  if (key === undefined) return undefined
  return await runPicker(context, makeSetup(client, connection, key))
}

function makeSetup(client: Client, { id, config }: Connection, key: SelectionKey): PickSetup {
  const params = { connection_id: id }
  const { one, many } = SELECTION_WORDS[key]
  const question = `Which ${many} to sync?`
  const before = config[key] ?? []
  if (key === 'folder_ids') {
    return {
      words: { question, one, many, elsewhere: 'in a closed folder', tree: true },
      most: FOLDERS_MAX,
      before,
      load: async (parent_id, signal) => {
        const query = parent_id === undefined ? {} : { parent_id }
        return (await client.listFolders({ params, query }, { signal })).map(folderChoice)
      }
    }
  }
  return {
    words: { question, one, many, elsewhere: 'no longer available', tree: false },
    most: CHANNELS_MAX,
    before,
    load: async (_parent, signal) =>
      sortChosenFirst((await client.listChannels({ params }, { signal })).map(channelChoice))
  }
}

function folderChoice({ id, name, has_children, is_selected }: Folder): Choice {
  return { id, name, chosen: is_selected, opens: has_children, remarks: [] }
}

function channelChoice({ id, name, is_private, num_members, is_selected }: Channel): Choice {
  const remarks = [...(is_private ? ['private'] : []), formatCount(num_members, 'member')]
  return { id, name, chosen: is_selected, opens: false, remarks }
}

/** Puts the selected channels first, so that they are visible in a long list. */
function sortChosenFirst(choices: readonly Choice[]): Choice[] {
  return [...choices.filter(({ chosen }) => chosen), ...choices.filter(({ chosen }) => !chosen)]
}

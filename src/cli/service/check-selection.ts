import { Fault } from '../../contract/faults.ts'
import type { SelectionKey } from '../../contract/selection-limits.ts'
import {
  CHANNEL_ID,
  CHANNEL_ID_FORM,
  CHANNELS_MAX,
  DRIVE_FOLDER_ID,
  describeFolderId,
  FOLDERS_MAX
} from '../../contract/selection-limits.ts'
import { SELECTION_WORDS } from './selection-options.ts'

/** What no account has, whatever the server allows. */
const FORMS = {
  folder_ids: { pattern: DRIVE_FOLDER_ID, form: describeFolderId('letters, digits, - and _'), most: FOLDERS_MAX },
  channel_ids: { pattern: CHANNEL_ID, form: CHANNEL_ID_FORM, most: CHANNELS_MAX }
} as const satisfies Record<SelectionKey, { pattern: RegExp; form: string; most: number }>

const TOO_MANY: Readonly<Record<SelectionKey, string>> = {
  folder_ids: 'choose the folder that holds them: what lies below comes along',
  channel_ids: 'choose fewer'
}

/**
 * Sees to it that ids can be a selection, before anybody is shown it or asked about it. `added` are those among them that are
 * new; `list` is the command that lists what there is.
 *
 * @throws Fault `usage` that names the id, or says how many there may be.
 */
export function checkSelection(
  key: SelectionKey,
  ids: readonly string[],
  asked: { added: readonly string[]; list: string }
): void {
  const { pattern, form, most } = FORMS[key]
  const { one, many } = SELECTION_WORDS[key]
  const wrong = asked.added.find((id) => !pattern.test(id))
  if (wrong !== undefined)
    throw new Fault('usage', `'${clipId(wrong)}' is no ${one}: ${form}`, { hint: `the ids are in: ${asked.list}` })
  if (ids.length > most)
    throw new Fault('usage', `${ids.length} ${many} are chosen, and a connection has at most ${most}`, {
      hint: TOO_MANY[key]
    })
}

/** What is longer than any id is told by its beginning. */
function clipId(id: string): string {
  return id.length > CLIPPED_LENGTH ? `${id.slice(0, CLIPPED_LENGTH)}…` : id
}

const CLIPPED_LENGTH = 64

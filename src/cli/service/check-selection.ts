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

/** The formats of valid ids, independent of the server. */
const FORMS = {
  folder_ids: { pattern: DRIVE_FOLDER_ID, form: describeFolderId('letters, digits, - and _'), most: FOLDERS_MAX },
  channel_ids: { pattern: CHANNEL_ID, form: CHANNEL_ID_FORM, most: CHANNELS_MAX }
} as const satisfies Record<SelectionKey, { pattern: RegExp; form: string; most: number }>

const TOO_MANY: Readonly<Record<SelectionKey, string>> = {
  folder_ids: 'select their parent folder instead, which includes its subfolders',
  channel_ids: 'select fewer channels'
}

/**
 * Checks that ids form a valid selection. `added` are the new ids among them, and `list` is the command that lists valid ids.
 *
 * @throws Fault `usage` that names the invalid id or the limit.
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
    throw new Fault('usage', `invalid ${one} id '${clipId(wrong)}': ${form}`, { hint: `list the ids: ${asked.list}` })
  if (ids.length > most)
    throw new Fault('usage', `too many ${many}: expected at most ${most}, received ${ids.length}`, {
      hint: TOO_MANY[key]
    })
}

/** Shortens text that is longer than any valid id. */
function clipId(id: string): string {
  return id.length > CLIPPED_LENGTH ? `${id.slice(0, CLIPPED_LENGTH)}…` : id
}

const CLIPPED_LENGTH = 64

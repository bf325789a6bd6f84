import * as z from 'zod'
import {
  CHANNEL_ID,
  CHANNEL_ID_FORM,
  CHANNELS_MAX,
  DRIVE_FOLDER_ID,
  describeFolderId,
  FOLDER_ID,
  FOLDERS_MAX,
  type SelectionKey
} from './selection-limits.ts'

const EMPTY = 'a selection has at least one id'

/**
 * The ids that may be selected under a key, without repeats. `driveIds`: folder ids may have `-` and `_` too.
 */
export function selectionIds(key: SelectionKey, { driveIds }: { driveIds: boolean }) {
  if (key === 'channel_ids') {
    const id = z.string().regex(CHANNEL_ID, CHANNEL_ID_FORM)
    return z.array(id).min(1, EMPTY).max(CHANNELS_MAX, `at most ${CHANNELS_MAX} channels`).transform(distinct)
  }
  const [pattern, signs] = driveIds ? [DRIVE_FOLDER_ID, 'letters, digits, - and _'] : [FOLDER_ID, 'letters and digits']
  const id = z.string().regex(pattern, describeFolderId(signs))
  return z.array(id).min(1, EMPTY).max(FOLDERS_MAX, `at most ${FOLDERS_MAX} folders`).transform(distinct)
}

function distinct(ids: string[]): string[] {
  return [...new Set(ids)]
}

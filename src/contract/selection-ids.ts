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

const EMPTY = 'must have at least one id'

/**
 * Creates the schema of the ids under a selection key. It removes duplicates. With `driveIds`, folder ids may contain
 * `-` and `_`.
 */
export function selectionIds(key: SelectionKey, { driveIds }: { driveIds: boolean }) {
  if (key === 'channel_ids') {
    const id = z.string().regex(CHANNEL_ID, CHANNEL_ID_FORM)
    return z.array(id).min(1, EMPTY).max(CHANNELS_MAX, `must have at most ${CHANNELS_MAX} channels`).transform(distinct)
  }
  const [pattern, signs] = driveIds ? [DRIVE_FOLDER_ID, 'letters, digits, - and _'] : [FOLDER_ID, 'letters and digits']
  const id = z.string().regex(pattern, describeFolderId(signs))
  return z.array(id).min(1, EMPTY).max(FOLDERS_MAX, `must have at most ${FOLDERS_MAX} folders`).transform(distinct)
}

function distinct(ids: string[]): string[] {
  return [...new Set(ids)]
}

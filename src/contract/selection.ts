import * as z from 'zod'
import { CHANNELS_MAX, FOLDERS_MAX } from './selection-limits.ts'

/** The key of a connection's config that holds its selection. A provider without one syncs all that it was allowed to see. */
export type SelectionKey = 'folder_ids' | 'channel_ids'

const FOLDER_ID_LENGTH_MAX = 64

const FOLDER_ID = /^[A-Za-z0-9]{1,64}$/
/** Ids of real drives also use these two signs; allowed where the instance's admin says so. */
const DRIVE_FOLDER_ID = /^[A-Za-z0-9_-]{1,64}$/
const CHANNEL_ID = /^[CG][A-Z0-9]{1,63}$/

const EMPTY = 'a selection has at least one id'

/**
 * The ids that may be selected under a key, without repeats. `driveIds`: folder ids may have `-` and `_` too.
 */
export function selectionIds(key: SelectionKey, { driveIds }: { driveIds: boolean }) {
  if (key === 'channel_ids') {
    const id = z.string().regex(CHANNEL_ID, 'a channel id starts with C or G and is upper-case letters and digits')
    return z.array(id).min(1, EMPTY).max(CHANNELS_MAX, `at most ${CHANNELS_MAX} channels`).transform(distinct)
  }
  const [pattern, signs] = driveIds ? [DRIVE_FOLDER_ID, 'letters, digits, - and _'] : [FOLDER_ID, 'letters and digits']
  const id = z.string().regex(pattern, `a folder id is 1 to ${FOLDER_ID_LENGTH_MAX} ${signs}`)
  return z.array(id).min(1, EMPTY).max(FOLDERS_MAX, `at most ${FOLDERS_MAX} folders`).transform(distinct)
}

function distinct(ids: string[]): string[] {
  return [...new Set(ids)]
}

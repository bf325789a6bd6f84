import type { ProviderId } from './provider-ids.ts'

/** The key of a connection's config that holds its selection. A provider without one syncs all that it was allowed to see. */
export type SelectionKey = 'folder_ids' | 'channel_ids'

/** How many ids a selection may hold at most, from the interface's table of limits. */
export const FOLDERS_MAX = 10
export const CHANNELS_MAX = 50

/** What ids look like, from the same table. */
export const FOLDER_ID = /^[A-Za-z0-9]{1,64}$/

/** Ids of real drives also use these two signs; allowed where the instance's admin says so. */
export const DRIVE_FOLDER_ID = /^[A-Za-z0-9_-]{1,64}$/

export const CHANNEL_ID = /^[CG][A-Z0-9]{1,63}$/

export const CHANNEL_ID_FORM = 'a channel id starts with C or G and is upper-case letters and digits'

/** `signs`: what it consists of. */
export function describeFolderId(signs: string): string {
  return `a folder id is 1 to 64 ${signs}`
}

/** The config key of each provider, from the interface's table. */
export const SELECTION_KEYS: Readonly<Record<ProviderId, SelectionKey | undefined>> = {
  cloud_drive: 'folder_ids',
  team_chat: 'channel_ids',
  mailbox: undefined,
  notes: undefined
}

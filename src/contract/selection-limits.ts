import type { ProviderId } from './provider-ids.ts'

/**
 * The key of a connection's config that holds its selection. A provider without one syncs everything that it may read.
 */
export type SelectionKey = 'folder_ids' | 'channel_ids'

/** The maximum number of ids in a selection, from the interface's table of limits. */
export const FOLDERS_MAX = 10
export const CHANNELS_MAX = 50

/** The form of ids, from the same table. */
export const FOLDER_ID = /^[A-Za-z0-9]{1,64}$/

/** The form of folder ids of real drives, which also contain `-` and `_`. The admin of a server can allow it. */
export const DRIVE_FOLDER_ID = /^[A-Za-z0-9_-]{1,64}$/

export const CHANNEL_ID = /^[CG][A-Z0-9]{1,63}$/

export const CHANNEL_ID_FORM = 'must start with C or G and contain only upper-case letters and digits'

/** Describes the rule for folder ids. `signs`: the characters that they may contain. */
export function describeFolderId(signs: string): string {
  return `must be 1 to 64 ${signs}`
}

/** The config key of each provider, from the interface's table. */
export const SELECTION_KEYS: Readonly<Record<ProviderId, SelectionKey | undefined>> = {
  cloud_drive: 'folder_ids',
  team_chat: 'channel_ids',
  mailbox: undefined,
  notes: undefined
}

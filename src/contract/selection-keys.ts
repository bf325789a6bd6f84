import type { ProviderId } from './provider-ids.ts'
import type { SelectionKey } from './selection.ts'

/** The config key of each provider, from the interface's table; a provider without one syncs all that it was allowed to see. */
export const SELECTION_KEYS: Readonly<Record<ProviderId, SelectionKey | undefined>> = {
  cloud_drive: 'folder_ids',
  team_chat: 'channel_ids',
  mailbox: undefined,
  notes: undefined
}

import * as z from 'zod'
import { Count, Flag, Guid, Text, TextList, TextOrNull } from './plain-shapes.ts'
import { ProviderId } from './provider-ids.ts'
import { Time, TimeOrNull } from './snapshot.ts'

export const ConnectionStatus = z.enum(['pending', 'active', 'revoked'])

/** What of an account is synced: `folder_ids` or `channel_ids`, or nothing where the provider has no such choice. */
export const ConnectionConfig = z.object({
  folder_ids: TextList.optional(),
  channel_ids: TextList.optional()
})

/** An account at a provider, linked to a collection. */
export const Connection = z.object({
  id: Guid,
  provider: ProviderId,
  external_account_id: z.string().meta({ description: 'Of the account, at the provider.' }),
  status: ConnectionStatus,
  collection_id: Guid,
  items_synced: Count.meta({ description: 'Items that are live now.' }),
  last_synced_at: TimeOrNull,
  last_error: TextOrNull.meta({ description: 'What failed last, and what mends it.' }),
  config: ConnectionConfig,
  created_at: Time,
  health: z.enum(['ok', 'error']).nullable().meta({ description: 'Null unless it is active.' }),
  error_detail: z.object({ message: Text, retryable: Flag }).nullable(),
  next_sync_at: TimeOrNull.meta({ description: 'About when; null unless it is active.' })
})

export const ConnectResult = z.object({
  auth_url: z.string().meta({ description: 'Where the person goes to consent.' }),
  state: z.string().meta({ description: 'Names this attempt. Signed, used once, and of no use to another key.' })
})

/** How a consent went. */
export const Attempt = z.object({
  status: z.enum(['waiting', 'completed', 'denied', 'failed', 'expired']),
  connection_id: Guid.nullable(),
  detail: TextOrNull.meta({ description: 'Why, and what to do, where it did not work out.' })
})

export const Folder = z.object({
  id: Text,
  name: Text,
  has_children: Flag,
  is_selected: Flag
})

export const Channel = z.object({
  id: Text,
  name: Text,
  is_private: Flag,
  num_members: Count,
  is_selected: Flag
})

export const Disconnected = z.object({
  message: Text,
  warnings: z.array(z.object({ code: Text, message: Text }))
})

export type ConnectionStatus = z.infer<typeof ConnectionStatus>
export type ConnectionConfig = z.infer<typeof ConnectionConfig>
export type Connection = z.infer<typeof Connection>
export type Attempt = z.infer<typeof Attempt>
export type Folder = z.infer<typeof Folder>
export type Channel = z.infer<typeof Channel>
export type Disconnected = z.infer<typeof Disconnected>

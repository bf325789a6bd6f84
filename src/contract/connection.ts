import * as z from 'zod'
import { Guid } from './identifiers.ts'
import { ProviderId } from './provider-ids.ts'
import { Time } from './snapshot.ts'

export const ConnectionStatus = z.enum(['pending', 'active', 'revoked'])

/** What of an account is synced: `folder_ids` or `channel_ids`, or nothing where the provider has no such choice. */
export const ConnectionConfig = z.object({
  folder_ids: z.array(z.string()).optional(),
  channel_ids: z.array(z.string()).optional()
})

/** An account at a provider, linked to a collection. */
export const Connection = z.object({
  id: Guid,
  provider: ProviderId,
  external_account_id: z.string().meta({ description: 'Of the account, at the provider.' }),
  status: ConnectionStatus,
  collection_id: Guid,
  items_synced: z.int().min(0).meta({ description: 'Items that are live now.' }),
  last_synced_at: Time.nullable(),
  last_error: z.string().nullable().meta({ description: 'What failed last, and what mends it.' }),
  config: ConnectionConfig,
  created_at: Time,
  health: z.enum(['ok', 'error']).nullable().meta({ description: 'Null unless it is active.' }),
  error_detail: z.object({ message: z.string(), retryable: z.boolean() }).nullable(),
  next_sync_at: Time.nullable().meta({ description: 'About when; null unless it is active.' })
})

export const ConnectResult = z.object({
  auth_url: z.string().meta({ description: 'Where the person goes to consent.' }),
  state: z.string().meta({ description: 'Names this attempt. Signed, used once, and of no use to another key.' })
})

/** How a consent went. */
export const Attempt = z.object({
  status: z.enum(['waiting', 'completed', 'denied', 'failed', 'expired']),
  connection_id: Guid.nullable(),
  detail: z.string().nullable().meta({ description: 'Why, and what to do, where it did not work out.' })
})

export const Folder = z.object({
  id: z.string(),
  name: z.string(),
  has_children: z.boolean(),
  is_selected: z.boolean()
})

export const Channel = z.object({
  id: z.string(),
  name: z.string(),
  is_private: z.boolean(),
  num_members: z.int().min(0),
  is_selected: z.boolean()
})

export const Disconnected = z.object({
  message: z.string(),
  warnings: z.array(z.object({ code: z.string(), message: z.string() }))
})

export type ConnectionStatus = z.infer<typeof ConnectionStatus>
export type ConnectionConfig = z.infer<typeof ConnectionConfig>
export type Connection = z.infer<typeof Connection>
export type Attempt = z.infer<typeof Attempt>
export type Folder = z.infer<typeof Folder>
export type Channel = z.infer<typeof Channel>
export type Disconnected = z.infer<typeof Disconnected>

import * as z from 'zod'
import { Count, Flag, Guid, Text, TextList, TextOrNull } from './plain-shapes.ts'
import { ProviderId } from './provider-ids.ts'
import { Time, TimeOrNull } from './snapshot.ts'

export const ConnectionStatus = z.enum(['pending', 'active', 'revoked'])

/**
 * The folders or channels of an account that are synced: `folder_ids` or `channel_ids`, or nothing if the provider has
 * no selection.
 */
export const ConnectionConfig = z.object({
  folder_ids: TextList.optional(),
  channel_ids: TextList.optional()
})

/** An account at a provider, linked to a collection. */
export const Connection = z.object({
  id: Guid,
  provider: ProviderId,
  external_account_id: z.string().meta({ description: 'The identifier of the account at the provider.' }),
  status: ConnectionStatus,
  collection_id: Guid,
  items_synced: Count.meta({ description: 'The number of items that exist now.' }),
  last_synced_at: TimeOrNull,
  last_error: TextOrNull.meta({ description: 'The last error, with the command that fixes it.' }),
  config: ConnectionConfig,
  created_at: Time,
  health: z.enum(['ok', 'error']).nullable().meta({ description: 'Null unless the connection is active.' }),
  error_detail: z.object({ message: Text, retryable: Flag }).nullable(),
  next_sync_at: TimeOrNull.meta({
    description: 'The estimated time of the next sync. Null unless the connection is active.'
  })
})

/** A selected folder or channel. If the provider has not told its name, `name` is the id. */
const SelectedPlace = z.object({ id: Text, name: Text })

/** A connection with names, which are in a reply only if the request includes them. */
export const NamedConnection = Connection.extend({
  account_name: Text.optional().meta({
    description: 'The name or e-mail address of the account. Only with `include=names`.'
  }),
  selection: z.array(SelectedPlace).optional().meta({
    description: 'The selected folders or channels. Only with `include=names`.'
  })
})

export const ConnectResult = z.object({
  auth_url: z.string().meta({ description: 'The address at which the person consents.' }),
  state: z.string().meta({
    description: 'Identifies this attempt. It is signed, works once, and is bound to the key that requested it.'
  })
})

/** The result of a consent. */
export const Attempt = z.object({
  status: z.enum(['waiting', 'completed', 'denied', 'failed', 'expired']),
  connection_id: Guid.nullable(),
  detail: TextOrNull.meta({ description: 'If the consent failed, the reason and what to do.' })
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
export type NamedConnection = z.infer<typeof NamedConnection>
export type Attempt = z.infer<typeof Attempt>
export type Folder = z.infer<typeof Folder>
export type Channel = z.infer<typeof Channel>
export type Disconnected = z.infer<typeof Disconnected>

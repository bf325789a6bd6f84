import * as z from 'zod'
import { Attempt, Channel, ConnectResult, Disconnected, Folder, NamedConnection } from '../connection.ts'
import { defineEndpoint } from '../endpoint.ts'
import { Guid } from '../plain-shapes.ts'
import { ProviderId, ProviderName } from '../provider-ids.ts'

const params = z.strictObject({ connection_id: Guid })

const include = z.literal('names').optional().meta({
  description: 'Adds `account_name` and `selection` to each connection.'
})

/**
 * The schema of ids in documents. Which ids are valid depends on the provider, so the handler checks them
 * (`src/contract/selection-ids.ts`).
 */
const ids = { type: 'array', items: { type: 'string' } } as const

export const Selection = z.strictObject({
  folder_ids: z
    .unknown()
    .optional()
    .meta({ ...ids, description: 'cloud_drive: 1 to 10 folder ids.' }),
  channel_ids: z
    .unknown()
    .optional()
    .meta({ ...ids, description: 'team_chat: 1 to 50 channel ids.' })
})

export const listProviders = defineEndpoint({
  method: 'GET',
  path: '/v1/connectors/providers',
  summary: 'List the enabled providers',
  access: 'authenticated',
  replies: [{ status: 200, about: 'The identifiers of the providers.', json: z.array(ProviderId) }],
  faults: []
})

export const connectProvider = defineEndpoint(
  {
    method: 'POST',
    path: '/v1/connectors/{provider}/connect',
    summary: 'Connect an account to a collection',
    about:
      'Starts a consent. Send the user to `auth_url` to consent, then poll the attempt with `state` for the result. With `config`, folders or channels are selected in advance.',
    access: 'edit',
    params: z.strictObject({ provider: ProviderName }),
    body: { json: z.strictObject({ collection_id: Guid, config: Selection.optional() }) },
    replies: [{ status: 200, about: 'The address at which the user consents.', json: ConnectResult }],
    faults: ['usage', 'conflict']
  },
  ({ body: { collection_id } }) => [collection_id]
)

export const getAttempt = defineEndpoint(
  {
    method: 'GET',
    path: '/v1/connectors/attempts',
    summary: 'Show the result of a consent',
    access: 'edit',
    query: z.strictObject({ state: z.string().min(1).max(1000) }),
    replies: [{ status: 200, about: 'The current state of the attempt.', json: Attempt }],
    faults: []
  },
  { attempt: ({ query: { state } }) => state }
)

export const listConnections = defineEndpoint(
  {
    method: 'GET',
    path: '/v1/connectors',
    summary: 'List the connections of a collection',
    access: 'read',
    query: z.strictObject({ collection_id: Guid, include }),
    replies: [{ status: 200, about: 'Oldest first, without revoked ones.', json: z.array(NamedConnection) }],
    faults: []
  },
  ({ query: { collection_id } }) => [collection_id]
)

export const getConnection = defineEndpoint(
  {
    method: 'GET',
    path: '/v1/connectors/{connection_id}',
    summary: 'Show a connection',
    access: 'read',
    params,
    query: z.strictObject({ include }),
    replies: [{ status: 200, about: 'The connection.', json: NamedConnection }],
    faults: []
  },
  { connection: ({ params: { connection_id } }) => connection_id }
)

export const listFolders = defineEndpoint(
  {
    method: 'GET',
    path: '/v1/connectors/{connection_id}/folders',
    summary: 'List folders of the account',
    about: 'The server lists the folders at the provider with the stored credentials, so the call needs `edit`.',
    access: 'edit',
    params,
    query: z.strictObject({ parent_id: z.string().min(1).max(256).optional() }),
    replies: [{ status: 200, about: 'The folders at the top, or the children of `parent_id`.', json: z.array(Folder) }],
    faults: ['usage', 'conflict', 'provider_refused', 'provider_failed']
  },
  { connection: ({ params: { connection_id } }) => connection_id }
)

export const listChannels = defineEndpoint(
  {
    method: 'GET',
    path: '/v1/connectors/{connection_id}/channels',
    summary: 'List channels of the account',
    about: 'The server lists the channels at the provider with the stored credentials, so the call needs `edit`.',
    access: 'edit',
    params,
    replies: [{ status: 200, about: 'All channels that the account can read.', json: z.array(Channel) }],
    faults: ['usage', 'conflict', 'provider_refused', 'provider_failed']
  },
  { connection: ({ params: { connection_id } }) => connection_id }
)

export const updateConfig = defineEndpoint(
  {
    method: 'PATCH',
    path: '/v1/connectors/{connection_id}/config',
    summary: 'Select what is synced',
    about:
      'Send the selection in `config`, or its key beside `apply`. The server then syncs all content of the new selection.',
    access: 'edit',
    params,
    query: z.strictObject({ include }),
    body: {
      json: Selection.extend({
        config: Selection.optional(),
        apply: z.string().max(100).default('full_resync').meta({ description: 'Only `full_resync` is supported.' }),
        check_ids: z.boolean().optional().meta({
          description: 'Look up new ids at the provider, and reject ids that the account does not have.'
        })
      }).meta({ examples: [{ config: { folder_ids: ['1a2B3c4D'] }, apply: 'full_resync' }] })
    },
    replies: [{ status: 200, about: 'The updated connection.', json: NamedConnection }],
    faults: ['usage', 'conflict', 'provider_refused', 'provider_failed']
  },
  { connection: ({ params: { connection_id } }) => connection_id }
)

export const disconnect = defineEndpoint(
  {
    method: 'DELETE',
    path: '/v1/connectors/{connection_id}',
    summary: 'Disconnect an account',
    about:
      'When no other connection uses the grant, the server also revokes it at the provider. Memories are kept unless `delete_memories` is true, in the query or in a body.',
    access: 'edit',
    params,
    query: z.strictObject({ delete_memories: z.stringbool({ truthy: ['true'], falsy: ['false'] }).optional() }),
    body: { json: z.strictObject({ delete_memories: z.boolean().optional() }), optional: true },
    replies: [{ status: 200, about: 'The connection was revoked.', json: Disconnected }],
    faults: []
  },
  { connection: ({ params: { connection_id } }) => connection_id }
)

import * as z from 'zod'
import { Attempt, Channel, Connection, ConnectResult, Disconnected, Folder } from '../connection.ts'
import { defineEndpoint } from '../endpoint.ts'
import { Guid } from '../plain-shapes.ts'
import { ProviderId, ProviderName } from '../provider-ids.ts'

const params = z.strictObject({ connection_id: Guid })

/** As documents show it. What is taken depends on the provider, so the handler looks at it (`src/contract/selection-ids.ts`). */
const ids = { type: 'array', items: { type: 'string' } } as const

export const Selection = z.strictObject({
  folder_ids: z
    .unknown()
    .optional()
    .meta({ ...ids, description: 'cloud_drive: 1 to 10 ids of folders.' }),
  channel_ids: z
    .unknown()
    .optional()
    .meta({ ...ids, description: 'team_chat: 1 to 50 ids of channels.' })
})

export const listProviders = defineEndpoint({
  method: 'GET',
  path: '/v1/connectors/providers',
  summary: 'List the providers that are enabled here',
  access: 'authenticated',
  replies: [{ status: 200, about: 'Their identifiers.', json: z.array(ProviderId) }],
  faults: []
})

export const connectProvider = defineEndpoint(
  {
    method: 'POST',
    path: '/v1/connectors/{provider}/connect',
    summary: 'Begin to link an account to a collection',
    about:
      'The person goes to `auth_url` and consents there; how that went is told by the attempt of `state`. With `config`, folders or channels are chosen beforehand.',
    access: 'edit',
    params: z.strictObject({ provider: ProviderName }),
    body: { json: z.strictObject({ collection_id: Guid, config: Selection.optional() }) },
    replies: [{ status: 200, about: 'Where to consent.', json: ConnectResult }],
    faults: ['usage', 'conflict']
  },
  ({ body: { collection_id } }) => [collection_id]
)

export const getAttempt = defineEndpoint(
  {
    method: 'GET',
    path: '/v1/connectors/attempts',
    summary: 'How a consent went',
    access: 'edit',
    query: z.strictObject({ state: z.string().min(1).max(1000) }),
    replies: [{ status: 200, about: 'How it stands.', json: Attempt }],
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
    query: z.strictObject({ collection_id: Guid }),
    replies: [{ status: 200, about: 'Oldest first, without revoked ones.', json: z.array(Connection) }],
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
    replies: [{ status: 200, about: 'The connection.', json: Connection }],
    faults: []
  },
  { connection: ({ params: { connection_id } }) => connection_id }
)

export const listFolders = defineEndpoint(
  {
    method: 'GET',
    path: '/v1/connectors/{connection_id}/folders',
    summary: 'List folders of the account',
    about: 'Asked of the provider with the stored credentials, so `edit` is needed.',
    access: 'edit',
    params,
    query: z.strictObject({ parent_id: z.string().min(1).max(256).optional() }),
    replies: [{ status: 200, about: 'Those at the top, or the children of `parent_id`.', json: z.array(Folder) }],
    faults: ['usage', 'conflict', 'provider_refused', 'provider_failed']
  },
  { connection: ({ params: { connection_id } }) => connection_id }
)

export const listChannels = defineEndpoint(
  {
    method: 'GET',
    path: '/v1/connectors/{connection_id}/channels',
    summary: 'List channels of the account',
    about: 'Asked of the provider with the stored credentials, so `edit` is needed.',
    access: 'edit',
    params,
    replies: [{ status: 200, about: 'All that the account may read.', json: z.array(Channel) }],
    faults: ['usage', 'conflict', 'provider_refused', 'provider_failed']
  },
  { connection: ({ params: { connection_id } }) => connection_id }
)

export const updateConfig = defineEndpoint(
  {
    method: 'PATCH',
    path: '/v1/connectors/{connection_id}/config',
    summary: 'Choose what is synced',
    about:
      'The selection stands in `config`; without `config` its key may stand beside `apply`. The content of the new selection is synced again from the start.',
    access: 'edit',
    params,
    body: {
      json: Selection.extend({
        config: Selection.optional(),
        apply: z.string().max(100).default('full_resync').meta({ description: 'Only `full_resync` is supported.' }),
        check_ids: z.boolean().optional().meta({
          description: 'Ask the provider for ids that are new, and refuse those that the account does not have.'
        })
      }).meta({ examples: [{ config: { folder_ids: ['1a2B3c4D'] }, apply: 'full_resync' }] })
    },
    replies: [{ status: 200, about: 'The connection as it is now.', json: Connection }],
    faults: ['usage', 'conflict', 'provider_refused', 'provider_failed']
  },
  { connection: ({ params: { connection_id } }) => connection_id }
)

export const disconnect = defineEndpoint(
  {
    method: 'DELETE',
    path: '/v1/connectors/{connection_id}',
    summary: 'End a connection',
    about:
      'The grant is revoked at the provider with the last connection that uses it. Memories are kept unless `delete_memories` is true, as query or in a body.',
    access: 'edit',
    params,
    query: z.strictObject({ delete_memories: z.stringbool({ truthy: ['true'], falsy: ['false'] }).optional() }),
    body: { json: z.strictObject({ delete_memories: z.boolean().optional() }), optional: true },
    replies: [{ status: 200, about: 'It is revoked.', json: Disconnected }],
    faults: []
  },
  { connection: ({ params: { connection_id } }) => connection_id }
)

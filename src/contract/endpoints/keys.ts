import * as z from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { Flag, Guid, Name, Text } from '../plain-shapes.ts'
import { Time } from '../snapshot.ts'
import { Done } from './collections.ts'

const GRANTS_MAX = 1000

/** The access of a key to a collection. */
export const KeyGrant = z.strictObject({
  collection_id: Guid,
  permission: z.enum(['read', 'edit']).meta({ description: '`edit` includes `read`.' })
})

/** A key without its secret, as the list shows it. The server stores only a hash of the secret. */
export const Key = z.object({
  id: Guid,
  name: Text,
  grants: z.array(KeyGrant),
  admin: Flag,
  created_at: Time
})

export const NewKey = Key.extend({
  key: z.string().meta({ description: 'The secret: `mk_` and 43 characters. It is shown only once.' })
})

export const createKey = defineEndpoint({
  method: 'POST',
  path: '/v1/keys',
  summary: 'Create a key',
  about: 'The reply contains the secret, once. The server stores only its SHA-256.',
  access: 'admin',
  body: {
    json: z.strictObject({
      name: Name,
      grants: z
        .array(KeyGrant)
        .max(GRANTS_MAX)
        .default([])
        .meta({ description: 'The access of the key, by collection.' }),
      admin: z.boolean().default(false).meta({ description: 'Whether the key has all permissions.' })
    })
  },
  replies: [{ status: 201, about: 'The new key with its secret.', json: NewKey }],
  faults: ['not_found']
})

export const listKeys = defineEndpoint({
  method: 'GET',
  path: '/v1/keys',
  summary: 'List the keys',
  access: 'admin',
  replies: [{ status: 200, about: 'The valid keys, oldest first.', json: z.array(Key) }],
  faults: []
})

export const revokeKey = defineEndpoint({
  method: 'DELETE',
  path: '/v1/keys/{key_id}',
  summary: 'Revoke a key',
  about: 'Every node rejects the key within a second. The last admin key cannot be revoked.',
  access: 'admin',
  params: z.strictObject({ key_id: Guid }),
  replies: [{ status: 200, about: 'The key was revoked.', json: Done }],
  faults: ['not_found', 'conflict']
})

export type KeyGrant = z.infer<typeof KeyGrant>
export type Key = z.infer<typeof Key>

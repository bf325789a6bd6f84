import * as z from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { Count } from '../plain-shapes.ts'

/** What a rotation did. */
const Rotated = z.object({
  key_id: z.string().meta({ description: 'The key that everything is sealed with now.' }),
  resealed: Count.meta({ description: 'Secrets that were sealed anew.' })
})

export const rotateVaultKey = defineEndpoint({
  method: 'POST',
  path: '/v1/vault/rotate',
  summary: 'Seal all stored credentials with a new key',
  about: 'May be broken off at any moment and asked for again.',
  access: 'admin',
  replies: [{ status: 200, about: 'Everything is sealed with the new key.', json: Rotated }],
  faults: ['conflict']
})

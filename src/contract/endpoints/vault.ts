import * as z from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { Count } from '../plain-shapes.ts'

/** The result of a key rotation. */
const Rotated = z.object({
  key_id: z.string().meta({ description: 'The key that now encrypts all credentials.' }),
  resealed: Count.meta({ description: 'The number of credentials that were re-encrypted.' })
})

export const rotateVaultKey = defineEndpoint({
  method: 'POST',
  path: '/v1/vault/rotate',
  summary: 'Encrypt all stored credentials with a new key',
  about: 'A rotation can be interrupted at any time and repeated.',
  access: 'admin',
  replies: [{ status: 200, about: 'All credentials are encrypted with the new key.', json: Rotated }],
  faults: ['conflict']
})

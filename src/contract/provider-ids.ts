import * as z from 'zod'

/** The kinds of sources that can be connected to a collection, with the neutral names of the interface. */
export const PROVIDER_IDS = ['cloud_drive', 'team_chat', 'mailbox', 'notes'] as const

export const ProviderId = z.enum(PROVIDER_IDS)

export type ProviderId = z.infer<typeof ProviderId>

/** The name of a provider in a request. An unknown one results in `not_found` instead of invalid input. */
export const ProviderName = z
  .string()
  .max(100)
  .meta({ examples: [...PROVIDER_IDS] })

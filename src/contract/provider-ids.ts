import * as z from 'zod'

/** The kinds of sources that can be linked to a collection, in the neutral names of the interface. */
export const PROVIDER_IDS = ['cloud_drive', 'team_chat', 'mailbox', 'notes'] as const

export const ProviderId = z.enum(PROVIDER_IDS)

export type ProviderId = z.infer<typeof ProviderId>

/** What is called a provider here, whether the service knows it or not: an unknown one is `not_found`, not malformed. */
export const ProviderName = z
  .string()
  .max(100)
  .meta({ examples: [...PROVIDER_IDS] })

import type { ProviderId } from './provider-ids.ts'

/** A provider as a server of this machine would have it, for people: without secrets. */
export type ServerProvider = {
  provider: ProviderId
  enabled: boolean
  /** Whether it is the stand-in of the sandbox. */
  sandbox: boolean
  client_id: string | null
  client_secret_set: boolean
  authorize_url: string
  token_url: string
  revoke_url: string | null
  api_url: string
}

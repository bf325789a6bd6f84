import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import type { Fetch } from '../../../src/ports.ts'
import type { OAuthFacts, Provider } from '../../providers/port/provider.ts'

/** A provider as configured on this server, with its client and addresses. */
export type EnabledProvider = {
  provider: Provider
  clientId: string
  clientSecret: string
  /** The facts of the provider with the addresses that the server's admin set. */
  oauth: OAuthFacts
  apiUrl: string
  /** Whether it is the sandbox instead of the real service. */
  sandbox: boolean
  /** Whether folder ids may contain `-` and `_`. */
  driveIds: boolean
  /** Sends a request without credentials, only to addresses that the admin configured. */
  fetch: Fetch
}

/** The enabled providers by id, in the order in which they are listed. */
export type EnabledProviders = ReadonlyMap<ProviderId, EnabledProvider>
